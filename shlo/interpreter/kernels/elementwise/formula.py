"""Functions of float32 as straight lines of float64 arithmetic, written once and run in three ways: by NumPy,
block by block, as machine code of vectors (`loops.formulas`), and on few elements as Python on its own
numbers. Every step is one that IEEE 754 defines to the bit, so all give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf, nan, sqrt
from struct import Struct
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from shlo.interpreter.kernels.numeric import where
from shlo.interpreter.runtime.context import current_context
from shlo.interpreter.runtime.machine_code import LateCode
from shlo.interpreter.runtime.threads import in_parts
from shlo.ir.dtypes import Array

FLOAT: Final = np.dtype(np.float64)
BITS: Final = np.dtype(np.uint64)
TRUTH: Final = np.dtype(np.bool_)

BLOCK: Final = 8192
"""Elements at a time, whose values stay in a core's cache."""
STEP_SECONDS: Final = 5e-7
ELEMENT_SECONDS: Final = 2e-10
"""What a step of NumPy's costs, and about what each element costs it."""
NATIVE_SECONDS: Final = 2e-11
"""Seconds that machine code takes for a step of an element, about."""
PART_SECONDS: Final = 1.5e-4
"""How long a part takes a thread at least; handing it over takes some percent of that."""
FEW: Final = 8
"""Elements that Python's own numbers compute sooner than NumPy's arrays."""
WRITING: Final = 1.5e-5
"""What writing a step for Python's numbers and compiling it costs; the step then takes 4e-8."""

_UFUNCS: Final[dict[str, np.ufunc]] = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "sqrt": np.sqrt,
    "absolute": np.absolute,
    "negative": np.negative,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "less": np.less,
    "equal": np.equal,
    "both": np.logical_and,
    "add_bits": np.add,
    "subtract_bits": np.subtract,
    "or_bits": np.bitwise_or,
    "shift_left": np.left_shift,
    "shift_right": np.right_shift,
}
_SOURCES: Final[dict[str, str]] = {
    "add": "{0} + {1}",
    "subtract": "{0} - {1}",
    "multiply": "{0} * {1}",
    "divide": "{0} / {1} if {1} else float(divide({0}, {1}))",
    "sqrt": "sqrt({0}) if {0} >= 0 else float(root({0}))",
    "absolute": "abs({0})",
    "negative": "-{0}",
    "minimum": "{1} if {0} > {1} else {0}",
    "maximum": "{1} if {0} < {1} else {0}",
    "less": "{0} < {1}",
    "equal": "{0} == {1}",
    "both": "{0} and {1}",
    "add_bits": "{0} + {1} & ALL",
    "subtract_bits": "{0} - {1} & ALL",
    "or_bits": "{0} | {1}",
    "shift_left": "{0} << {1} & ALL",
    "shift_right": "{0} >> {1}",
    "select": "{1} if {0} else {2}",
    "bits": "to_bits(of_value({0}))[0]",
    "value": "to_value(of_bits({0}))[0]",
}
"""Steps as Python on its own numbers."""
_VALUE, _BITS = Struct("=d"), Struct("=Q")
_SOURCE_NAMES: Final[dict[str, Any]] = {
    "__builtins__": {},
    "abs": abs,
    "divide": np.divide,  # Python's raises an error where the divisor is 0
    "root": np.sqrt,  # and so for numbers below 0
    "sqrt": sqrt,
    "float": float,
    "of_value": _VALUE.pack,
    "to_value": _VALUE.unpack,
    "of_bits": _BITS.pack,
    "to_bits": _BITS.unpack,
    "inf": inf,
    "nan": nan,
    "ALL": (1 << 64) - 1,
}
_DTYPES: Final = {"less": TRUTH, "equal": TRUTH, "both": TRUTH, "bits": BITS, "value": FLOAT}
"""Types of the results of operations whose type is not that of their first operand."""

Operand: TypeAlias = "Term | float"
NativeLoop = Callable[[Sequence[Array], int, int], None]
"""Machine code of a formula: computes the elements from a start up to an end, of the last array from the
others. Arrays are of one dimension and contiguous."""


