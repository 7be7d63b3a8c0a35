"""Snippets: an operation's text with holes for what a person fills in, from its definition.

The notation is the one that editors share: `${1:default}`, `${2|one,other|}`. Until the holes are numbered,
they are written `«default»` and `«one|other»`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from shlo.dialects.opdef import AttributeDef, OpDef, OperandDef
from shlo.syntax.assembly_format.spec import (
    AllOperands,
    AttrDict,
    AttributeItem,
    Custom,
    Item,
    Literal,
    OperandItem,
    OptionalGroup,
    TypeItem,
    format_of,
)

TAB_STOP = re.compile("(%?)«([^»]*)»")
"""A tab stop; what a person replaces in that of a value is its name with the `%`."""
SPECIAL = re.compile(r"[$}]")
_TAB_STOP = re.compile(r"\$\{\d+:([^}]*)\}|\$\{\d+\|([^,|]*)[^}]*\}|\$\{?\d+\}?|\\(?=[$}\\])")
TENSOR = "«tensor<f32>»"

CUSTOM: dict[str, str] = {
    "scf_if": "%«condition» {\n  «»\n}",
    "scf_while": ": () -> () {\n  scf.condition(%«condition»)\n} do {\n  scf.yield\n}",
    "condition": "(%«condition»)",
    "execute_region": "{\n  «»\n}",
    "constant": f"dense<«0.0»> : {TENSOR}",
    "function": "@«name»(%«arg0»: «tensor<f32>») -> «tensor<f32>» {\n  «return»\n}",
    "module": "@«name» {\n  «»\n}",
    "while": "(%«iterArg» = %«init») : «tensor<i32>»\n  cond {\n    «»\n  } do {\n    «»\n  }",
    "reduce": "(%«input» init: %«init») applies «stablehlo.add» across dimensions = [«0»] : "
    "(«tensor<4xf32>», «tensor<f32>») -> «tensor<f32>»",
    "dot_dimension_numbers": "contracting_dims = [«1»] x [«0»]",
    "precision_config": "",
    "precision_config_and_algorithm": "",
    "exponent_mantissa": "«e5m10»",
    "slice_ranges": "[«0:1»]",
    "convolution_dimensions": "«[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]»",
    "window_attributes": "stride = [«1, 1»]",
}
"""What represents a part of a format that has functions of its own; an operation with another such part is
offered in the generic form."""

TYPES: dict[str, str] = {
    "select": f"«tensor<i1>», {TENSOR}",
    "complex": "«tensor<complex<f32>>»",
    "tuple": "«tuple<tensor<f32>>»",
    "callee": "«() -> ()»",
    "with_bit": "«i32», «i1»",
    "as_first": "«f32», «i32»",
    "asserted": "",
    "value": "",
    "of_value": "",
}
"""Types that are no tensor's; a value in an attribute says its type itself."""


@cache
def snippet_text(snippet: str) -> str:
    """Returns a snippet with the suggestions of its tab stops filled in, for clients without snippets."""
    return _TAB_STOP.sub(lambda match: match[1] or match[2] or "", snippet)


def operation_snippet(op_def: OpDef, name: str, types: bool = False) -> str:
    """Returns the text of an operation, written under this name, its results left out. The types that follow
    from operands have their room at its end, `: $0`, or are examples where `types` is set."""
    return numbered(_pretty(op_def, name, types) or generic_form(op_def, types))


@cache
def generic_snippet(op_def: OpDef, types: bool = False) -> str:
    """Returns the generic form of an operation."""
    return numbered(generic_form(op_def, types))


def numbered(text: str, first: int = 1) -> str:
    """Returns a text with its holes numbered."""
    count = first - 1

    def tab_stop(match: re.Match[str]) -> str:
        nonlocal count
        count += 1
        words = match[2].split("|")
        if len(words) > 1:
            return f"${{{count}|{','.join(words)}|}}"
        default = SPECIAL.sub(r"\\\g<0>", match[1] + match[2])
        return f"${{{count}:{default}}}" if default else f"${count}"

    return TAB_STOP.sub(tab_stop, text)


