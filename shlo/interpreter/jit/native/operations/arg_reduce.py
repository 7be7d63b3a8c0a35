"""Reductions of values with their indices, as JAX's argmax and argmin are: what NumPy's choose."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.interpreter.jit.native.lines import Lines
from shlo.interpreter.jit.native.numbers import Number
from shlo.interpreter.jit.native.values import Memory, NativeValue, Scalar, load, store
from shlo.interpreter.kernel_api import Body, OpView
from shlo.interpreter.kernels.numeric import Kind
from shlo.interpreter.kernels.reduction.arg_reduce import is_largest, rising_row
from shlo.interpreter.kernels.shapes import row_major_strides
from shlo.interpreter.runtime.tiers import Unsupported
from shlo.ir.attributes import EnumAttr
from shlo.ir.dtypes import Array


def chosen_axis(op: OpView, places: Array | None) -> tuple[int, bool]:
    """Returns the dimension along which an operation reduces values with their indices, a constant that rises
    along it, and whether to the largest. Raises Unsupported for any other operation."""
    if op.name != "stablehlo.reduce" or len(op.result_types) != 2 or places is None:
        raise Unsupported(op.name)
    largest, dimensions = is_largest(op.bodies[0]), op.integers("dimensions")
    is_promoting = any(op.tensor_type(i).element_type != op.result_type(i).element_type for i in range(2))
    if largest is None or len(dimensions) != 1 or is_promoting or _by_total_order(op.bodies[0]):
        raise Unsupported(op.name)
    if not places.size or rising_row(places, dimensions[0]) is None:
        raise Unsupported("indices that do not rise")
    return dimensions[0], largest


def _by_total_order(body: Body) -> bool:
    types = [operation.attribute("compare_type") for operation in body.block.operations]
    return any(isinstance(type_, EnumAttr) and type_.value == "TOTALORDER" for type_ in types)


def write_arg_reduce(
    lines: Lines,
    axis: int,
    largest: bool,
    operands: Sequence[NativeValue],
    targets: Sequence[Memory | Scalar],
) -> None:
    """Writes the reduction of a dimension of values and indices; `targets` are those of the results."""
    values, places, initial, initial_place = operands
    number, place = values.number, places.number
    if Kind.BOOLEAN in (number.kind, place.kind) or place.kind is Kind.FLOAT:
        raise Unsupported("reduce")
    wins = _order(number, "gt" if largest else "lt")
    own = row_major_strides(values.shape, 1)
    kept = [stride for dimension, stride in enumerate(own) if dimension != axis]
    best, at = lines.variable(number.llvm), lines.variable("i64")

    def body(indices: list[str]) -> None:
        first = lines.affine("0", indices, kept)
        lines.line(f"store {number.llvm} {load(lines, values, first)}, ptr {best}")
        lines.line(f"store i64 {first}, ptr {at}")

        def choose(inner: list[str]) -> None:
            index = lines.affine(first, inner, [own[axis]])
            element, known = load(lines, values, index), lines.value(f"load {number.llvm}, ptr {best}")
            is_better = lines.value(f"{wins} {number.llvm} {element}, {known}")
            if number.kind is Kind.FLOAT:  # the first NaN stays
                is_nan = lines.value(f"fcmp uno {number.llvm} {element}, {element}")
                is_first = lines.value(f"fcmp ord {number.llvm} {known}, {known}")
                is_first_nan = lines.value(f"and i1 {is_nan}, {is_first}")
                is_better = lines.value(f"or i1 {is_better}, {is_first_nan}")
            before = lines.value(f"load i64, ptr {at}")
            chosen = f"{number.llvm} {element}, {number.llvm} {known}"
            chosen = lines.value(f"select i1 {is_better}, {chosen}")
            index = lines.value(f"select i1 {is_better}, i64 {index}, i64 {before}")
            lines.line(f"store {number.llvm} {chosen}, ptr {best}")
            lines.line(f"store i64 {index}, ptr {at}")

        lines.each([values.shape[axis]], choose)
        element = lines.value(f"load {number.llvm}, ptr {best}")
        index = load(lines, places, lines.value(f"load i64, ptr {at}"))
        _with_initial(
            lines, wins, (initial, initial_place), (number, element), (place, index), targets, indices
        )

    lines.each(targets[0].shape, body)


def _with_initial(
    lines: Lines,
    wins: str,
    initial: tuple[NativeValue, NativeValue],
    best: tuple[Number, str],
    place: tuple[Number, str],
    targets: Sequence[Memory | Scalar],
    indices: list[str],
) -> None:
    """Writes the choice between the initial value and the best one, as the region makes it, and stores it."""
    (number, element), (place_number, index) = best, place
    value, value_place = (load(lines, each, "0") for each in initial)
    is_kept = lines.value(f"{wins} {number.llvm} {value}, {element}")
    equal = "fcmp oeq" if number.kind is Kind.FLOAT else "icmp eq"
    if number.kind is Kind.FLOAT:
        is_nan = lines.value(f"fcmp uno {number.llvm} {value}, {value}")
        is_kept = lines.value(f"or i1 {is_kept}, {is_nan}")
    is_equal = lines.value(f"{equal} {number.llvm} {value}, {element}")
    is_before = lines.value(f"{_order(place_number, 'lt')} {place_number.llvm} {value_place}, {index}")
    is_tie = lines.value(f"and i1 {is_equal}, {is_before}")
    is_place_kept = lines.value(f"or i1 {is_kept}, {is_tie}")
    chosen = lines.value(f"select i1 {is_kept}, {number.llvm} {value}, {number.llvm} {element}")
    type_ = place_number.llvm
    chosen_place = lines.value(f"select i1 {is_place_kept}, {type_} {value_place}, {type_} {index}")
    for target, text in zip(targets, (chosen, chosen_place)):
        store(lines, target, lines.affine("0", indices, row_major_strides(target.shape, 1)), text)


def _order(number: Number, direction: str) -> str:
    """Returns the comparison of numbers of a type, false for NaN."""
    if number.kind is Kind.FLOAT:
        return f"fcmp o{direction}"
    return f"icmp {'s' if number.kind is Kind.SIGNED else 'u'}{direction}"
