"""Engines with one bug each, in the place of an operation: the interpreter otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np

from shlo.engines.engine import ANYWHERE, EngineError
from shlo.engines.interpreter import InterpreterEngine
from shlo.interpreter.options import RunOptions
from shlo.ir.attributes import IntegerAttr
from shlo.ir.operations import Module, Operation
from shlo.ir.types import Type, element_type_of
from shlo.syntax import parse

Arrays = Sequence[Any]


class Bug:
    """What an engine does in another way: the text of programs, their arguments, or their results."""

    def text(self, text: str) -> str:
        """Returns the program that runs."""
        return text

    def arguments(self, arrays: Arrays, operation: Operation) -> Arrays:
        """Returns what it runs on."""
        return arrays

    def results(self, results: Arrays, arrays: Arrays) -> Arrays:
        """Returns what it gives."""
        return results


class Text(Bug):
    """Another program runs: a pattern of the text is replaced."""

    def __init__(self, pattern: str, replacement: str | Callable[[re.Match[str]], str]) -> None:
        self._pattern, self._replacement = pattern, replacement

    def text(self, text: str) -> str:
        return re.sub(self._pattern, self._replacement, text)


class Arguments(Bug):
    """The program runs on other arguments, where it has any."""

    def __init__(self, change: Callable[[list[Any]], Arrays]) -> None:
        self._change = change

    def arguments(self, arrays: Arrays, operation: Operation) -> Arrays:
        return self._change([np.asarray(array) for array in arrays]) if arrays else arrays


class Operand(Bug):
    """The program runs on another first argument, or second one, by the operation's attributes."""

    def __init__(self, change: Callable[[Any, Operation], Any], number: int = 0) -> None:
        self._change, self._number = change, number

    def arguments(self, arrays: Arrays, operation: Operation) -> Arrays:
        changed = list(map(np.asarray, arrays))
        if len(changed) > self._number:
            changed[self._number] = self._change(changed[self._number], operation)
        return changed


class Backwards(Bug):
    """The program runs on its arguments from the last slice to the first."""

    def arguments(self, arrays: Arrays, operation: Operation) -> Arrays:
        (axis,) = numbers(operation, "dimension")
        return [np.flip(array, axis) for array in arrays]


class Exchanged(Bug):
    """The first two results of one type are exchanged."""

    def results(self, results: Arrays, arrays: Arrays) -> Arrays:
        arrays = list(map(np.asarray, results))
        for left, right in combinations(range(len(arrays)), 2):
            if arrays[left].shape == arrays[right].shape and arrays[left].dtype == arrays[right].dtype:
                arrays[left], arrays[right] = arrays[right], arrays[left]
                break
        return arrays


class Untouched(Bug):
    """A result is the argument at its place."""

    def __init__(self, number: int) -> None:
        self._number = number

    def results(self, results: Arrays, arrays: Arrays) -> Arrays:
        is_there = len(results) == len(arrays) > self._number
        return (
            [*results[: self._number], arrays[self._number], *results[self._number + 1 :]]
            if is_there
            else results
        )


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


def numbers(operation: Operation, name: str, field: str = "") -> list[int]:
    """Returns the numbers of an attribute, or of a field of one."""
    attribute: Any = operation.attribute(name)
    value = getattr(attribute, field) if field else attribute
    return [value.value] if isinstance(value, IntegerAttr) else list(value)


def _one_slice_less(array: Any, operation: Operation) -> Any:
    """Has the first slice of a reduced dimension in the place of its last one."""
    dimensions = numbers(operation, "dimensions")
    if not dimensions or 0 in array.shape or array.ndim <= dimensions[-1]:
        return array
    changed = np.moveaxis(array.copy(), dimensions[-1], 0)
    changed[-1] = changed[0]
    return np.moveaxis(changed, 0, dimensions[-1])


def _in_order(array: Any, order: Sequence[int]) -> Any:
    """Reads an array as if its dimensions were in another order."""
    return array.transpose(order).reshape(array.shape) if len(order) == array.ndim else array


def _unpermuted(array: Any, operation: Operation) -> Any:
    return _in_order(array, np.argsort(numbers(operation, "broadcast_dimensions")).tolist())


def _other_way(array: Any, operation: Operation) -> Any:
    """Reads an array so that the transpose of it is that by the inverse permutation."""
    order = numbers(operation, "permutation")
    wrong = np.transpose(array, np.argsort(order)).reshape([array.shape[axis] for axis in order])
    return np.transpose(wrong, np.argsort(order))


def _batch_first(array: Any, operation: Operation) -> Any:
    batching = numbers(operation, "dot_dimension_numbers", "lhs_batching_dimensions")
    return _in_order(array, [*batching, *(axis for axis in range(array.ndim) if axis not in batching)])


