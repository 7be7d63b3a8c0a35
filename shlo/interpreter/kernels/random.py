"""Random numbers: rng_bit_generator, bit for bit as XLA on CPU, and rng, from the seed of the run.

The generators are Threefry2x32 with 20 rounds and Philox4x32 with 10 (Salmon et al., SC 2011): a key and a
counter give the bits, so all elements are computed at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView
from shlo.interpreter.kernels.shapes import require_sizes
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.ir.dtypes import Array, bit_width, dtype_of
from shlo.ir.types import ComplexType, FloatType, IndexType, IntegerType, Shape, Type

if TYPE_CHECKING:
    from numpy.random import Generator

Sizes = tuple[int, ...]
Words = tuple[Array, ...]
Generate = Callable[[Array], tuple[Array, Array]]
"""From the state (an array of ui64) to the state after it and the bits."""

_U32, _U64 = np.dtype(np.uint32), np.dtype(np.uint64)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)

_THREEFRY_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_THREEFRY_PARITY = np.uint32(0x1BD11BDA)
_PHILOX_MULTIPLIERS = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_PHILOX_KEY_STEPS = np.array([0x9E3779B9, 0xBB67AE85], _U32)


@kernel("stablehlo.rng_bit_generator")
def rng_bit_generator(op: OpView) -> KernelFn:
    """Generates random bits by Threefry or Philox, and the next state; specification: "rng_bit_generator"."""
    algorithm = op.word("rng_algorithm")
    result = op.result_type(1)
    return bit_generator(algorithm, op.tensor_type(0).shape, result.static_shape, result.element_type)


def bit_generator(algorithm: str, state: Shape, shape: Sizes, element: Type) -> Generate:
    """Returns the function from a state of shape `state` to the next one and random elements of `shape`."""
    if state not in ((2,), (3,)):
        raise KernelError(f"expected a state of 2 or 3 elements, got one of shape {list(state)}")
    if isinstance(element, ComplexType) or element == IntegerType(1):
        raise KernelError(f"there are no random bits of type {element}")
    bits = _threefry_bits if algorithm == "THREE_FRY" else _philox_bits
    return partial(_generate, partial(bits, shape, bit_width(element) == 64), _narrower(element))


def _generate(bits: Generate, narrow: Callable[[Array], Array], state: Array) -> tuple[Array, Array]:
    after, words = bits(state)
    return after, narrow(words)


def _narrower(element: Type) -> Callable[[Array], Array]:
    """Returns the function that keeps as many low bits of each word as an element has."""
    dtype, width = dtype_of(element), bit_width(element)
    if width >= 32:
        return lambda words: words.view(dtype)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    if width >= 8:
        return lambda words: words.astype(unsigned).view(dtype)
    if isinstance(element, FloatType) or (isinstance(element, IntegerType) and element.is_unsigned):
        return lambda words: (words & np.uint32(2**width - 1)).astype(unsigned).view(dtype)
    sign = np.uint32(2 ** (width - 1))
    return lambda words: (((words & np.uint32(2**width - 1)) ^ sign) - sign).astype(np.int8).astype(dtype)


# --- Threefry ----------------------------------------------------------------------------------------------


def _threefry_bits(shape: Sizes, wide: bool, state: Array) -> tuple[Array, Array]:
    """Returns two words a step: together one element of 64 bits, else two neighbours in a dimension."""
    split = None if wide else _split_dimension(shape)
    steps = shape if split is None else tuple((n + 1) // 2 if d == split else n for d, n in enumerate(shape))
    count = math.prod(steps)
    counter = state[1] + np.arange(count, dtype=_U64)
    low, high = threefry(_halves(counter), _halves(state[:1]))
    after = np.array([state[0], state[1] + np.uint64(count)], _U64)
    if wide:
        return after, _joined(low, high).reshape(shape)
    if split is None:
        return after, low.reshape(shape)
    pairs = np.stack([low.reshape(steps), high.reshape(steps)], split + 1)
    doubled = pairs.reshape(tuple(2 * n if d == split else n for d, n in enumerate(steps)))
    return after, np.ascontiguousarray(doubled[tuple(slice(n) for n in shape)])


def _split_dimension(shape: Sizes) -> int | None:
    """Returns the dimension along which XLA lays a step's two words: the first even one, else the largest."""
    even = (d for d, size in enumerate(shape) if size % 2 == 0)
    return next(even, shape.index(max(shape)) if shape else None)


def threefry(counter: Words, key: Words) -> Words:
    """Returns the two words of 32 bits that Threefry2x32 computes from each counter and key of two words."""
    x, y = (np.array(words) for words in counter)
    keys = (key[0], key[1], key[0] ^ key[1] ^ _THREEFRY_PARITY)
    x += keys[0]
    y += keys[1]
    for step in range(5):
        for rotation in _THREEFRY_ROTATIONS[step % 2]:
            x += y
            y = (y << np.uint32(rotation)) | (y >> np.uint32(32 - rotation))
            y ^= x
        x += keys[(step + 1) % 3]
        y += keys[(step + 2) % 3] + np.uint32(step + 1)
    return x, y


