"""Table of elementwise operations that are one function per kind of element.

Specification: the operations named here. A function serves all dtypes of its kind; narrow floats are computed
in float32 and narrow integers in a byte, and rounded once (`numeric.widened`). Where NumPy's own function
does what XLA does it is used without a wrapper: running the operation costs its call alone, and its output
can be placed with `out=`.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from shlo.interpreter.kernel_api import KernelFn, OpView, Value
from shlo.interpreter.kernels.elementwise import arithmetic, complex_functions, float_minmax
from shlo.interpreter.kernels.numeric import (
    FAST_DTYPES,
    InFloat64,
    Kind,
    element_dtype,
    kind_of,
    not_defined,
    widened,
)
from shlo.interpreter.registry import kernel
from shlo.interpreter.semantics import SIX_BIT_EXPONENTS
from shlo.ir.types import QuantizedType, element_type_of


class Functions(Struct, frozen=True):
    """Functions of an operation per kind of element (None: not defined), and source on NumPy scalars."""

    boolean: KernelFn | None = None
    signed: KernelFn | None = None
    unsigned: KernelFn | None = None
    float: KernelFn | None = None
    complex: KernelFn | None = None
    boolean_source: str | None = None
    integer_source: str | None = None
    float_source: str | None = None

    def function(self, kind: Kind) -> KernelFn | None:
        """Returns the function for a kind of element, None if it is not defined."""
        return getattr(self, kind.value)

    def source(self, kind: Kind) -> str | None:
        """Returns the source for scalars of a kind of element, None if there is none."""
        if kind is Kind.BOOLEAN:
            return self.boolean_source
        return self.integer_source if kind in (Kind.SIGNED, Kind.UNSIGNED) else self.float_source


def _floats(function: KernelFn, complex_: KernelFn | None = None) -> Functions:
    return Functions(float=function, complex=complex_)


def _bits(function: np.ufunc, source: str, boolean_source: str | None = None) -> Functions:
    return Functions(
        function, function, function, boolean_source=boolean_source or source, integer_source=source
    )


def _numbers(function: np.ufunc, boolean: np.ufunc, source: str, boolean_source: str) -> Functions:
    return Functions(boolean, function, function, function, function, boolean_source, source, source)


_DIVIDE_SOURCE = (
    "({0} // {1} if {0} >= ZERO and {1} > ZERO else {0} * 0 - 1 if {1} == 0 "
    "else {0} // {1} + ((({0} ^ {1}) < 0) & ({0} % {1} != 0)))"
)
_REMAINDER_SOURCE = (
    "({0} % {1} if {0} >= ZERO and {1} > ZERO else {0} if {1} == 0 "
    "else {0} % {1} - {1} * ((({0} ^ {1}) < 0) & ({0} % {1} != 0)))"
)
_MAXIMUM_SOURCE = "({0} if {0} > {1} else {1})"
_CLAMP_SOURCE = "({2} if {1} > {2} or {0} > {2} else {0} if {1} < {0} else {1})"
_MINIMUM_SOURCE = "({0} if {0} < {1} else {1})"

_POWER = Functions(
    signed=arithmetic.power_signed,
    unsigned=np.power,
    float=arithmetic.power_float,
    complex=complex_functions.power,
)
_IS_FINITE = _floats(np.isfinite)
FUNCTIONS: dict[str, Functions] = {
    "abs": Functions(None, np.absolute, np.absolute, np.absolute, np.absolute, None, "abs({0})", "abs({0})"),
    "add": _numbers(np.add, np.logical_or, "{0} + {1}", "{0} | {1}"),
    "and": _bits(np.bitwise_and, "{0} & {1}"),
    "atan2": _floats(InFloat64(np.arctan2), complex_functions.atan2),
    "cbrt": _floats(np.cbrt, complex_functions.cbrt),
    "ceil": _floats(np.ceil),
    "clamp": Functions(
        arithmetic.clamp,
        arithmetic.clamp,
        arithmetic.clamp,
        float_minmax.clamp,
        arithmetic.clamp,
        integer_source=_CLAMP_SOURCE,
    ),
    "cosine": _floats(np.cos, complex_functions.cosine),
    "divide": Functions(
        signed=arithmetic.divide_signed,
        unsigned=arithmetic.divide_unsigned,
        float=np.divide,
        complex=complex_functions.divide,
        integer_source=_DIVIDE_SOURCE,
        float_source="{0} / {1}",
    ),
    "exponential": _floats(np.exp, complex_functions.exponential),
    "exponential_minus_one": _floats(np.expm1, complex_functions.exponential_minus_one),
    "floor": _floats(np.floor),
    "imag": _floats(np.zeros_like, np.imag),
    "log": _floats(InFloat64(np.log), complex_functions.log),
    "log_plus_one": _floats(np.log1p, complex_functions.log_plus_one),
    "logistic": _floats(arithmetic.logistic, complex_functions.logistic),
    "maximum": Functions(
        np.logical_or,
        np.maximum,
        np.maximum,
        float_minmax.maximum,
        np.maximum,
        "{0} | {1}",
        _MAXIMUM_SOURCE,
        float_minmax.MAXIMUM_SOURCE,
    ),
    "minimum": Functions(
        np.logical_and,
        np.minimum,
        np.minimum,
        float_minmax.minimum,
        np.minimum,
        "{0} & {1}",
        _MINIMUM_SOURCE,
        float_minmax.MINIMUM_SOURCE,
    ),
    "multiply": _numbers(np.multiply, np.logical_and, "{0} * {1}", "{0} & {1}"),
    "negate": Functions(None, np.negative, np.negative, np.negative, np.negative, None, "-{0}", "-{0}"),
    "not": _bits(np.invert, "~{0}", "{0} ^ true"),
    "or": _bits(np.bitwise_or, "{0} | {1}"),
    "real": _floats(np.positive, np.real),
    "remainder": Functions(
        signed=arithmetic.remainder_integer,
        unsigned=arithmetic.remainder_integer,
        float=np.fmod,
        integer_source=_REMAINDER_SOURCE,
    ),
    "round_nearest_afz": _floats(arithmetic.round_away_from_zero),
    "round_nearest_even": _floats(np.rint),
    "rsqrt": _floats(arithmetic.rsqrt, complex_functions.rsqrt),
    "sign": Functions(
        signed=np.sign, unsigned=np.sign, float=arithmetic.sign_float, complex=complex_functions.sign
    ),
    "sine": _floats(np.sin, complex_functions.sine),
    "sqrt": _floats(np.sqrt, complex_functions.sqrt),
    "subtract": Functions(
        None, np.subtract, np.subtract, np.subtract, np.subtract, None, "{0} - {1}", "{0} - {1}"
    ),
    "tan": _floats(InFloat64(np.tan), complex_functions.tan),
    "tanh": _floats(np.tanh, complex_functions.tanh),
    "xor": _bits(np.bitwise_xor, "{0} ^ {1}"),
}


def elementwise_function(functions: Functions, op: OpView) -> KernelFn:
    """Returns the function for the elements of the first operand; raises KernelError if there is none."""
    kind = kind_of(op.operand_types[0])
    function = functions.function(kind)
    if function is None:
        raise not_defined(op)
    return widened(function, element_dtype(op.operand_types[0]))


def scalar_source(functions: Functions, op: OpView) -> str | None:
    """Returns the operation as source on NumPy scalars, or None where none is exact and fast."""
    dtype = element_dtype(op.operand_types[0])
    source = functions.source(kind_of(op.operand_types[0])) if dtype.char in FAST_DTYPES else None
    return source and source.replace("ZERO", f"zero_{dtype.name}")


def register(name: str, functions: Functions) -> None:
    """Registers the kernel of an operation that is one of these functions."""
    kernel(name, expression=lambda op: scalar_source(functions, op))(
        lambda op: elementwise_function(functions, op)
    )


@kernel("stablehlo.power")
def power(op: OpView) -> KernelFn:
    """Returns the first operand to the power of the second; specification: "power"."""
    is_integer = kind_of(op.operand_types[0]) in (Kind.SIGNED, Kind.UNSIGNED)
    if is_integer and op.departs(SIX_BIT_EXPONENTS):
        return widened(arithmetic.power_by_six_bits, element_dtype(op.operand_types[0]))
    return elementwise_function(_POWER, op)


def _all_true(x: Value) -> Value:
    return np.ones(np.shape(x), np.bool_)


@kernel("stablehlo.is_finite")
def is_finite(op: OpView) -> KernelFn:
    """Returns whether each element is finite, as quantized ones always are; specification: "is_finite"."""
    if isinstance(element_type_of(op.operand_types[0]), QuantizedType):
        return _all_true
    return elementwise_function(_IS_FINITE, op)


for _name, _functions in FUNCTIONS.items():
    register(f"stablehlo.{_name}", _functions)
