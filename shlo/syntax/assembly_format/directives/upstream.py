"""Forms of the dialects beside StableHLO: jumps, counted loops, constant shapes, reshapes."""

from __future__ import annotations

import numpy as np

from shlo.dialects.upstream.tensor_rules import DYNAMIC
from shlo.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr, UnitAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import Operation, Region, Signature
from shlo.ir.types import I1, I32, I64, INDEX, RankedTensorType, Type
from shlo.syntax.assembly_format.directives.registry import Directive, Directives
from shlo.syntax.assembly_format.parse_state import EntryArgument, ParseState, SuccessorUse
from shlo.syntax.assembly_format.print_state import ArgumentPiece, PrintState, RegionPiece, SuccessorPiece
from shlo.syntax.attributes.parse import parse_attribute
from shlo.syntax.lexer.cursor import ValueUse

# -- jumps ---------------------------------------------------------------------------------------------------


def _parse_successor(state: ParseState, operands: str) -> list[Type]:
    """`^label(%a, ... : T, ...)`: the values that the block is given are operands."""
    successor = state.parser.successor()
    state.operands[operands] = list(successor.operands)
    state.successors.append(SuccessorUse(successor.label, successor.span))
    return list(successor.operand_types)


def _parse_branch(state: ParseState) -> None:
    start = state.cursor.pos
    state.set_types(_parse_successor(state, "destOperands"), (), start)


def _parse_branches(state: ParseState) -> None:
    """`^label(...), ^label(...)` behind the condition."""
    start = state.cursor.pos
    types = _parse_successor(state, "trueDestOperands")
    count = len(types)
    state.cursor.expect(",")
    types += _parse_successor(state, "falseDestOperands")
    state.set_types((I1, *types), (), start)
    state.attributes["operandSegmentSizes"] = DenseArrayAttr(I32, (1, count, len(types) - count))


def _print_branches(state: PrintState) -> None:
    _print_successor(state, 0, "trueDestOperands")
    state.add(", ")
    _print_successor(state, 1, "falseDestOperands")


def _print_successor(state: PrintState, index: int, operands: str) -> None:
    state.add(SuccessorPiece(index))
    numbers = state.operand_groups()[operands]
    if numbers:
        types = state.types([state.signature.operand_types[number] for number in numbers])
        state.add("(", *state.operands(numbers), " : ", types, ")")


# -- scf.for -------------------------------------------------------------------------------------------------

YIELD = "scf.yield"
BOUNDS = ("lowerBound", "upperBound", "step")


def _parse_for(state: ParseState) -> None:
    """`unsigned %i = %from to %to step %step iter_args(%a = %x, ...) -> (T, ...) : type {region} {...}`."""
    cursor = state.cursor
    if cursor.accept("unsigned"):
        state.attributes["unsignedCmp"] = UnitAttr()
    counter = cursor.operand()
    for name, word in zip(BOUNDS, ("=", "to", "step"), strict=True):
        cursor.expect(word)
        state.operands[name] = [cursor.operand()]
    pairs: list[tuple[ValueUse, ValueUse]] = []
    results: list[Type] = []
    if cursor.accept("iter_args"):
        cursor.expect("(")
        pairs = cursor.comma_list(state.initialised_argument, ")")
        cursor.expect("->", "before the types of what the loop hands on")
        results = state.types_in_parentheses() if cursor.at("(") else [state.type()]
    state.operands["initArgs"] = [initial for _, initial in pairs]
    number = state.type() if cursor.accept(":") else INDEX
    start = cursor.skip()
    state.set_types((number, number, number, *results), results, start)
    arguments = [EntryArgument(counter, number)]
    arguments += [EntryArgument(use, type_) for (use, _), type_ in zip(pairs, results, strict=True)]
    region = state.parser.region(arguments)
    state.regions[0] = region if pairs else with_yield(state, region)
    state.attribute_dict()


def with_yield(state: ParseState, region: Region) -> Region:
    """Returns the region with the operation at its end that its text may leave out."""
    block = region.blocks[-1]
    if not block.operations or block.operations[-1].name != YIELD:
        block.operations.append(Operation(Signature(YIELD, (), ())))
    return region


