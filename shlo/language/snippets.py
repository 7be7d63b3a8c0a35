"""Snippets: an operation's text with holes for what a person fills in, from its card.

The notation is the one that editors share: `${1:default}`, `${2|one,other|}`. Until the holes are numbered,
they are written `«default»` and `«one|other»`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from shlo.dialects.card import AttributeSpec, Card, OperandSpec
from shlo.language.cards import words_of
from shlo.syntax.format import (
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

HOLE = re.compile("«([^»]*)»")
SPECIAL = re.compile(r"[$}]")
TENSOR = "«tensor<f32>»"

CUSTOM: dict[str, str] = {
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
"""What stands for a part of a format that has functions of its own; an operation with another such part is
offered in the generic form."""

BY_KIND: dict[str, str] = {
    "i64": "«0»",
    "i32": "«0» : i32",
    "ui64": "«0» : ui64",
    "ui32": "«0» : ui32",
    "float": "«0.0» : f32",
    "f64": "«0.0» : f64",
    "string": '"«text»"',
    "type": "«f32»",
    "elements": "dense<«0»> : «tensor<1xi64>»",
    "i64_array": "array<i64: «0»>",
    "i32_array": "array<i32: «0»>",
    "bool_array": "array<i1: «false»>",
    "array": "[«»]",
    "dict": "{«»}",
    "symbol": "@«name»",
    "symbol_name": '"«name»"',
}
"""An attribute's value in an attribute dictionary, by its kind."""

SHOWN_BY_KIND: dict[str, str] = {
    **BY_KIND,
    "i32": "«0»",
    "ui64": "«0»",
    "ui32": "«0»",
    "i64_array": "[«0»]",
    "i32_array": "[«0»]",
    "bool_array": "[«false»]",
    "symbol_name": "@«name»",
}
"""An attribute's value where a format shows it."""

STRUCTS: dict[str, str] = {
    "conv": "<«[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]»>",
    "channel_handle": "<handle = «0», type = «0»>",
    "sharding": "<@«mesh», [«{}»]>",
    "mesh": '<[«"x"=2»]>',
    "axis_ref_list": '{«"x"»}',
    "list_of_axis_ref_lists": '[{«"x"»}]',
    "all_to_all_param_list": '[{«"x"»}: «0->1»]',
    "manual_axes": "{«»}",
}
"""What follows the mnemonic of an attribute with fields; `<>` for those whose fields all have defaults."""

BY_NAME: dict[str, str] = {"replica_groups": "dense<«[[0]]»> : «tensor<1x1xi64>»"}
"""The value of an attribute of any kind, by its name."""

TYPES: dict[str, str] = {
    "select": f"«tensor<i1>», {TENSOR}",
    "complex": "«tensor<complex<f32>>»",
    "tuple": "«tuple<tensor<f32>>»",
    "callee": "«() -> ()»",
    "value": "",
    "of_value": "",
}
"""Types that are no tensor's; a value in an attribute says its type itself."""


@cache
def operation_snippet(card: Card, name: str) -> str:
    """The text of an operation, written under this name, its results left out."""
    return numbered(_pretty(card, name) or generic_form(card))


@cache
def generic_snippet(card: Card) -> str:
    """The generic form of an operation."""
    return numbered(generic_form(card))


def attribute_snippet(card: Card, spec: AttributeSpec) -> str:
    """`name = value` for an attribute dictionary."""
    return numbered(_entry(card, spec))


def attribute_text(card: Card, spec: AttributeSpec) -> str:
    """`name = value` with what the holes hold at first."""
    return HOLE.sub(lambda match: match[1].partition("|")[0], _entry(card, spec))


def numbered(text: str, first: int = 1) -> str:
    """A text with its holes numbered."""
    count = first - 1

    def hole(match: re.Match[str]) -> str:
        nonlocal count
        count += 1
        words = match[1].split("|")
        if len(words) > 1:
            return f"${{{count}|{','.join(words)}|}}"
        default = SPECIAL.sub(r"\\\g<0>", match[1])
        return f"${{{count}:{default}}}" if default else f"${count}"

    return HOLE.sub(hole, text)


