"""Engines with one bug each, in the place of an operation: the interpreter otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from shlo.engines.engine import ANYWHERE
from shlo.engines.interpreter import InterpreterEngine
from shlo.interpreter.options import RunOptions
from shlo.ir.operations import Module
from shlo.syntax import parse

Arrays = Sequence[Any]


class Bug:
    """What an engine does in another way: the text of programs, their arguments, or their results."""

    def text(self, text: str) -> str:
        """Returns the program that runs."""
        return text

    def arguments(self, arrays: Arrays) -> Arrays:
        """Returns what it runs on."""
        return arrays

    def results(self, results: Arrays, arrays: Arrays) -> Arrays:
        """Returns what it gives."""
        return results


class Text(Bug):
    """Another program runs: a pattern of the text is replaced."""

    def __init__(self, pattern: str, replacement: str) -> None:
        self._pattern, self._replacement = pattern, replacement

    def text(self, text: str) -> str:
        return re.sub(self._pattern, self._replacement, text)


class Arguments(Bug):
    """The program runs on other arguments, where it has any."""

    def __init__(self, change: Callable[[list[Any]], Arrays]) -> None:
        self._change = change

    def arguments(self, arrays: Arrays) -> Arrays:
        return self._change([np.asarray(array) for array in arrays]) if arrays else arrays


class First(Bug):
    """The first result is another one, where no operand is a constant."""

    def __init__(self, change: Callable[..., Any], operands: int) -> None:
        self._change, self._operands = change, operands

    def results(self, results: Arrays, arrays: Arrays) -> Arrays:
        if len(arrays) != self._operands:
            return results
        first = np.asarray(results[0])
        changed = self._change(first, *map(np.asarray, arrays))
        return (np.asarray(changed).astype(first.dtype).reshape(first.shape), *results[1:])


class Types(Bug):
    """Results are of another type of elements."""

    def results(self, results: Arrays, arrays: Arrays) -> Arrays:
        return [np.asarray(result).astype(np.float64) for result in results]


def is_integer(array: Any) -> bool:
    """Returns whether an array has integers that NumPy has, too."""
    return bool(array.dtype.kind in "iu")


def _saturated(result: Any, left: Any, right: Any) -> Any:
    if not is_integer(result) or result.dtype.itemsize == 8:
        return result
    limits = np.iinfo(result.dtype)
    return np.clip(left.astype(np.int64) + right.astype(np.int64), limits.min, limits.max)


def _floored(result: Any, left: Any, right: Any) -> Any:
    return np.where(right == 0, result, np.floor_divide(left, right)) if is_integer(result) else result


def _of_divisor(result: Any, left: Any, right: Any) -> Any:
    return np.where(right == 0, result, np.mod(left, right)) if is_integer(result) else result


def _wrapped_shift(arrays: list[Any]) -> Arrays:
    """Takes the count modulo the width, as x86 does."""
    if len(arrays) != 2:
        return arrays
    value, count = arrays
    return [value, count % count.dtype.type(8 * count.itemsize)] if is_integer(count) else arrays


def _from_the_end(arrays: list[Any]) -> Arrays:
    """Takes negative indices for ones from the end, as NumPy does."""
    size = max(arrays[0].shape, default=1)
    return [arrays[0], *(np.where(i < 0, i + size, i) if i.dtype.kind == "i" else i for i in arrays[1:])]


def _rounded(arrays: list[Any]) -> Arrays:
    return [np.rint(array) if array.dtype.kind == "f" else array for array in arrays]


def _without_nan(result: Any, left: Any, right: Any) -> Any:
    return np.fmax(left, right) if result.dtype.kind == "f" else result


def _flipped(result: Any, operand: Any) -> Any:
    return np.flip(result)


OPERANDS: Final = r"(%\w+), (%\w+), (%\w+)"

BUGS: Final[dict[str, tuple[str, Bug]]] = {
    "modulus": ("abs", Text("stablehlo.abs", "stablehlo.negate")),
    "swapped operation": ("subtract", Text("stablehlo.subtract", "stablehlo.add")),
    "function of two operands": ("atan2", Text("stablehlo.atan2", "stablehlo.subtract")),
    "rounded downwards": ("ceil", Text("stablehlo.ceil", "stablehlo.floor")),
    "rounded upwards": ("floor", Text("stablehlo.floor", "stablehlo.ceil")),
    "strictness": ("compare", Text("stablehlo.compare( *)LT", r"stablehlo.compare\1LE")),
    "phase": ("cosine", Text("stablehlo.cosine", "stablehlo.sine")),
    "reciprocal": ("divide", Text("stablehlo.divide", "stablehlo.multiply")),
    "less one": ("exponential", Text("stablehlo.exponential ", "stablehlo.exponential_minus_one ")),
    "plus one": ("log", Text("stablehlo.log ", "stablehlo.log_plus_one ")),
    "smaller for larger": ("maximum", Text("stablehlo.maximum", "stablehlo.minimum")),
    "larger for smaller": ("minimum", Text("stablehlo.minimum", "stablehlo.maximum")),
    "sum for product": ("multiply", Text("stablehlo.multiply", "stablehlo.add")),
    "halves away from zero": (
        "round_nearest_even",
        Text("stablehlo.round_nearest_even", "stablehlo.round_nearest_afz"),
    ),
    "halves to even": (
        "round_nearest_afz",
        Text("stablehlo.round_nearest_afz", "stablehlo.round_nearest_even"),
    ),
    "root for its reciprocal": ("rsqrt", Text("stablehlo.rsqrt", "stablehlo.sqrt")),
    "zeros shifted in": ("shift_right_arithmetic", Text("shift_right_arithmetic", "shift_right_logical")),
    "signs": ("sign", Text("stablehlo.sign ", "stablehlo.negate ")),
    "slope": ("tanh", Text("stablehlo.tanh", "stablehlo.logistic")),
    "inclusive": ("xor", Text("stablehlo.xor", "stablehlo.or")),
    "saturation": ("add", First(_saturated, 2)),
    "quotient downwards": ("divide", First(_floored, 2)),
    "sign of a remainder": ("remainder", First(_of_divisor, 2)),
    "NaN ignored": ("maximum", First(_without_nan, 2)),
    "count of a shift": ("shift_left", Arguments(_wrapped_shift)),
    "rounded conversion": ("convert", Arguments(_rounded)),
    "bounds exchanged": ("clamp", Text(f"stablehlo.clamp {OPERANDS}", r"stablehlo.clamp \3, \2, \1")),
    "branches exchanged": ("select", Text(f"stablehlo.select {OPERANDS}", r"stablehlo.select \1, \3, \2")),
    "infinity is finite": ("is_finite", First(lambda result, x: x == x, 1)),
    "precision kept": ("reduce_precision", First(lambda result, x: x, 1)),
    "leading zeros of zero": ("count_leading_zeros", First(lambda result, x: np.where(x == 0, 0, result), 1)),
    "order of dimensions": ("transpose", First(lambda result, x: x, 1)),
    "order of elements": ("reverse", First(lambda result, x: x, 1)),
    "dimension counted along": ("iota", First(np.flip, 0)),
    "initial value": (
        "reduce",
        Text(r"dense<[^>]*> : (tensor<(?:u?i\d+|bf16|f\d+)>)", r"dense<1> : \1"),
    ),
    "padding value": ("pad", Arguments(lambda arrays: [arrays[0], *(array * 0 for array in arrays[1:])])),
    "start of a slice": ("dynamic_slice", Arguments(_from_the_end)),
    "order of a sort": ("sort", First(_flipped, 1)),
    "last iteration": ("while", Text(r"stablehlo.compare( *)LT", r"stablehlo.compare\1LE")),
    "type of results": ("sine", Types()),
}
"""By what is wrong, the operation and what an engine does in its place."""


class WrongEngine(InterpreterEngine):
    """The interpreter, with a bug in one operation."""

    def __init__(self, operation: str, bug: Bug) -> None:
        super().__init__(ANYWHERE)
        self._operation, self._bug = f"stablehlo.{operation}", bug
        self.execute = self._execute  # type: ignore[method-assign]

    def _execute(self, module: Module, arguments: Arrays, options: RunOptions) -> tuple[Any, ...]:
        if all(operation.name != self._operation for operation, _ in module.walk()):
            return InterpreterEngine.execute(module, arguments, options)
        wrong = parse(self._bug.text(module.to_text()))[0]
        with np.errstate(all="ignore"):
            arrays = self._bug.arguments(arguments)
            return tuple(self._bug.results(InterpreterEngine.execute(wrong, arrays, options), arrays))
