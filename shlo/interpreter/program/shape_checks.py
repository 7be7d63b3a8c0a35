"""The constraints that a program's types leave undecided, judged with the sizes and values of a run.

Specification: "Dynamism". A program all of whose sizes are known has none of them and pays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from shlo.dialects import find_op_def
from shlo.dialects.constraints import first_broken, operands_whose_values_count, undecided
from shlo.dialects.op_bindings import OpBindings
from shlo.dialects.opdef import Constraint, OpDef
from shlo.dialects.signature_findings import block_count_findings, first_error
from shlo.interpreter.kernel_api import Body, KernelError, KernelFn, OpView, Value
from shlo.interpreter.runtime.context import current_context
from shlo.interpreter.runtime.values import byte_size, is_static
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import Operation, Signature
from shlo.ir.types import FunctionType, RankedTensorType, Type, UnrankedTensorType

KEPT_SHAPES = 256
"""How many lists of shapes that fit an operation are remembered."""


def refuse_invalid(signature: Signature, regions: Sequence[FunctionType] = ()) -> None:
    """Raises KernelError where an operation with regions of these types breaks what its definition says: how
    many operands, results and regions it has, of which types, its attributes, and its constraints."""
    op_def = find_op_def(signature.name)
    error = first_error(op_def, signature, regions) if op_def is not None else None
    if error is not None:
        raise KernelError(f"{error.message} [{error.code}]")


def refuse_wrong_blocks(operation: Operation) -> None:
    """Raises KernelError where a region of an operation has more or fewer blocks than its definition says."""
    op_def = find_op_def(operation.name)
    if op_def is not None:
        for error in block_count_findings(op_def, [len(region.blocks) for region in operation.regions]):
            raise KernelError(f"{error.message} [{error.code}]")


def checked(op_view: OpView, evaluate: KernelFn, needs_context: bool) -> KernelFn:
    """Returns an operation's function, which judges first what its types leave undecided and raises
    KernelError with what does not hold; the function itself where they leave nothing open."""
    op_def = find_op_def(op_view.name)
    if op_def is None or not _is_open(op_def, op_view):
        return evaluate
    constraints = undecided(OpBindings(op_def, op_view.signature, region_types(op_view.bodies)))
    if not constraints:
        is_elementwise = op_def.has("elementwise") and len(op_view.operand_types) > 1
        return _of_one_shape(evaluate) if is_elementwise else evaluate
    check = _Check(op_def, op_view, constraints)
    first, count = int(needs_context), len(op_view.operand_types)

    def evaluate_checked(*values: Value) -> Value:
        size = check(values[first : first + count])
        current_context().budget.check(size)
        return evaluate(*values)

    return evaluate_checked


def _of_one_shape(evaluate: KernelFn) -> KernelFn:
    """Returns a function that refuses operands that NumPy would broadcast: constraints that are no formulas
    compare types alone."""

    def evaluate_checked(*values: Value) -> Value:
        shapes = list(map(np.shape, values))
        for shape in shapes:
            if shape != shapes[0]:
                raise KernelError(f"operands must have one shape, but there are {shapes[0]} and {shape}")
        return evaluate(*values)

    return evaluate_checked


def _is_open(op_def: OpDef, op_view: OpView) -> bool:
    types = (*op_view.operand_types, *op_view.result_types)
    return bool(operands_whose_values_count(op_def)) or not all(map(is_static, types))


def region_types(bodies: Sequence[Body]) -> tuple[FunctionType, ...]:
    """Returns regions as functions from their arguments to what they return."""
    return tuple(FunctionType(body.argument_types, body.result_types) for body in bodies)


class _Check:
    """Judges constraints, once for all operands of the same shapes (and of the same values, where values
    count)."""

    def __init__(self, op_def: OpDef, op_view: OpView, constraints: Sequence[Constraint]) -> None:
        self._op_def = op_def
        self._op_view = op_view
        self._constraints = constraints
        self._holds: dict[Any, int] = {}
        bindings = OpBindings(op_def, op_view.signature)
        self._valued = [
            bindings.origins[name].first
            for name in operands_whose_values_count(op_def)
            if bindings.origins[name].count
        ]

    def __call__(self, values: Sequence[Value]) -> int:
        """Returns how many bytes the results will take, as far as the constraints tell; raises
        KernelError."""
        key = (*map(np.shape, values), *[np.asarray(values[number]).tobytes() for number in self._valued])
        size = self._holds.get(key)
        if size is None:
            size = self._judge(values)
            if len(self._holds) >= KEPT_SHAPES:
                self._holds.clear()
            self._holds[key] = size
        return size

    def _judge(self, values: Sequence[Value]) -> int:
        from shlo.dialects.inference import inferred_results

        old = self._op_view.signature
        types = tuple(map(_type_at_run_time, old.operand_types, values))
        inferred = inferred_results(self._op_def, self._bindings(types, old.result_types, values))
        results = tuple(
            inferred_type.refining(declared) for inferred_type, declared in zip(inferred, old.result_types)
        )
        broken = first_broken(self._bindings(types, results, values), self._constraints)
        if broken is not None:
            code, why = broken
            raise KernelError(f"{why.message} [{code}]")
        return sum(map(byte_size, results))

    def _bindings(
        self, types: tuple[Type, ...], results: tuple[Type, ...], values: Sequence[Value]
    ) -> OpBindings:
        old = self._op_view.signature
        signature = Signature(old.name, types, results, old.properties, old.attributes)
        return OpBindings(
            self._op_def, signature, region_types(self._op_view.bodies), _constants(types, values)
        )


def _constants(types: Sequence[Type], values: Sequence[Value]) -> Callable[[int], DenseElementsAttr | None]:
    def constant(number: int) -> DenseElementsAttr | None:
        type_, array = types[number], np.asarray(values[number])
        if not isinstance(type_, RankedTensorType) or array.dtype.kind not in "biu":
            return None
        return DenseElementsAttr(type_, array)

    return constant


def _type_at_run_time(declared: Type, value: Value) -> Type:
    """Returns a tensor's type with the sizes that it has."""
    if not isinstance(declared, RankedTensorType | UnrankedTensorType):
        return declared
    return RankedTensorType(np.shape(value), declared.element_type)
