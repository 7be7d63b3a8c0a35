"""Fourier transforms as JAX called them on a CPU until 2024: `ducc_fft`, `dynamic_ducc_fft` and `pocketfft`.

The first operand holds the bytes of a FlatBuffer that describes the transform: its dimensions, direction and
scale. It is read at run time, as operands are.
"""

from __future__ import annotations

import math
import struct
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls.delegation import run_as
from shlo.interpreter.custom_calls.registry import custom_call_handler
from shlo.interpreter.kernel_api import BinaryFn, KernelError, KernelFn
from shlo.ir.attributes import Attribute, DenseArrayAttr, EnumAttr
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import I64

KINDS = {(0, True): "FFT", (0, False): "IFFT", (1, False): "IRFFT", (2, True): "RFFT"}
"""The kind of transform, by the descriptor's number of it and whether it goes forward."""


class Descriptor(NamedTuple):
    """Description of a transform: `lengths` are the sizes of its dimensions, for real data those of the real
    array."""

    kind: str
    lengths: tuple[int, ...]
    scale: float


@custom_call_handler("ducc_fft", "pocketfft")
def static_fft(call: CustomCall) -> BinaryFn:
    """Computes the transform of the second operand that the bytes in the first one describe."""
    call.require_operands(2)
    planned = lru_cache(maxsize=8)(partial(_planned, call))
    return lambda descriptor, operand: planned(_static_descriptor(_Table(descriptor.tobytes())))(operand)


@custom_call_handler("dynamic_ducc_fft")
def dynamic_fft(call: CustomCall) -> KernelFn:
    """Computes ducc_fft with sizes, strides and scale as operands; the arrays have their own strides."""
    if len(call.operand_types) < 6:
        raise KernelError(f"{call.target} takes six operands or more, not {len(call.operand_types)}")
    planned = lru_cache(maxsize=8)(partial(_planned, call))

    def on_arrays(*operands: Array) -> Array:
        described, array, shape, scale = operands[0], operands[1], operands[2], operands[5]
        if scale.size != 1 or scale.dtype.kind != "f":
            raise KernelError("expected the scale to be one float")
        table, sizes = _Table(described.tobytes()), tuple(np.ravel(shape).tolist())
        descriptor = _descriptor(table, (2, 3, 4), sizes, float(np.ravel(scale)[0]))
        return planned(descriptor)(array)

    return on_arrays


def _static_descriptor(table: _Table) -> Descriptor:
    return _descriptor(table, (1, 5, 6), table.numbers(2, "Q"), table.number(7, "d"))


def _descriptor(
    table: _Table, fields: tuple[int, int, int], shape: tuple[int, ...], scale: float
) -> Descriptor:
    """Returns the transform that a table with kind, axes and direction in these `fields` describes. Raises
    KernelError if there is no such transform, or it is not one of the last dimensions."""
    kind, axes, forward = fields
    axis_numbers = table.numbers(axes, "I")
    name = KINDS.get((int(table.number(kind, "B")), bool(table.number(forward, "B"))))
    if name is None:
        raise KernelError("expected the descriptor to be of a Fourier transform, got an unknown kind")
    if not axis_numbers or axis_numbers != tuple(range(len(shape) - len(axis_numbers), len(shape))):
        raise KernelError(
            f"expected a transform of the last dimensions of {len(shape)}, got {list(axis_numbers)}"
        )
    return Descriptor(name, shape[-len(axis_numbers) :], scale)


def _planned(call: CustomCall, descriptor: Descriptor) -> KernelFn:
    kind, lengths, scale = descriptor
    operand, result = call.operation.tensor_type(1), call.operation.result_type()
    if operand.rank < len(lengths):
        raise KernelError(f"expected an operand of rank {len(lengths)} or more, got {operand}")
    attributes: dict[str, Attribute] = {
        "fft_type": EnumAttr("stablehlo", "fft_type", kind),
        "fft_length": DenseArrayAttr(I64, lengths),
    }
    transform = run_as("stablehlo.fft", (operand,), (result,), attributes)
    factor = scale if kind in ("FFT", "RFFT") else scale * math.prod(lengths)
    dtype = dtype_of(result.element_type)
    return transform if factor == 1 else partial(_scaled, transform, dtype.type(factor))


def _scaled(transform: KernelFn, factor: Any, operand: Array) -> Array:
    return np.multiply(transform(operand), factor)


class _Table:
    """Root table of a FlatBuffer. Absent fields are 0 or empty; raises KernelError beyond the buffer."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.start = int(self._at(0, "I"))
        self.vtable = self.start - int(self._at(self.start, "i"))
        self.size = int(self._at(self.vtable, "H"))

    def number(self, field: int, code: str) -> float:
        """Returns the number in a field, of a type that `struct` has a letter for."""
        offset = self._place(field)
        return self._at(offset, code) if offset else 0

    def numbers(self, field: int, code: str) -> tuple[int, ...]:
        """Returns the vector in a field."""
        offset = self._place(field)
        if not offset:
            return ()
        start = offset + int(self._at(offset, "I"))
        count = int(self._at(start, "I"))
        size = struct.calcsize(code)
        return tuple(int(self._at(start + 4 + size * i, code)) for i in range(min(count, len(self.data))))

    def _place(self, field: int) -> int:
        """Returns the offset of a field, 0 if it is absent."""
        entry = 4 + 2 * field
        offset = int(self._at(self.vtable + entry, "H")) if entry + 2 <= self.size else 0
        return self.start + offset if offset else 0

    def _at(self, offset: int, code: str) -> float:
        if not 0 <= offset <= len(self.data) - struct.calcsize(code):
            raise KernelError(
                f"expected a descriptor of a Fourier transform, got {len(self.data)} bytes that are none"
            )
        return struct.unpack_from("<" + code, self.data, offset)[0]