class FormulaStep(NamedTuple):
    """An operation on values, which are numbered: first the operands of the formula, then its steps."""

    name: str
    operands: tuple[int, ...]
    dtype: np.dtype[Any]
    constant: float | int = 0


class Trace:
    """Collects the steps of a formula; equal ones are one."""

    def __init__(self, operands: int) -> None:
        self.count = operands
        self.steps: list[FormulaStep] = []
        self._known: dict[object, Term] = {}

    def add(self, name: str, operands: tuple[int, ...], dtype: np.dtype[Any]) -> Term:
        """Returns the value of an operation, whose type follows from its operands."""
        return self._step((name, operands), name, operands, dtype)

    def constant(self, value: float | int, dtype: np.dtype[Any] = FLOAT) -> Term:
        """Returns a number."""
        return self._step((str(value), dtype.char), "constant", (), dtype, value)

    def _step(
        self, key: object, name: str, operands: tuple[int, ...], dtype: np.dtype[Any], value: float | int = 0
    ) -> Term:
        term = self._known.get(key)
        if term is None:
            term = self._known[key] = Term(self, self.count + len(self.steps), dtype)
            self.steps.append(FormulaStep(name, operands, dtype, value))
        return term


class Term:
    """A value of a formula: a float64, 64 bits, or a truth value."""

    __slots__ = ("dtype", "number", "trace")

    def __init__(self, trace: Trace, number: int, dtype: np.dtype[Any]) -> None:
        self.trace = trace
        self.number = number
        self.dtype = dtype

    def apply(self, name: str, *others: Operand) -> Term:
        """Returns an operation on this value and others; numbers among them get this value's type."""
        terms = [self, *map(self._lifted, others)]
        dtype = _DTYPES.get(name, terms[-1].dtype if name == "select" else self.dtype)
        return self.trace.add(name, tuple([term.number for term in terms]), dtype)

    def _number(self, value: float) -> Term:
        return self.trace.constant(value, FLOAT if self.dtype == TRUTH else self.dtype)

    def _lifted(self, value: Operand) -> Term:
        return value if isinstance(value, Term) else self._number(value)

    def __add__(self, other: Operand) -> Term:
        return self.apply("add" if self.dtype == FLOAT else "add_bits", other)

    def __sub__(self, other: Operand) -> Term:
        return self.apply("subtract" if self.dtype == FLOAT else "subtract_bits", other)

    def __mul__(self, other: Operand) -> Term:
        return self.apply("multiply", other)

    def __truediv__(self, other: Operand) -> Term:
        return self.apply("divide", other)

    def __radd__(self, other: float) -> Term:
        return self._lifted(other) + self

    def __rsub__(self, other: float) -> Term:
        return self._lifted(other) - self

    def __rmul__(self, other: float) -> Term:
        return self._lifted(other) * self

    def __rtruediv__(self, other: float) -> Term:
        return self._lifted(other) / self

    def __neg__(self) -> Term:
        return self.apply("negative")

    def __abs__(self) -> Term:
        return self.apply("absolute")

    def __lt__(self, other: Operand) -> Term:
        return self.apply("less", other)

    def __gt__(self, other: Operand) -> Term:
        return self._lifted(other).apply("less", self)

    def __and__(self, other: Term) -> Term:
        return self.apply("both", other)

    def __or__(self, other: int) -> Term:
        return self.apply("or_bits", other)

    def __lshift__(self, count: int) -> Term:
        return self.apply("shift_left", count)

    def __rshift__(self, count: int) -> Term:
        return self.apply("shift_right", count)

    def equals(self, other: Operand) -> Term:
        """Returns whether two values are equal; NaN equals nothing."""
        return self.apply("equal", other)

    def choose(self, then: Operand, otherwise: Operand) -> Term:
        """Returns `then` where this is true, elsewhere `otherwise`."""
        return self.apply("select", then, otherwise)

    def at_most(self, limit: float) -> Term:
        """Returns the value, but the limit, which is not 0, where it is greater; NaN stays."""
        return self.apply("minimum", limit)

    def at_least(self, limit: float) -> Term:
        """Returns the value, but the limit, which is not 0, where it is less; NaN stays."""
        return self.apply("maximum", limit)

    def sqrt(self) -> Term:
        """Returns the square root."""
        return self.apply("sqrt")

    def bits(self) -> Term:
        """Returns the bits of a float64."""
        return self.apply("bits")

    def value(self) -> Term:
        """Returns the float64 of some bits."""
        return self.apply("value")


