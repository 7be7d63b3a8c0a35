"""How attributes are written in an attribute dictionary, with a value to go on from.

What a person fills in stands in «», several choices with bars between them; the language service makes holes
of these.
"""

from __future__ import annotations

import re

from shlo.dialects import find_dialect
from shlo.dialects.opdef import AttributeDef, OpDef

HOLE = re.compile("«([^»]*)»")

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


def attribute_text(op_def: OpDef, spec: AttributeDef) -> str:
    """`name = value` with what the holes hold at first."""
    return HOLE.sub(lambda match: match[1].partition("|")[0], entry(op_def, spec))


def entry(op_def: OpDef, spec: AttributeDef) -> str:
    """`name = value` with its holes."""
    return spec.name if spec.kind == "unit" else f"{spec.name} = {_value(op_def, spec)}"


def _value(op_def: OpDef, spec: AttributeDef) -> str:
    words = words_of(op_def, spec.kind)
    family, _, mnemonic = spec.kind.partition(":")
    if family == "enum":
        return f"#{op_def.dialect}<{mnemonic} «{'|'.join(words)}»>"
    if family == "struct":
        return f"#{op_def.dialect}.{mnemonic}{STRUCTS.get(mnemonic, '<«»>')}"
    if family in ("enum_i32", "enum_i64"):
        return f"«0» : {family.removeprefix('enum_')}"
    return f"«{'|'.join(words)}»" if words else BY_KIND.get(spec.kind) or BY_NAME.get(spec.name, "«0»")


def words_of(op_def: OpDef, kind: str) -> tuple[str, ...]:
    """The words that an attribute of this kind can be: those of an enumeration, or of a truth value."""
    if kind == "bool":
        return ("true", "false")
    family, _, mnemonic = kind.partition(":")
    dialect = find_dialect(op_def.dialect)
    if not family.startswith(("enum", "flags")) or dialect is None:
        return ()
    enum = dialect.enums.get(mnemonic)
    return enum.words if enum else ()