def generic_form(card: Card) -> str:
    """An operation's generic form with holes."""
    operands = ", ".join(f"%«{spec.name}»" for spec in _wanted(card.operands))
    entries = ", ".join(_entry(card, spec) for spec in card.attributes if spec.required)
    properties = f" <{{{entries}}}>" if entries else ""
    regions = ", ".join("{\n  «»\n}" for _ in card.regions)
    inside = f" ({regions})" if regions else ""
    return f'"{card.name}"({operands}){properties}{inside} : {_function_type(card)}'


def _function_type(card: Card) -> str:
    inputs = ", ".join(TENSOR for _ in _wanted(card.operands))
    results = [TENSOR for _ in _wanted(card.results)]
    given = results[0] if len(results) == 1 else f"({', '.join(results)})"
    return f"({inputs}) -> {given}"


def _wanted(specs: tuple[OperandSpec, ...]) -> list[OperandSpec]:
    return [spec for spec in specs if spec.arity != "optional"]


def _entry(card: Card, spec: AttributeSpec) -> str:
    return spec.name if spec.kind == "unit" else f"{spec.name} = {_value(card, spec)}"


def _value(card: Card, spec: AttributeSpec) -> str:
    words = words_of(card, spec.kind)
    family, _, mnemonic = spec.kind.partition(":")
    if family == "enum":
        return f"#{card.dialect}<{mnemonic} «{'|'.join(words)}»>"
    if family == "struct":
        return f"#{card.dialect}.{mnemonic}{STRUCTS.get(mnemonic, '<«»>')}"
    if family in ("enum_i32", "enum_i64"):
        return f"«0» : {family.removeprefix('enum_')}"
    return f"«{'|'.join(words)}»" if words else BY_KIND.get(spec.kind) or BY_NAME.get(spec.name, "«0»")


def _shown(card: Card, spec: AttributeSpec) -> str:
    words = words_of(card, spec.kind)
    family, _, mnemonic = spec.kind.partition(":")
    if family == "struct":
        return STRUCTS.get(mnemonic, "<«»>")
    return f"«{'|'.join(words)}»" if words else SHOWN_BY_KIND.get(spec.kind, "«0»")


def _pretty(card: Card, name: str) -> str | None:
    """The operation in its pretty form, None where that has a part that only a generic form shows."""
    form = format_of(card)
    if form is None:
        return None
    missing = [spec for spec in card.attributes if spec.required and spec.name not in form.shown]
    pieces = [name]
    for item in form.items:
        texts = list(_texts(card, item, missing))
        if None in texts:
            return None
        pieces += [text for text in texts if text]
    return _joined(pieces)


def _texts(card: Card, item: Item, missing: list[AttributeSpec]) -> Iterator[str | None]:
    match item:
        case Literal(text):
            yield text
        case OperandItem(name, arity):
            yield "" if arity == "optional" else f"%«{name}»"
        case AttributeItem(spec):
            yield _shown(card, spec)
        case AllOperands():
            yield ", ".join(f"%«{spec.name}»" for spec in _wanted(card.operands))
        case AttrDict(keyword):
            entries = ", ".join(_entry(card, spec) for spec in missing)
            yield f"{'attributes ' if keyword else ''}{{{entries}}}" if entries else ""
        case TypeItem(kind):
            yield _function_type(card) if kind == "function" else TYPES.get(kind, _types(card, kind))
        case OptionalGroup(items):
            yield from _group(card, items, missing)
        case Custom(name):
            yield CUSTOM.get(name)
        case _:
            yield "{\n  «»\n}"


def _group(card: Card, items: tuple[Item, ...], missing: list[AttributeSpec]) -> Iterator[str | None]:
    """A group that may be left out is shown where it holds operands or their types."""
    if any(isinstance(item, OperandItem | AllOperands | TypeItem) for item in items):
        for item in items:
            yield from _texts(card, item, missing)


def _types(card: Card, kind: str) -> str:
    specs = card.operands if kind == "operands" else card.results if kind == "results" else ()
    return ", ".join(TENSOR for _ in specs) or TENSOR


def _joined(pieces: list[str]) -> str:
    """Pieces with blanks between them, but for those around punctuation."""
    text = pieces[0]
    for before, piece in pairwise(pieces):
        glued = piece[0] in ",)]>" or before[-1] in "([<" or (piece[0] == "(" and before[-1] != ":")
        text += piece if glued else f" {piece}"
    return text
