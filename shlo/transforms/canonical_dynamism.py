"""Operations whose sizes are operands as the operations of fixed sizes that they are where these are
constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shlo.dialects.stablehlo.dialect import DIALECT
from shlo.interpreter.program.sync_points import call_target
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module, Operation
from shlo.ir.types import I64, RankedTensorType, Type
from shlo.transforms.refinement.static_forms import (
    ASSERTION,
    SHAPE_OPERANDS,
    assertion_message,
    form_with_values,
    without_shape_operands,
)
from shlo.transforms.rewriting.builder import ValueRef, int64s
from shlo.transforms.rewriting.dead_code import without_dead_code
from shlo.transforms.rewriting.driver import Rewriter, Rule, rewrite
from shlo.transforms.rewriting.matching import constant_integers, is_static, splat_number
from shlo.transforms.rewriting.shapes import element
from shlo.transforms.rewriting.small_values import constant_value

_STATIC_FORMS: Final = {
    name: (op_def, op_def.static_form)
    for name, op_def in DIALECT.op_defs.items()
    if op_def.static_form is not None
}
_RESULT_DECIDES: Final = {
    name: len(op_def.operands) - 1 for name, (op_def, form) in _STATIC_FORMS.items() if not form.attributes
}
"""The operations whose result type tells what an operand, the one of this number, tells."""


def canonicalize_dynamism(module: Module) -> Module:
    """Returns the module with static operations in place of dynamic ones whose sizes are constants.

    Raises PassError, with its place, for a custom call whose `indices_of_shape_operands` does not fit it.
    """
    built = rewrite(module, RULES)
    return built if built is module else without_dead_code(built)


def _constants(rewriter: Rewriter, operation: Operation) -> dict[int, Array]:
    """Returns the values of the operands that small constants define."""
    constants: dict[int, Array] = {}
    for value in rewriter.refs(operation.operands):
        source = rewriter.defining(value)
        array = constant_value(source) if source else None
        if array is not None:
            constants[value.number] = array
    return constants


def _with_values(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the static form, where its sizes are constants and, if they are left out, the types tell
    them."""
    values = _constants(rewriter, operation)
    number = _RESULT_DECIDES.get(operation.name)
    if number is not None:
        types = (*operation.operand_types[: number and 1], *operation.result_types)
        reshapes = _STATIC_FORMS[operation.name][1].name == "stablehlo.reshape"
        is_constant = operation.operands[number] in values
        if not is_constant or not all(map(is_static, types[-1:] if reshapes else types)):
            return None
    form = form_with_values(operation, values)
    return None if form is None else _replaced(rewriter, form)


def _replaced(rewriter: Rewriter, form: Operation) -> Sequence[ValueRef]:
    signature = form.signature
    return rewriter.create(
        form.name,
        rewriter.refs(form.operands),
        signature.result_types,
        signature.properties,
        form.regions,
        signature.attributes,
    )


def _slice(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a slice, or a dynamic_slice where the limits are the starts and a constant, and the steps are
    one.
    """
    built = _with_values(rewriter, operation)
    if built is not None:
        return built
    value, starts, limits, strides = rewriter.refs(operation.operands)
    steps = _constants(rewriter, operation).get(strides.number)
    sizes = _added(rewriter, limits, starts)
    if sizes is None or steps is None or any(step != 1 for step in steps.tolist()):
        return None
    scalars = [element(starts, (index,)) for index in range(len(sizes))]
    properties = {"slice_sizes": int64s(sizes)}
    return rewriter.create(
        "stablehlo.dynamic_slice",
        (value, *scalars),
        operation.result_types,
        properties,
        attributes=operation.signature.attributes,
    )


def _added(rewriter: Rewriter, total: ValueRef, value: ValueRef) -> list[int] | None:
    """Returns what constant a value is added to in a sum."""
    source = rewriter.defining(total)
    if source is None or source.name != "stablehlo.add" or value.number not in source.operands:
        return None
    constants = _constants(rewriter, source)
    others = [operand for operand in source.operands if operand != value.number]
    if len(others) != 1 or others[0] not in constants:
        return None
    return constants[others[0]].ravel().tolist()


def _custom_call(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the call without the operands that are the shapes of its results."""
    indices = operation.attribute(SHAPE_OPERANDS)
    if not isinstance(indices, DenseElementsAttr):
        return None
    _check_indices(rewriter, operation, indices)
    values = _constants(rewriter, operation)
    numbers: list[int] = indices.array.tolist()
    shapes = [values.get(operation.operands[number]) for number in numbers]
    if any(shape is None for shape in shapes):
        return None
    for number, (shape, type_) in enumerate(zip(shapes, operation.result_types)):
        if shape is not None and not _fits(shape, type_):
            raise rewriter.error(
                f"expected result {number} of shape {shape.ravel().tolist()}, got {type_}", operation
            )
    if not all(map(is_static, operation.result_types)):
        return None
    built = without_shape_operands(operation)
    return None if built is operation else _replaced(rewriter, built)


def _check_indices(rewriter: Rewriter, operation: Operation, indices: DenseElementsAttr) -> None:
    type_, count = indices.type, len(operation.operands)
    if len(type_.shape) != 1 or type_.element_type != I64:
        raise rewriter.error(f"expected {SHAPE_OPERANDS} to be a list of i64, got {type_}", operation)
    if type_.shape[0] != len(operation.results):
        raise rewriter.error(
            f"expected {SHAPE_OPERANDS} for {len(operation.results)} results, got {type_.shape[0]}", operation
        )
    for index in indices.array.tolist():
        if not 0 <= index < count:
            raise rewriter.error(f"expected {SHAPE_OPERANDS} from 0 to {count - 1}, got {index}", operation)


def _fits(shape: Array, type_: Type) -> bool:
    """Returns whether a type may have a shape."""
    if not isinstance(type_, RankedTensorType):
        return True
    sizes = shape.ravel().tolist()
    return len(sizes) == type_.rank and all(
        declared is None or declared == size for declared, size in zip(type_.shape, sizes)
    )


RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(_STATIC_FORMS, _with_values),
    "stablehlo.custom_call": _custom_call,
    "stablehlo.real_dynamic_slice": _slice,
}


# --- assertions about sizes ---------------------------------------------------------------------------------


def check_shape_assertions(module: Module, *, enable_errors: bool = True) -> Module:
    """Returns the module without `stablehlo.custom_call @shape_assertion`.

    Args:
        module: the module to check.
        enable_errors: whether an assertion that does not hold is an error; otherwise all go unchecked.

    Raises PassError, with its place and the assertion's message, for one that does not hold, and for one that
    no constant decides.
    """

    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        if call_target(operation) != ASSERTION:
            return None
        if enable_errors:
            _check(rewriter, operation)
        return []

    return rewrite(module, {"stablehlo.custom_call": rule})


def _check(rewriter: Rewriter, operation: Operation) -> None:
    values = rewriter.refs(operation.operands)
    holds = splat_number(rewriter, values[0]) if values else None
    if holds is None:
        raise rewriter.error("expected a constant as the first operand of a shape assertion", operation)
    if holds:
        return
    sizes = [constant_integers(rewriter, value) for value in values[1:]]
    raise rewriter.error(
        assertion_message(operation, [size[0] if size else None for size in sizes]), operation
    )