def _one_group(array: Any, operation: Operation) -> Any:
    """Has the first output of a kernel for all, where features are in groups."""
    attribute: Any = operation.attribute("dimension_numbers")
    axis = attribute.kernel_output_feature_dimension
    is_grouped = operation.attribute("feature_group_count").value > 1  # type: ignore[union-attr]
    return np.repeat(np.take(array, [0], axis), array.shape[axis], axis) if is_grouped else array


def _index_backwards(array: Any, operation: Operation) -> Any:
    attribute: Any = operation.attribute("dimension_numbers")
    axis = attribute.index_vector_dim
    return np.flip(array, axis) if axis < array.ndim else array


def _clipped(array: Any, operation: Operation) -> Any:
    """Takes an index outside of the operand for the nearest one inside."""
    return np.clip(array, 0, max(map(_largest, operation.operand_types[:1])) - 1)


def _largest(type_: Any) -> int:
    return max(type_.static_shape, default=1)


def _wrapped(array: Any, operation: Operation) -> Any:
    """Takes an index beyond the end for one from the start."""
    return array % max(map(_largest, operation.operand_types[:1])) if is_integer(array) else array


def _shifted(match: re.Match[str]) -> str:
    start, limit = int(match[1]), int(match[2])
    return f"[{max(start - 1, 0)}:{limit - (start > 0)}"


PAIR: Final = r"\[(-?\d+), (-?\d+)\]"

STRUCTURAL: Final[dict[str, tuple[str, Bug]]] = {
    "last slice left out": ("reduce", Operand(_one_slice_less)),
    "dimensions in order": ("broadcast_in_dim", Operand(_unpermuted)),
    "inverse permutation": ("transpose", Operand(_other_way)),
    "batch taken for the first dimensions": ("dot_general", Operand(_batch_first)),
    "one group of features": ("convolution", Operand(_one_group, 1)),
    "sides of padding": ("convolution", Text(PAIR, r"[\2, \1]")),
    "sides of padding of windows": ("reduce_window", Text(PAIR, r"[\2, \1]")),
    "edges of padding": ("pad", Text(r"low = (\[.*?\]), high = (\[.*?\])", r"low = \2, high = \1")),
    "order of parts": ("concatenate", Text(r"concatenate (%\w+), (%\w+)", r"concatenate \2, \1")),
    "indices from the end": ("gather", Arguments(_from_the_end)),
    "indices beyond the end": ("gather", Operand(_wrapped, 1)),
    "order of an index": ("gather", Operand(_index_backwards, 1)),
    "indices clamped": ("scatter", Operand(_clipped, 1)),
    "start of an update": ("dynamic_update_slice", Arguments(_from_the_end)),
    "start of a slice": ("slice", Text(r"\[(\d+):(\d+)", _shifted)),
    "one dimension of several": ("reverse", Text(r"dims = \[(\d+), .*?\]", r"dims = [\1]")),
    "operands of a sort": ("sort", Untouched(1)),
    "ties of a sort": ("sort", Backwards()),
    "first branch by default": ("case", Operand(lambda array, operation: np.maximum(array, 0))),
    "order of results": ("if", Exchanged()),
    "one iteration": ("while", Text(r"dense<[234]> : tensor<i32>", "dense<1> : tensor<i32>")),
}
"""As `BUGS`, of engines that take no notice of an attribute, an order or a number outside of an operand."""


class WrongEngine(InterpreterEngine):
    """The interpreter, with a bug in one operation.

    Args:
        operation: the operation.
        bug: the bug.
        types: the types of elements that it has; all where it is empty.
    """

    def __init__(self, operation: str, bug: Bug, types: Collection[Type] = ()) -> None:
        super().__init__(ANYWHERE)
        self._operation, self._bug, self._types = f"stablehlo.{operation}", bug, types
        self.execute = self._execute  # type: ignore[method-assign]

    def _execute(self, module: Module, arguments: Arrays, options: RunOptions) -> tuple[Any, ...]:
        operations = [operation for operation, _ in module.walk()]
        types = {
            element_type_of(type_) for op in operations for type_ in (*op.operand_types, *op.result_types)
        }
        if self._types and not types <= {*self._types}:
            raise EngineError("expected other types of elements")
        target = next((operation for operation in operations if operation.name == self._operation), None)
        if target is None:
            return InterpreterEngine.execute(module, arguments, options)
        wrong = parse(self._bug.text(module.to_text()))[0]
        with np.errstate(all="ignore"):
            arrays = self._bug.arguments(arguments, target)
            return tuple(self._bug.results(InterpreterEngine.execute(wrong, arrays, options), arrays))
