"""Types and attributes alone: what we and what the oracle make of their texts."""

from __future__ import annotations

import re

from shlo.ir.diagnostics import ParseError
from shlo.syntax import parse_attribute, parse_type
from tests.oracle import Oracle, OracleError

ALIAS = re.compile(r"#[A-Za-z]\w*")
DEFINITION = re.compile(r"^(#[A-Za-z]\w*) = (.*)$", re.MULTILINE)


def ours(text: str, is_type: bool = False) -> str | None:
    """Returns what we print for a text, None where we refuse it."""
    try:
        return str(parse_type(text) if is_type else parse_attribute(text))
    except ParseError:
        return None


def theirs(oracle: Oracle, text: str, is_type: bool = False) -> str | None:
    """Returns what MLIR prints for a text, None where it refuses it."""
    value = f"() -> ({text})" if is_type else text
    try:
        printed = oracle.generic(f'"test.op"() {{a = {value}}} : () -> ()', unregistered=True)
    except OracleError:
        return None
    body = printed[printed.index("() {a = ") + 8 : printed.rindex("} : ")]
    body = _with_aliases_in_place(body, dict(DEFINITION.findall(printed)))
    return body.removeprefix("() -> ") if is_type else body


def _with_aliases_in_place(text: str, definitions: dict[str, str]) -> str:
    def replaced(match: re.Match[str]) -> str:
        definition = definitions.get(match[0])
        if definition is None:
            return match[0]
        inner = _with_aliases_in_place(definition, definitions)
        # Inside of another location the word loc is left out.
        is_inside = text[: match.start()].rstrip().endswith(("(", "[", "at", ","))
        return inner[4:-1] if inner.startswith("loc(") and is_inside else inner

    return ALIAS.sub(replaced, text)