def _print_for(state: PrintState) -> None:
    results = state.signature.result_types
    state.add("unsigned " if "unsignedCmp" in state.signature.properties else "", ArgumentPiece(0, 0))
    state.add(" = ", 0, " to ", 1, " step ", 2)
    if results:
        pairs = state.initialised_arguments(len(results), argument=1, operand=3)
        state.add(" iter_args(", *pairs, ") -> (", state.types(results), ")")
    if state.signature.operand_types[0] != INDEX:
        state.add("  : ", state.types(state.signature.operand_types[:1]))
    state.add(" ", RegionPiece(0, arguments=False, terminator=bool(results)), state.attribute_dict())


# -- shape.const_shape ---------------------------------------------------------------------------------------


def _parse_const_shape(state: ParseState) -> None:
    """`{...} [4, 32] : T`."""
    state.attribute_dict()
    start = state.cursor.skip()
    sizes = parse_attribute(state.cursor)
    if not isinstance(sizes, ArrayAttr):
        state.cursor.fail("expected the sizes of a shape '[...]'")
    state.set_attribute("shape", _elements(sizes), start)
    state.cursor.expect(":")
    start = state.cursor.skip()
    state.set_types((), (state.type(),), start)


def _elements(sizes: ArrayAttr) -> Attribute:
    values = [size.value if isinstance(size, IntegerAttr) else 0 for size in sizes]
    return DenseElementsAttr(RankedTensorType((len(values),), INDEX), np.array(values, np.int64))


def _print_const_shape(state: PrintState) -> None:
    shape = state.signature.properties.get("shape")
    values = shape.array.ravel().tolist() if isinstance(shape, DenseElementsAttr) else []
    state.add(" ", state.attribute_dict(), f"{values} : ", state.types(state.signature.result_types))


# -- tensor.expand_shape -------------------------------------------------------------------------------------


def _parse_mixed_list(state: ParseState, operands: str, numbers: str) -> None:
    """`[%a, 3, ...]`: operands, and numbers beside them."""
    cursor = state.cursor
    cursor.expect("[")
    uses: list[ValueUse] = []

    def item() -> int:
        use = cursor.operand_or_none()
        if use is None:
            return cursor.expect_integer("a size or an operand")
        uses.append(use)
        return DYNAMIC

    values = cursor.comma_list(item, "]")
    state.operands[operands] = uses
    state.attributes[numbers] = DenseArrayAttr(I64, tuple(values))


def _print_mixed_list(state: PrintState, operands: str, numbers: str) -> None:
    """Writes what `_parse_mixed_list` reads."""
    indices = iter(state.operand_groups()[operands])
    state.add("[")
    for position, number in enumerate(state.integers(numbers)):
        index = next(indices, None) if number == DYNAMIC else None
        state.add(", " if position else "", str(number) if index is None else index)
    state.add("]")


def _parse_expand(state: ParseState) -> None:
    """`%x [[0, 1], ...] output_shape [%a, 3]`."""
    state.operands["src"] = [state.cursor.operand()]
    state.keep("reassociation", lambda: parse_attribute(state.cursor))
    state.cursor.expect("output_shape")
    _parse_mixed_list(state, "output_shape", "static_output_shape")


def _print_expand(state: PrintState) -> None:
    reassociation = state.signature.properties.get("reassociation")
    state.add(0, " ", "" if reassociation is None else state.attribute(reassociation), " output_shape ")
    _print_mixed_list(state, "output_shape", "static_output_shape")


DIRECTIVES: Directives = {
    "expand_shape": Directive(_parse_expand, _print_expand, ("reassociation", "static_output_shape")),
    "branch": Directive(_parse_branch, lambda state: _print_successor(state, 0, "destOperands")),
    "branches": Directive(_parse_branches, _print_branches, ("operandSegmentSizes",)),
    "for": Directive(_parse_for, _print_for, ("unsignedCmp",)),
    "const_shape": Directive(_parse_const_shape, _print_const_shape, ("shape",), blank=False),
}