def generic_form(op_def: OpDef, types: bool = False) -> str:
    """Returns an operation's generic form with holes."""
    operands = ", ".join(f"%«{spec.name}»" for spec in _wanted(op_def.operands))
    entries = ", ".join(spec.snippet for spec in op_def.attributes if spec.required)
    properties = f" <{{{entries}}}>" if entries else ""
    regions = ", ".join("{\n  «»\n}" for _ in op_def.regions)
    inside = f" ({regions})" if regions else ""
    section = "$0" if op_def.operands and not op_def.regions and not types else _function_type(op_def)
    return f'"{op_def.name}"({operands}){properties}{inside} : {section}'


def _function_type(op_def: OpDef) -> str:
    inputs = ", ".join(TENSOR for _ in _wanted(op_def.operands))
    results = [TENSOR for _ in _wanted(op_def.results)]
    outputs = results[0] if len(results) == 1 else f"({', '.join(results)})"
    return f"({inputs}) -> {outputs}"


def _wanted(specs: tuple[OperandDef, ...]) -> list[OperandDef]:
    return [spec for spec in specs if spec.arity != "optional"]


def _pretty(op_def: OpDef, name: str, types: bool) -> str | None:
    """Returns the operation in its pretty form, None where that has a part that only a generic form shows."""
    form = format_of(op_def)
    if form is None:
        return None
    missing = [spec for spec in op_def.attributes if spec.required and spec.name not in form.shown]
    pieces = [name]
    for item in form.items:
        texts = list(_texts(op_def, item, missing))
        if None in texts:
            return None
        if item == form.items[-1] and isinstance(item, TypeItem) and pieces[-1] == ":" and not types:
            texts = ["$0"] if op_def.operands else texts
        pieces += [text for text in texts if text]
    return joined(pieces)


def _texts(op_def: OpDef, item: Item, missing: list[AttributeDef]) -> Iterator[str | None]:
    match item:
        case Literal(text):
            yield text
        case OperandItem(name, arity):
            yield "" if arity == "optional" else f"%«{name}»"
        case AttributeItem(spec):
            yield spec.constraint.format_snippet or spec.constraint.snippet
        case AllOperands():
            yield ", ".join(f"%«{spec.name}»" for spec in _wanted(op_def.operands))
        case AttrDict(keyword):
            entries = ", ".join(spec.snippet for spec in missing)
            yield f"{'attributes ' if keyword else ''}{{{entries}}}" if entries else ""
        case TypeItem(kind):
            yield _function_type(op_def) if kind == "function" else TYPES.get(kind, _types(op_def, kind))
        case OptionalGroup(items):
            yield from _group(op_def, items, missing)
        case Custom(name):
            yield CUSTOM.get(name)
        case _:
            yield "{\n  «»\n}"


def _group(op_def: OpDef, items: tuple[Item, ...], missing: list[AttributeDef]) -> Iterator[str | None]:
    """Yields a group, which is shown where it holds operands or their types."""
    if any(isinstance(item, OperandItem | AllOperands | TypeItem) for item in items):
        for item in items:
            yield from _texts(op_def, item, missing)


def _types(op_def: OpDef, kind: str) -> str:
    specs = op_def.operands if kind == "operands" else op_def.results if kind == "results" else ()
    return ", ".join(TENSOR for _ in specs) or TENSOR


def joined(pieces: list[str]) -> str:
    """Returns pieces with blanks between them, but for those around punctuation."""
    text = pieces[0]
    for before, piece in pairwise(pieces):
        glued = piece[0] in ",)]>" or before[-1] in "([<" or (piece[0] == "(" and before[-1] != ":")
        text += piece if glued else f" {piece}"
    return text
