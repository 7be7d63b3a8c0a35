"""A runnable example of each operation, with its result: the first function of the operation's check program.

A check program (`tests/ops/NAME.mlir`) states values by `check.expect_...`. The example returns these values
instead: what `shlo run` prints is what the page shows. A function called `..._spec_example...` is the
specification's example.
"""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr, redirect_stdout
from typing import Final, NamedTuple

import shlo
from docs.generate_ops import program_file
from docs.site.contents import ROOT
from shlo.dialects.opdef import OpDef
from shlo.runner.display import array_text, result_title

_FUNCTION: Final = re.compile(r"^func\.func @(\w+)\(\) \{\n(.*?)^\}\n", re.MULTILINE | re.DOTALL)
_EXPECT: Final = re.compile(r"^\s*check\.expect_\w+ (%[\w#]+), .*? : (?:\()?([^,()]+?)(?:, .*)?$")
_RETURN: Final = re.compile(r"^\s*(?:func\.)?return$")


class Example(NamedTuple):
    """A program, and what running it prints; a program that only checks itself prints nothing."""

    program: str
    printed: str


def example_of(op_def: OpDef) -> Example | None:
    """Returns the example of an operation, None where it has no check program."""
    path = program_file(op_def)
    if path is None:
        return None
    text = (ROOT / path).read_text("utf-8")
    functions = {match[1]: match for match in _FUNCTION.finditer(text)}
    short = re.compile(rf"\b{re.escape(op_def.name)}\b")
    candidates = sorted(functions.values(), key=lambda match: "spec_example" not in match[1])
    for match in candidates:
        if short.search(match[0]) and (found := _returning(match[2])):
            return found
    return next((Example(match[0], "") for match in candidates if short.search(match[0])), None)


def _returning(body: str) -> Example | None:
    """Returns the example that a function's body is, None where the body says by other means what it expects,
    or needs what is around it.
    """
    kept: list[str] = []
    values: list[tuple[str, str]] = []
    for line in body.splitlines():
        if match := _EXPECT.match(line):
            values.append((match[1], match[2].strip()))
        elif _RETURN.match(line):
            names, types = ", ".join(name for name, _ in values), ", ".join(type_ for _, type_ in values)
            kept.append(f"  return {names} : {types}")
        else:
            kept.append(line)
    if not values:
        return None
    results = ", ".join(type_ for _, type_ in values)
    program = (
        f"func.func @main() -> {f'({results})' if len(values) > 1 else results} {{\n"
        + "\n".join(kept)
        + "\n}\n"
    )
    told = io.StringIO()
    try:
        module = shlo.parse(program)
        with redirect_stdout(told), redirect_stderr(told):
            given = shlo.run(module)
    except shlo.ShloError:
        return None
    titles = [result_title(number, "", type_) for number, (_, type_) in enumerate(values)]
    lines = [line for title, value in zip(titles, given) for line in (title, array_text(value))]
    return Example(program, told.getvalue() + "\n".join(lines) + "\n")