class _Register(NamedTuple):
    """A number that NumPy's calls use, or (`number` is None) a buffer of this dtype."""

    dtype: np.dtype[Any]
    number: Any


class _NumpyCall(NamedTuple):
    """A function, and the registers of its operands and of its result."""

    function: Callable[..., Any]
    operands: tuple[int, ...]
    result: int


class Formula:
    """A function of float32 arrays of one shape, computed in float64 and rounded once.

    Threads may call it at the same time. What it computes does not depend on blocks, threads, or on whether
    there is machine code.

    Args:
        function: makes the result of the operands.
        operands: how many there are.
    """

    def __init__(self, function: Callable[..., Term], operands: int = 1) -> None:
        self.__name__ = function.__name__
        self._function = function
        self.operands = operands
        self._spent_on_few = 0.0

    @cached_property
    def _code(self) -> LateCode:
        """The machine code."""
        return LateCode(self, "formula", len(self.steps))

    @cached_property
    def steps(self) -> tuple[FormulaStep, ...]:
        """The steps that the result needs; it is the last one's."""
        trace = Trace(self.operands)
        terms = [Term(trace, number, FLOAT) for number in range(self.operands)]
        result = self._function(*terms).number
        needed: set[int] = {result}
        for number in range(result, self.operands - 1, -1):
            if number in needed:
                needed |= {*trace.steps[number - self.operands].operands}
        numbers = {number: number for number in range(self.operands)}
        steps: list[FormulaStep] = []
        for number in range(self.operands, result + 1):
            if number in needed:
                name, operands, dtype, constant = trace.steps[number - self.operands]
                numbers[number] = self.operands + len(steps)
                steps.append(
                    FormulaStep(name, tuple([numbers[operand] for operand in operands]), dtype, constant)
                )
        return tuple(steps)

    def __call__(self, *operands: Array) -> Array:
        """Returns the function of arrays, or numbers, of float32."""
        shape, size = np.shape(operands[0]), operands[0].size
        if 0 < size <= FEW and self._code.function is None and self._numbers_pay():
            return self._by_numbers(operands)
        flat = [np.ascontiguousarray(operand).reshape(-1) for operand in operands]
        result = np.empty(size, np.float32)
        arrays, count = (*flat, result), result.size
        loop = self._code.function
        if loop is None:
            steps = len(self.steps)
            self._code.spend(steps * (STEP_SECONDS * -(-count // BLOCK) + ELEMENT_SECONDS * count))
            self._run(lambda start, end: self._by_numpy(arrays, start, end), count, BLOCK)
        else:
            part = int(PART_SECONDS / (NATIVE_SECONDS * len(self.steps))) // BLOCK * BLOCK or BLOCK
            self._run(lambda start, end: loop(arrays, start, end), count, part)
        return result.reshape(shape)

    @staticmethod
    def _run(function: Callable[[int, int], None], count: int, part: int) -> None:
        threads = 1 if count < 2 * part else current_context().threads
        if threads == 1 and part != BLOCK:
            function(0, count)
        else:
            in_parts(function, count, part, threads)

    # By Python's numbers

    def _numbers_pay(self) -> bool:
        """Returns whether calls of few elements have taken as long as writing their source takes."""
        self._spent_on_few += STEP_SECONDS
        return self._spent_on_few > WRITING

    @cached_property
    def _of_numbers(self) -> Callable[..., float]:
        """The function of Python's floats."""
        names = [f"v{number}" for number in range(self.operands)]
        lines = [f"def function({', '.join(names)}):"]
        for step in self.steps:
            if step.name == "constant":
                names.append(f"({step.constant!r})")
                continue
            names.append(f"v{len(names)}")
            source = _SOURCES[step.name].format(*[names[number] for number in step.operands])
            lines.append(f" {names[-1]} = {source}")
        namespace: dict[str, Any] = {**_SOURCE_NAMES}
        exec("\n".join([*lines, f" return {names[-1]}"]), namespace)
        return namespace["function"]

    def _by_numbers(self, operands: Sequence[Array]) -> Any:
        function = self._of_numbers
        if not operands[0].shape:
            return np.float32(function(*map(float, operands)))
        elements = zip(*[operand.reshape(-1).tolist() for operand in operands])
        result = np.array([function(*numbers) for numbers in elements], np.float32)
        return result.reshape(operands[0].shape)

    # By NumPy

    @cached_property
    def _plan(self) -> tuple[list[_NumpyCall], list[_Register]]:
        """The calls, and the registers; those of the operands come first."""
        registers = [_Register(FLOAT, None) for _ in range(self.operands)]
        register_of: dict[int, int] = {number: number for number in range(self.operands)}
        last = {number: at for at, step in enumerate(self.steps) for number in step.operands}
        free: dict[str, list[int]] = {dtype.char: [] for dtype in (FLOAT, BITS, TRUTH)}
        calls: list[_NumpyCall] = []
        for at, step in enumerate(self.steps):
            number = self.operands + at
            if step.name == "constant":
                register_of[number] = len(registers)
                registers.append(_Register(step.dtype, step.dtype.type(step.constant)))
                continue
            for operand in {*step.operands}:
                if last[operand] == at and registers[register_of[operand]].number is None:
                    free[registers[register_of[operand]].dtype.char].append(register_of[operand])
            unused = free[step.dtype.char]
            if not unused:
                unused.append(len(registers))
                registers.append(_Register(step.dtype, None))
            register_of[number] = unused.pop()
            function = _UFUNCS.get(step.name) or _CALLS[step.name]
            calls.append(
                _NumpyCall(
                    function, tuple([register_of[operand] for operand in step.operands]), register_of[number]
                )
            )
        return calls, registers

    def _by_numpy(self, arrays: Sequence[Array], start: int, end: int) -> None:
        """Computes the elements from a start up to an end, of the last array from the others."""
        calls, registers = self._plan
        size = min(BLOCK, end - start)
        buffers: list[Any] = [
            np.empty(size, dtype) if number is None else number for dtype, number in registers
        ]
        for begin in range(start, end, BLOCK):
            stop = min(begin + BLOCK, end)
            if stop - begin < size:
                size = stop - begin
                buffers = [
                    buffer[:size] if register.number is None else buffer
                    for buffer, register in zip(buffers, registers)
                ]
            for number in range(self.operands):
                buffers[number][...] = arrays[number][begin:stop]
            for function, operands, result in calls:
                function(*[buffers[operand] for operand in operands], out=buffers[result])
            arrays[-1][begin:stop] = buffers[calls[-1].result]


def _select(condition: Array, then: Any, otherwise: Any, out: Array) -> None:
    np.copyto(out, where(condition, then, otherwise))  # much quicker than np.copyto's own condition


def _bits(x: Array, out: Array) -> None:
    np.copyto(out, x.view(BITS))


def _value(x: Array, out: Array) -> None:
    np.copyto(out, x.view(FLOAT))


_CALLS: Final[dict[str, Callable[..., Any]]] = {"select": _select, "bits": _bits, "value": _value}


# --- parts of formulas -------------------------------------------------------------------------------------


def polynomial(x: Term, coefficients: Sequence[float]) -> Term:
    """Returns the polynomial of these coefficients, the constant one first. It adds pairs, pairs of pairs and
    so on, so that few steps wait for each other."""
    terms: list[Operand] = list(coefficients)
    power = x
    while len(terms) > 1:
        rest = [terms[-1]] if len(terms) % 2 else []
        terms = [power * high + low for low, high in zip(terms[::2], terms[1::2])] + rest
        if len(terms) > 1:
            power = power * power
    (result,) = terms
    assert isinstance(result, Term)
    return result
