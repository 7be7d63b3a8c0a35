"""The forms of reduce: a short one where the region is one commutative operation, and one with the region."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.dialects import find_op_def
from shlo.ir.operations import Block, Operation, Region, Signature, ValueTable
from shlo.ir.source import Span
from shlo.ir.types import RankedTensorType, Type, UnrankedTensorType
from shlo.syntax.assembly_format.attributes import attribute_form_text, parse_attribute_form
from shlo.syntax.assembly_format.directives.registry import Directive, Directives, entry_argument_counts
from shlo.syntax.assembly_format.parse_state import EntryArgument, ParseState
from shlo.syntax.assembly_format.print_state import LineBreak, PrintState, RegionPiece
from shlo.syntax.lexer.cursor import Cursor, ValueUse

RETURN = "stablehlo.return"


def _parse_reduce(state: ParseState) -> None:
    """`(%x init: %i), ... applies stablehlo.add across dimensions = [0] {...} : (T, ...) -> T`, or without
    `applies` and with ` reducer(%a: T, %b: T) ... {...}` at the end."""
    cursor = state.cursor
    pairs = cursor.sequence(lambda: _parse_pair(cursor))
    state.operands["inputs"] = [value for value, _ in pairs]
    state.operands["init_values"] = [init for _, init in pairs]
    applied = _parse_applied(cursor) if cursor.accept("applies") else None
    cursor.expect("across")
    cursor.expect("dimensions")
    cursor.expect("=")
    state.keep("dimensions", lambda: parse_attribute_form(cursor, state.spec("dimensions")))
    state.attribute_dict()
    cursor.expect(":")
    state.set_function_type()
    if applied is not None:
        state.regions[0] = _short_region(state, applied)
        return
    cursor.expect("reducer")
    elements: list[EntryArgument] = []
    accumulators: list[EntryArgument] = []
    for _ in pairs:
        cursor.expect("(", "before a pair of the reducer's arguments")
        elements.append(state.argument())
        cursor.expect(",")
        accumulators.append(state.argument())
        cursor.expect(")")
    state.regions[0] = state.parser.region(elements + accumulators)


def _parse_pair(cursor: Cursor) -> tuple[ValueUse, ValueUse]:
    """`(%x init: %i)`."""
    cursor.expect("(")
    value = cursor.operand()
    cursor.expect("init")
    cursor.expect(":")
    init = cursor.operand()
    cursor.expect(")")
    return value, init


def _parse_applied(cursor: Cursor) -> str:
    cursor.expects("operation")
    start = cursor.skip()
    name = cursor.expect_identifier("the operation that the reduction applies")
    twin = cursor.context.twin(name)
    name = twin.name if twin else name
    if not is_short_form_operation(name):
        cursor.fail(f"'{name}' is no commutative operation of two operands", Span(start, cursor.pos))
    return name


def is_short_form_operation(name: str) -> bool:
    """Returns whether reduce's short form may name the operation: commutative, two operands, one result."""
    op_def = find_op_def(name)
    return (
        op_def is not None
        and op_def.dialect == "stablehlo"
        and op_def.has("commutative")
        and (len(op_def.operands), len(op_def.results)) == (2, 1)
    )


def _short_region(state: ParseState, name: str) -> Region:
    """Returns the region that the short form refers to; its values are its own."""
    scalar = scalar_of(state.operand_types or ())
    if scalar is None:
        state.cursor.fail("the first operand must be a tensor", Span(state.start, state.cursor.pos))
    scalar = state.cursor.context.intern(scalar)
    combine = Operation(Signature(name, (scalar, scalar), (scalar,)), (0, 1), (2,))
    leave = Operation(Signature(RETURN, (scalar,), ()), (2,))
    return Region((Block([combine, leave], (0, 1)),), ValueTable([scalar] * 3, [""] * 3))


def scalar_of(types: Sequence[Type]) -> Type | None:
    """Returns the 0-dimensional tensor type of the first type's elements."""
    first = types[0] if types else None
    if isinstance(first, (RankedTensorType, UnrankedTensorType)):
        return RankedTensorType((), first.element_type)
    return None


def _is_reduction(operation: Operation) -> bool:
    """Returns whether there is an initial value for each input, and the region takes a pair for each."""
    count = len(operation.operands)
    return count > 0 and count % 2 == 0 and entry_argument_counts(operation) == [count]


def _print_reduce(state: PrintState) -> None:
    count = len(state.operation.operands) // 2
    state.add(*state.separated(("(", i, " init: ", count + i, ")") for i in range(count)))
    applied = short_form_of(state.operation)
    if applied is not None:
        state.add(f" applies {applied}")
    dimensions, spec = state.signature.properties.get("dimensions"), state.op_def.attribute("dimensions")
    assert spec is not None
    shown = attribute_form_text(dimensions, spec) if dimensions is not None else "[]"
    state.add(f" across dimensions = {shown}", state.attribute_dict(), " : ", state.function_type())
    if applied is None:
        state.add(LineBreak(), " reducer")
        half = state.argument_count(0) // 2
        for index in range(half):
            pair = state.argument(0, index), state.argument(0, half + index)
            state.add("(" if index == 0 else " (", *state.separated(pair), ")")
        state.add("  ", RegionPiece(0, arguments=False))


def short_form_of(operation: Operation) -> str | None:
    """Returns the operation that the short form names, None where a reduction needs its region written.

    The region must be one commutative operation of its two arguments in order, on scalars of the first
    operand's element type, whose result it returns.
    """
    blocks = operation.regions[0].blocks if operation.regions else ()
    if len(blocks) != 1 or len(blocks[0].arguments) != 2 or len(blocks[0].operations) != 2:
        return None
    combine, leave = blocks[0].operations
    scalar = scalar_of(operation.operand_types)
    same_types = combine.operand_types == (scalar, scalar) and combine.result_types == (scalar,)
    forwards = combine.operands == blocks[0].arguments and leave.operands == combine.results
    if same_types and forwards and leave.name == RETURN and is_short_form_operation(combine.name):
        return combine.name
    return None


DIRECTIVES: Directives = {
    "reduce": Directive(
        _parse_reduce,
        _print_reduce,
        ("dimensions",),
        blank=False,
        fits=_is_reduction,
        words={"dimensions": "dimensions"},
    ),
}
