"""The check dialect's pretty forms as generic ones, which the oracle reads though it does not know the
dialect.
"""

from __future__ import annotations

import re

STATEMENT = re.compile(
    r"check\.expect_(\w+)[ \t]+((?:.|\n)*?)(?=\n[ \t]*(?:%|}|//|return|[a-z_]\w*\.[a-z]|\"|$))"
)
OPERANDS = re.compile(r"((?:%[\w#]+[ \t]*,?[ \t\n]*)+)")
NAMED = {
    "tolerance": ("tolerance", "f64"),
    "max_ulp_difference": ("max_ulp_difference", "ui64"),
    "min_ulp_difference": ("min_ulp_difference", "ui64"),
    "iter": ("iteration", "ui32"),
    "probe_id": ("probe_id", ""),
}
"""The words of the pretty forms: the attribute that each stands for, and its type."""

DEFAULTS = re.compile(
    r"(?:tolerance = 1\.000000e-04 : f64|min_ulp_difference = 0 : ui64|iteration = 0 : ui32)(?:, )?"
)
"""What the pretty forms leave out."""

COMMENT = re.compile(r"//[^\n]*")
VALUE_OF_NAME = re.compile(r'\b(\w+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[-\w.+]+)')


QUOTED = re.compile(r'("check\.expect_\w+"\([^()]*\)[ \t]*)\{([^{}]*)\}')
"""A check in the generic form whose attributes are not written as properties, as older MLIR printed them."""


def generic_checks(text: str) -> str:
    """Returns the text with every `check.expect_*` in its generic form of today."""
    return QUOTED.sub(r"\1<{\2}>", STATEMENT.sub(_generic, text)) if "check.expect" in text else text


def without_defaults(text: str) -> str:
    """Returns a generic text without the attributes of checks that say what their absence means."""
    return DEFAULTS.sub("", text).replace(", }>", "}>") if '"check.' in text else text


def _generic(match: re.Match[str]) -> str:
    name, rest = match[1], COMMENT.sub("", match[2])
    if rest.lstrip().startswith("("):
        return match[0]
    operands = OPERANDS.match(rest)
    if operands is None:
        return match[0]
    uses = re.findall(r"%[\w#]+", operands[1])
    body = rest[operands.end() :]
    return _with_value(name, uses, body) if name.endswith("_const") else _with_types(name, uses, body)


def _with_value(name: str, uses: list[str], body: str) -> str:
    """`dense<...> : T, tolerance = x {...}`: the operand has the type of the value."""
    value, _, rest = body.rpartition(" : ") if "{" not in body else _split_dictionary(body)
    type_, attributes = _split_type(rest)
    fields = [f"value = {value} : {type_}", *attributes]
    return f'"check.expect_{name}"({uses[0]}) <{{{", ".join(fields)}}}> : ({type_}) -> ()'


def _split_dictionary(body: str) -> tuple[str, str, str]:
    head, _, dictionary = body.partition("{")
    value, _, type_ = head.rpartition(" : ")
    return value, ":", f"{type_.strip()}, {dictionary.replace(': f64', '').rstrip().removesuffix('}')}"


def _split_type(text: str) -> tuple[str, list[str]]:
    """Returns the type at the start of a text, and the attributes named after it."""
    depth = 0
    for index, character in enumerate(text):
        depth += (character in "<(") - (character in ">)")
        if depth == 0 and character == ",":
            return text[:index].strip(), _attributes(text[index:])
    return text.strip(), []


def _with_types(name: str, uses: list[str], body: str) -> str:
    """`, tolerance = x : T` and the like; one type stands for all operands."""
    head, _, tail = body.partition(":")
    types = _types(tail, len(uses))
    attributes = _attributes(head)
    properties = f" <{{{', '.join(attributes)}}}>" if attributes else ""
    return f'"check.expect_{name}"({", ".join(uses)}){properties} : ({", ".join(types)}) -> ()'


def _types(text: str, count: int) -> list[str]:
    first, depth = text.strip(), 0
    for index, character in enumerate(first):
        depth += (character in "<(") - (character in ">)")
        if depth == 0 and character == ",":
            first = first[:index]
            break
    return [first] * count


def _attributes(text: str) -> list[str]:
    found: list[str] = []
    for word, value in VALUE_OF_NAME.findall(text):
        name, type_ = NAMED[word]
        found.append(f"{name} = {value}{f' : {type_}' if type_ else ''}")
    return found