# --- Philox ------------------------------------------------------------------------------------------------


def _philox_bits(shape: Sizes, wide: bool, state: Array) -> tuple[Array, Array]:
    """Returns four words a step: four elements, or two of 64 bits. The counter has 128 bits. In a state of
    three elements the last two are the counter, low half first; in one of two the key is also the counter's
    high half, and stays as it is."""
    count = math.prod(shape)
    steps = -(-count // 2) if wide else -(-count // 4)
    low = state[1:2]
    high = state[2:3] if state.size == 3 else state[:1]
    counter_low, counter_high = _add_128(low, high, np.arange(steps, dtype=_U64))
    words = _philox((*_halves(counter_low), *_halves(counter_high)), _halves(state[:1]))
    after_low, after_high = _add_128(low, high, np.array([steps], _U64))
    after = np.concatenate([state[:1], after_low, after_high])[: state.size]
    elements = [_joined(*words[:2]), _joined(*words[2:])] if wide else words
    return after, np.stack(elements, 1).reshape(-1)[:count].reshape(shape)


def _add_128(low: Array, high: Array, amount: Array) -> tuple[Array, Array]:
    total = low + amount
    return total, np.where(total < low, high + np.uint64(1), high)


def _philox(counter: Words, key: Words) -> Words:
    a, b, c, d = counter
    key_0, key_1 = key
    for _ in range(10):
        low_0, high_0 = _halves(a.astype(_U64) * _PHILOX_MULTIPLIERS[0])
        low_1, high_1 = _halves(c.astype(_U64) * _PHILOX_MULTIPLIERS[1])
        a, b, c, d = high_1 ^ b ^ key_0, low_1, high_0 ^ d ^ key_1, low_0
        key_0, key_1 = key_0 + _PHILOX_KEY_STEPS[:1], key_1 + _PHILOX_KEY_STEPS[1:]
    return a, b, c, d


def _halves(words: Array) -> tuple[Array, Array]:
    """Returns the low and the high 32 bits of each 64-bit word."""
    return (words & _LOW).astype(_U32), (words >> _HALF).astype(_U32)


def _joined(low: Array, high: Array) -> Array:
    return low.astype(_U64) | (high.astype(_U64) << _HALF)


# --- rng ---------------------------------------------------------------------------------------------------


@kernel("stablehlo.rng", needs_context=True)
def rng(op: OpView) -> KernelFn:
    """Draws from a uniform or normal distribution by the generator of the run; specification: "rng"."""
    distribution, result = op.word("rng_distribution"), op.result_type()
    draw = _distribution(distribution, result.element_type)

    def on_arrays(context: ExecutionContext, a: Array, b: Array, shape: Array) -> Array:
        sizes: Sizes = tuple(shape.tolist())
        require_sizes(sizes)
        return draw(_random_source(context), a, b, sizes)

    return on_arrays


def _distribution(distribution: str, element: Type) -> Callable[[Generator, Any, Any, Sizes], Array]:
    is_float = isinstance(element, FloatType)
    dtype = dtype_of(element)
    if distribution == "NORMAL" and is_float:
        return lambda source, a, b, sizes: (float(a) + float(b) * source.standard_normal(sizes)).astype(dtype)
    if distribution == "UNIFORM" and is_float:
        return lambda source, a, b, sizes: _uniform(source, a, b, sizes, dtype)
    if distribution == "UNIFORM" and isinstance(element, (IntegerType, IndexType)):
        return lambda source, a, b, sizes: _integers(source, int(a), int(b), sizes, dtype)
    raise KernelError(f"there is no distribution {distribution} of {element}")


def _uniform(source: Generator, a: Any, b: Any, sizes: Sizes, dtype: np.dtype[Any]) -> Array:
    low, high = float(a), float(b)
    drawn = np.asarray((low + (high - low) * source.random(sizes)).astype(dtype))
    drawn[drawn.astype(np.float64) >= high] = a  # rounding to a narrow type may reach the excluded end
    return drawn


def _integers(source: Generator, low: int, high: int, sizes: Sizes, dtype: np.dtype[Any]) -> Array:
    if low >= high:
        raise KernelError(f"the range from {low} to {high} is empty")
    wide = np.uint64 if high > 2**63 else np.int64
    return source.integers(low, high, sizes, wide).astype(dtype)


def generator_state(context: ExecutionContext) -> dict[str, Any] | None:
    """Returns the state of the run's generator of `rng`, as plain data; None if nothing was drawn."""
    source = context.random_generator
    return None if source is None else dict(source.bit_generator.state)


def set_generator_state(context: ExecutionContext, state: dict[str, Any]) -> None:
    """Restores the state of the run's generator; raises ValueError for data that is not a state of it."""
    try:
        _random_source(context).bit_generator.state = state
    except (TypeError, KeyError, OverflowError) as error:
        raise ValueError(f"no state of a generator: {error}") from None


def _random_source(context: ExecutionContext) -> Generator:
    """Returns the run's generator of this process, created from its seed at first use."""
    if context.random_generator is None:
        seeds = context.seed, context.replica_id, context.partition_id
        context.random_generator = np.random.default_rng(seeds)
    return context.random_generator
