"""Stubs: results for custom calls that have no handler, such as kernels of a device.

A stub is "zeros", "random", or recorded arrays by name. It is found by the target's name or by a pattern
(`tt.*`). A stub under the exact name replaces a handler; one under a pattern is used where there is none.

The arrays of a recording are named by the results: their tensors count from 0, those of a tuple one by one:

    result_0, result_1      the results of every call of the target (`arr_0`, as `np.savez` names it, too)
    call_2.result_0         result 0 of the third call of the target in a process
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, cast

import numpy as np

from shlo.interpreter.custom_call_api import CustomCall, Stub
from shlo.interpreter.custom_calls.random_values import random_values
from shlo.interpreter.kernel_api import TOKEN, KernelError, KernelFn, Value
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.marshal import marshal_argument
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import RankedTensorType, TokenType, TupleType, Type

Tensors = Callable[[RankedTensorType, int], Value]
"""Makes the tensor of a type and a number among a call's results."""

LISTED = 8
"""Most names of arrays that a message lists."""


def matching_stub(target: str, stubs: Mapping[str, Stub]) -> Stub | None:
    """Returns the first stub whose pattern (`*`, `?`, `[...]`) a target matches."""
    return next((stub for pattern, stub in stubs.items() if fnmatchcase(target, pattern)), None)


def stubbed(call: CustomCall, stub: Stub, context: ExecutionContext) -> KernelFn:
    """Returns the function that returns the results of one custom_call in place of a handler. Random results
    depend only on the seed of the run, the target and the number of the call."""
    make = _maker(stub, call.target, context.seed)
    calls = context.stubbed_calls

    def evaluate(*operands: Value) -> Value:
        number = calls[call.target] = calls.get(call.target, -1) + 1
        tensors = make(number)
        numbers = iter(range(_tensors_in(call.result_types)))
        values = tuple(_value(type_, tensors, numbers) for type_ in call.result_types)
        return values[0] if len(values) == 1 else values or None

    return evaluate


def _maker(stub: object, target: str, seed: int) -> Callable[[int], Tensors]:
    """Returns the function that makes the tensors of the call of a given number."""
    if stub == "zeros":
        return lambda call: _zeros
    if stub == "random":
        return lambda call: _random(np.random.default_rng([seed, zlib.crc32(target.encode()), call]))
    if isinstance(stub, Mapping):
        arrays = cast("Mapping[str, Any]", stub)
        return lambda call: _recorded(arrays, call, target)
    raise KernelError(f"expected zeros, random or recorded arrays as the stub of {target}, got {stub!r}")


def _value(type_: Type, tensors: Tensors, numbers: Iterator[int]) -> Value:
    if isinstance(type_, TokenType):
        return TOKEN
    if isinstance(type_, TupleType):
        return tuple(_value(part, tensors, numbers) for part in type_.types)
    if isinstance(type_, RankedTensorType):
        return tensors(type_, next(numbers))
    raise KernelError(f"expected results that are tensors, tokens or tuples of them, got {type_}")


def _tensors_in(types: tuple[Type, ...]) -> int:
    return sum(_tensors_in(type_.types) if isinstance(type_, TupleType) else 1 for type_ in types)


def _zeros(type_: RankedTensorType, number: int) -> Array:
    return np.zeros(_known_shape(type_), dtype_of(type_.element_type))


def _random(generator: np.random.Generator) -> Tensors:
    return lambda type_, number: random_values(type_.element_type, _known_shape(type_), generator)


def _known_shape(type_: RankedTensorType) -> tuple[int, ...]:
    if not type_.is_static:
        raise KernelError(f"expected a result of known sizes, got {type_}; record it in a .npz file")
    return type_.static_shape


def _recorded(arrays: Mapping[str, Any], call: int, target: str) -> Tensors:
    def tensor(type_: RankedTensorType, number: int) -> Value:
        names = f"call_{call}.result_{number}", f"result_{number}", f"arr_{number}"
        name = next((name for name in names if name in arrays), None)
        if name is None:
            recorded = ", ".join(list(arrays)[:LISTED]) or "no arrays"
            raise KernelError(
                f"expected {names[0]} or {names[1]} in the recording of {target}, got {recorded}"
            )
        return marshal_argument(arrays[name], type_, f"{name} of the recording of {target}")

    return tensor
