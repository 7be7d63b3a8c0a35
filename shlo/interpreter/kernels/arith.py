"""MLIR's arith dialect: arithmetic on plain numbers and indices, which sizes are computed with."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.interpreter.kernel import Evaluate, KernelError, Specialization, Value, kernel
from shlo.interpreter.kernels.arithmetic import divide_signed
from shlo.interpreter.kernels.numeric import element_dtype, unsigned_of, where, widened
from shlo.interpreter.kernels.shapes import constant_function
from shlo.ir.attributes import FloatAttr, IntegerAttr
from shlo.ir.dense import DenseElementsAttr

_FUNCTIONS: dict[str, Evaluate] = {
    "addf": np.add,
    "addi": np.add,
    "divf": np.divide,
    "divsi": divide_signed,
    "mulf": np.multiply,
    "muli": np.multiply,
    "subf": np.subtract,
    "subi": np.subtract,
}
_OF_BITS: dict[str, Evaluate] = {"addi": np.bitwise_xor, "muli": np.bitwise_and, "subi": np.bitwise_xor}
"""What integers of one bit do, which are numbers modulo 2 here."""

_PREDICATES: tuple[tuple[np.ufunc, bool], ...] = (
    (np.equal, False),
    (np.not_equal, False),
    (np.less, False),
    (np.less_equal, False),
    (np.greater, False),
    (np.greater_equal, False),
    (np.less, True),
    (np.less_equal, True),
    (np.greater, True),
    (np.greater_equal, True),
)
"""The comparisons by number, and whether they take the integers for unsigned ones."""


@kernel("arith.constant")
def constant(op: Specialization) -> Evaluate:
    value, dtype = op.require("value"), element_dtype(op.result_types[0])
    if isinstance(value, DenseElementsAttr):
        return constant_function(value.array)
    if isinstance(value, (IntegerAttr, FloatAttr)):
        return constant_function(np.array(value.value).astype(dtype))
    raise KernelError("needs a number or a dense value")


def _specialized(op: Specialization) -> Evaluate:
    name, dtype = op.name.removeprefix("arith."), element_dtype(op.operand_types[0])
    return _OF_BITS[name] if dtype == np.bool_ and name in _OF_BITS else widened(_FUNCTIONS[name], dtype)


kernel(*[f"arith.{name}" for name in _FUNCTIONS])(_specialized)


@kernel("arith.cmpi")
def cmpi(op: Specialization) -> Evaluate:
    function, is_unsigned = _PREDICATES[op.integer("predicate")]
    dtype = element_dtype(op.operand_types[0])
    if dtype == np.bool_ or not is_unsigned:
        return widened(function, dtype)
    unsigned = unsigned_of(dtype)

    def evaluate(lhs: Value, rhs: Value) -> Value:
        return function(lhs.view(unsigned), rhs.view(unsigned))

    return evaluate


@kernel("arith.select")
def select(op: Specialization) -> Evaluate:
    def evaluate(condition: Any, true_value: Value, false_value: Value) -> Value:
        if np.ndim(condition):
            return where(condition, true_value, false_value)
        return true_value if condition else false_value

    return evaluate


@kernel("arith.index_cast")
def index_cast(op: Specialization) -> Evaluate:
    dtype = element_dtype(op.result_types[0])

    def evaluate(x: Value) -> Value:
        return x.astype(dtype)

    return evaluate
