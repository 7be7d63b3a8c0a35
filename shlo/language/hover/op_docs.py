"""What to tell about an operation: its definition in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shlo.dialects import find_dialect, find_op_def
from shlo.dialects.attr_constraints import ArrayOf, AttrConstraint, AttrDef, EnumDef, StructOf
from shlo.dialects.opdef import Arity, AttributeDef, OpDef, OperandDef
from shlo.language.hover.markdown import code

MANY: dict[Arity, str] = {"one": "", "optional": " (optional)", "variadic": " (any number)"}

EXAMPLE = re.compile(r" \(`[^`]*`\)\Z")
"""The example at the end of a constraint's description."""


def op_def_named(name: str, default_dialect: str = "func") -> OpDef | None:
    """Returns the definition of an operation by its name with or without the dialect."""
    if "." in name:
        return find_op_def(name)
    return find_op_def(f"{default_dialect}.{name}") or find_op_def(f"builtin.{name}")


def op_def_text(op_def: OpDef) -> str:
    """Returns a definition in Markdown: summary, operands, attributes, results, form, section."""
    return "\n".join([op_def_title(op_def), *op_def_sections(op_def)])


def op_def_title(op_def: OpDef) -> str:
    """Returns the line of Markdown that a definition begins with."""
    return f"**{op_def.name}** {op_def.summary}"


def op_def_sections(op_def: OpDef) -> Iterator[str]:
    """Yields what follows on a definition's first line, in Markdown."""
    for title, lines in (
        ("Operands", [operand_line(spec) for spec in op_def.operands]),
        ("Attributes", [attribute_line(spec) for spec in op_def.attributes]),
        ("Results", [operand_line(spec) for spec in op_def.results]),
    ):
        if lines:
            yield f"\n{title}\n" + "\n".join(f"- {line}" for line in lines)
    if op_def.format is None or "custom(" not in op_def.format:
        yield f"\nForm: {code(op_def.format or 'generic only')}"
    url = op_def.url
    if url:
        yield f"\n[Specification: {op_def.section}]({url})"


def operand_line(spec: OperandDef) -> str:
    """Returns an operand's name, its types and how many there may be, in Markdown."""
    return f"{code(spec.name)}: {spec.constraint}{MANY[spec.arity]}"


def attribute_line(spec: AttributeDef) -> str:
    """Returns an attribute's name, its constraint or the words that it can be, and its default."""
    constraint = " or ".join(words_of(spec.constraint)) or constraint_text(spec.constraint)
    if spec.default is not None:
        return f"{code(spec.name)}: {constraint}; {code(spec.default)} where it is absent"
    return f"{code(spec.name)}: {constraint}{' (optional)' if spec.optional else ''}"


def constraint_text(constraint: AttrConstraint) -> str:
    """Returns what an attribute may be, in plain words."""
    enum = constraint.uses
    if isinstance(constraint, StructOf):
        return f"{constraint.attr_def.mnemonic.replace('_', ' ')} ({code(f'#{constraint.attr_def.name}')})"
    if isinstance(constraint, ArrayOf) and isinstance(enum, EnumDef):
        return f"an array of words of {enum.name}"
    return EXAMPLE.sub("", constraint.description)


def words_of(constraint: AttrConstraint) -> tuple[str, ...]:
    """Returns the words that an attribute, or each item of an array, can be; none for other attributes."""
    if constraint.words:
        return constraint.words
    return constraint.uses.words if isinstance(constraint.uses, EnumDef) else ()


def struct_named(name: str) -> AttrDef | None:
    """Returns the definition of the struct attribute `#dialect.mnemonic`."""
    namespace, _, mnemonic = name.removeprefix("#").partition(".")
    dialect = find_dialect(namespace)
    return dialect.structs.get(mnemonic) if dialect else None


def parameters_of(struct: AttrDef | None) -> tuple[AttributeDef, ...]:
    """Returns the parameters of a struct attribute as attributes of an operation are defined."""
    return tuple(
        AttributeDef(
            parameter.name, parameter.constraint, parameter.optional or parameter.default is not None
        )
        for parameter in (struct.parameters if struct else ())
    )
