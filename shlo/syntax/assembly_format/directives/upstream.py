"""Forms of the dialects beside StableHLO: jumps, counted loops, constant shapes."""

from __future__ import annotations

import numpy as np

from shlo.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr, UnitAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import Operation, Region
from shlo.ir.types import I1, I32, INDEX, RankedTensorType, Type
from shlo.syntax.assembly_format.directives.registry import Directive, Directives
from shlo.syntax.assembly_format.parse_state import FormReading
from shlo.syntax.assembly_format.print_state import ArgumentPiece, FormWriting, RegionPiece, SuccessorPiece
from shlo.syntax.parser.attributes import parse_attribute
from shlo.syntax.parser.operation_reader import EntryArgument, SuccessorUse, ValueUse

# -- jumps ---------------------------------------------------------------------------------------------------


def _read_successor(reading: FormReading, operands: str) -> list[Type]:
    """`^label(%a, ... : T, ...)`: the values that the block is given are operands."""
    successor = reading.reader.successor()
    reading.operands[operands] = list(successor.operands)
    reading.successors.append(SuccessorUse(successor.label, successor.span))
    return list(successor.operand_types)


def _read_branch(reading: FormReading) -> None:
    start = reading.reader.pos
    reading.set_types(_read_successor(reading, "destOperands"), (), start)


def _read_branches(reading: FormReading) -> None:
    """`^label(...), ^label(...)` behind the condition."""
    start = reading.reader.pos
    types = _read_successor(reading, "trueDestOperands")
    count = len(types)
    reading.reader.expect(",")
    types += _read_successor(reading, "falseDestOperands")
    reading.set_types((I1, *types), (), start)
    reading.attributes["operandSegmentSizes"] = DenseArrayAttr(I32, (1, count, len(types) - count))


def _write_branch(writing: FormWriting) -> None:
    _write_successor(writing, 0, "destOperands")


def _write_branches(writing: FormWriting) -> None:
    _write_successor(writing, 0, "trueDestOperands")
    writing.text(", ")
    _write_successor(writing, 1, "falseDestOperands")


def _write_successor(writing: FormWriting, index: int, operands: str) -> None:
    writing.piece(SuccessorPiece(index))
    numbers = writing.operand_groups()[operands]
    if numbers:
        writing.text("(")
        writing.operands(numbers)
        writing.text(" : ")
        writing.types([writing.signature.operand_types[number] for number in numbers])
        writing.text(")")


# -- scf.for -------------------------------------------------------------------------------------------------

YIELD = "scf.yield"
BOUNDS = ("lowerBound", "upperBound", "step")


def _read_for(reading: FormReading) -> None:
    """`unsigned %i = %from to %to step %step iter_args(%a = %x, ...) -> (T, ...) : type {region} {...}`."""
    reader = reading.reader
    if reader.accept("unsigned"):
        reading.attributes["unsignedCmp"] = UnitAttr()
    counter = reader.operand()
    for name, word in zip(BOUNDS, ("=", "to", "step"), strict=True):
        reader.expect(word)
        reading.operands[name] = [reader.operand()]
    pairs: list[tuple[ValueUse, ValueUse]] = []
    results: list[Type] = []
    if reader.accept("iter_args"):
        reader.expect("(")
        pairs = reader.comma_list(lambda: read_pair(reading), ")")
        reader.expect("->", "before the types of what the loop hands on")
        results = reading.types_in_parentheses() if reader.at("(") else [reading.type()]
    reading.operands["initArgs"] = [initial for _, initial in pairs]
    number = reading.type() if reader.accept(":") else INDEX
    start = reader.skip()
    reading.set_types((number, number, number, *results), results, start)
    arguments = [EntryArgument(counter, number)]
    arguments += [EntryArgument(use, type_) for (use, _), type_ in zip(pairs, results, strict=True)]
    region = reader.region(arguments)
    reading.regions[0] = region if pairs else with_yield(reading, region)
    reading.attribute_dict()


def read_pair(reading: FormReading) -> tuple[ValueUse, ValueUse]:
    argument = reading.reader.operand()
    reading.reader.expect("=", "after the name of a value that the loop hands on")
    return argument, reading.reader.operand()


def with_yield(reading: FormReading, region: Region) -> Region:
    """The region with the operation at its end that its text may leave out."""
    block = region.blocks[-1]
    if not block.operations or block.operations[-1].name != YIELD:
        block.operations.append(Operation(reading.reader.signature(YIELD, (), ())))
    return region


def _write_for(writing: FormWriting) -> None:
    writing.text("unsigned " if "unsignedCmp" in writing.signature.properties else "")
    writing.piece(ArgumentPiece(0, 0))
    for index, word in enumerate((" = ", " to ", " step ")):
        writing.text(word)
        writing.piece(index)
    results = writing.signature.result_types
    if results:
        _write_iteration(writing, len(results))
    if writing.signature.operand_types[0] != INDEX:
        writing.text("  : ")
        writing.types(writing.signature.operand_types[:1])
    writing.text(" ")
    writing.piece(RegionPiece(0, arguments=False, terminator=bool(results)))
    writing.attribute_dict()


def _write_iteration(writing: FormWriting, count: int) -> None:
    writing.text(" iter_args(")
    for index in range(count):
        if index:
            writing.text(", ")
        writing.piece(ArgumentPiece(0, index + 1))
        writing.text(" = ")
        writing.piece(index + 3)
    writing.text(") -> (")
    writing.types(writing.signature.result_types)
    writing.text(")")


# -- shape.const_shape ---------------------------------------------------------------------------------------


def _read_const_shape(reading: FormReading) -> None:
    """`{...} [4, 32] : T`."""
    reading.attribute_dict()
    start = reading.reader.skip()
    sizes = parse_attribute(reading.reader)
    if not isinstance(sizes, ArrayAttr):
        reading.reader.fail("expected the sizes of a shape '[...]'")
    reading.set_attribute("shape", _elements(sizes), start)
    reading.reader.expect(":")
    start = reading.reader.skip()
    reading.set_types((), (reading.type(),), start)


def _elements(sizes: ArrayAttr) -> Attribute:
    values = [size.value if isinstance(size, IntegerAttr) else 0 for size in sizes]
    return DenseElementsAttr(RankedTensorType((len(values),), INDEX), np.array(values, np.int64))


def _write_const_shape(writing: FormWriting) -> None:
    shape = writing.signature.properties.get("shape")
    values = shape.array.ravel().tolist() if isinstance(shape, DenseElementsAttr) else []
    writing.text(" ")
    writing.attribute_dict()
    writing.text(f"{values} : ")
    writing.types(writing.signature.result_types)


DIRECTIVES: Directives = {
    "branch": Directive(_read_branch, _write_branch),
    "branches": Directive(_read_branches, _write_branches, ("operandSegmentSizes",)),
    "for": Directive(_read_for, _write_for, ("unsignedCmp",)),
    "const_shape": Directive(_read_const_shape, _write_const_shape, ("shape",), blank=False),
}
