"""Writing the pretty form of an operation, driven by the items of its definition's format."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.dialects.attr_constraints import UNIT_ATTR
from shlo.dialects.opdef import AttributeDef, OpDef, OperandDef, RegionDef
from shlo.ir.operations import Operation, Signature
from shlo.syntax.assembly_format.attributes import attribute_form_text
from shlo.syntax.assembly_format.directives import TYPE_DIRECTIVES, custom_directive
from shlo.syntax.assembly_format.print_state import Piece, PrintState, RegionPiece
from shlo.syntax.assembly_format.spec import (
    AllOperands,
    AttrDict,
    AttributeItem,
    Custom,
    Format,
    Item,
    Literal,
    OperandItem,
    OptionalGroup,
    RegionItem,
    TypeItem,
)
from shlo.syntax.attributes.alias_table import TextCache


def has_pretty_form(operation: Operation, op_def: OpDef, format_: Format) -> bool:
    """Returns whether an operation has all parts of its definition, so that its pretty form can be read."""
    signature = operation.signature
    customs = [custom_directive(item.name) for item in format_.items if isinstance(item, Custom)]
    return (
        _fits(len(operation.operands), op_def.operands)
        and _fits(len(operation.results), op_def.results)
        and _fits(len(operation.regions), op_def.regions)
        and all(spec.name in signature.properties for spec in op_def.attributes if spec.required)
        and all(directive.fits(operation) for directive in customs)
    )


def _fits(count: int, specs: Sequence[OperandDef] | Sequence[RegionDef]) -> bool:
    """Returns whether so many operands, results or regions are as many as their specifications say."""
    ones = sum(spec.arity == "one" for spec in specs)
    return count == ones if ones == len(specs) else count >= ones


def pretty_pieces(operation: Operation, op_def: OpDef, format_: Format, text_cache: TextCache) -> list[Piece]:
    """Returns what follows an operation's name in its pretty form."""
    hidden = {
        spec.name for spec in op_def.attributes if _equals_default(operation.signature, spec, text_cache)
    }
    state = PrintState(operation, op_def, format_.shown, frozenset(hidden), text_cache)
    for item in format_.items:
        _print_item(state, item)
    return state.pieces


def _equals_default(signature: Signature, spec: AttributeDef, text_cache: TextCache) -> bool:
    """Returns whether pretty forms leave the attribute out because it is what its absence means."""
    if not spec.elided or spec.default is None:
        return False
    value = signature.properties.get(spec.name)
    return value is not None and text_cache.attribute(value) == spec.default


def _print_item(state: PrintState, item: Item) -> None:
    match item:
        case Literal(text):
            state.literal(text)
        case AttrDict(keyword):
            state.add(state.attribute_dict(keyword))
            state.punctuation = False
        case OptionalGroup(group):
            for inner in group if _is_present(state, group) else ():
                _print_item(state, inner)
        case TypeItem() | Custom():
            directive = (
                TYPE_DIRECTIVES[item.kind] if isinstance(item, TypeItem) else custom_directive(item.name)
            )
            if directive.blank:
                state.blank()
            directive.write(state)
            state.space, state.punctuation = True, False
        case OperandItem(name):
            state.blank()
            state.add(*state.operands(state.operand_groups()[name]))
        case AllOperands():
            state.blank()
            state.add(*state.operands(range(len(state.operation.operands))))
        case RegionItem(index):
            state.blank()
            state.add(RegionPiece(index))
        case AttributeItem(spec):
            if spec.constraint is not UNIT_ATTR:
                state.blank()
                attribute = state.signature.properties.get(spec.name)
                state.add("" if attribute is None else attribute_form_text(attribute, spec))


def _is_present(state: PrintState, items: tuple[Item, ...]) -> bool:
    """Returns whether a group is there: as its first attribute, operand list or region does."""
    for item in items:
        match item:
            case AttributeItem(spec):
                return spec.name in state.signature.properties and spec.name not in state.hidden
            case OperandItem(name):
                return len(state.operand_groups()[name]) > 0
            case RegionItem(index):
                return state.has_region(index)
            case TypeItem("operands"):
                return len(state.operation.operands) > 0
            case _:
                pass
    return True
