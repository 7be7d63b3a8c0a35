"""Random bits: Threefry2x32 with 20 rounds and Philox4x32 with 10 (Salmon et al., SC 2011).

The specification leaves the variants to implementations; elements are laid out here as XLA lays them out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from shlo.ir.dtypes import bit_width
from shlo.reference.bits import bits_of, element_of_bits
from shlo.reference.element import EvaluationError
from shlo.reference.op import Op, meaning
from shlo.reference.tensor import Tensor, filled, index_space

LOW: Final = 0xFFFFFFFF
ROTATIONS: Final = ((13, 15, 26, 6), (17, 29, 16, 24))
PARITY: Final = 0x1BD11BDA
MULTIPLIERS: Final = (0xD2511F53, 0xCD9E8D57)
KEY_STEPS: Final = (0x9E3779B9, 0xBB67AE85)


@meaning()
def rng_bit_generator(op: Op, initial_state: Tensor) -> tuple[Tensor, Tensor]:
    """Random bits, and the state after them: the key stays, the counter moves on by the steps that were
    taken."""
    state = [bits_of(element) for element in initial_state.elements()]
    shape, type_ = op.result_shape(1), op.result_type(1)
    width = bit_width(type_)
    if op.attribute("rng_algorithm") == "THREE_FRY":
        words, steps = _threefry_elements(shape, width, state)
        after = [state[0], (state[1] + steps) % 2**64, *state[2:]]
    else:
        words, steps = _philox_elements(math.prod(shape), width, state)
        counter = _philox_counter(state, steps)
        after = [state[0], counter % 2**64, counter >> 64][: len(state)]
    new_state = (element_of_bits(word, initial_state.element_type) for word in after)
    elements = (element_of_bits(word % 2**width, type_) for word in words)
    return filled(initial_state.shape, initial_state.element_type, new_state), filled(shape, type_, elements)


@meaning()
def rng(op: Op, a: Tensor, b: Tensor, shape: Tensor) -> Tensor:
    """Numbers that differ from run to run: there is nothing to compare them with."""
    raise EvaluationError("the specification does not say which random numbers these are")


def threefry(counter: tuple[int, int], key: tuple[int, int]) -> tuple[int, int]:
    """Returns two words of 32 bits from a counter and a key of two words."""
    x, y = counter
    keys = (*key, key[0] ^ key[1] ^ PARITY)
    x, y = (x + keys[0]) & LOW, (y + keys[1]) & LOW
    for step in range(5):
        for rotation in ROTATIONS[step % 2]:
            x = (x + y) & LOW
            y = x ^ ((y << rotation | y >> (32 - rotation)) & LOW)
        x = (x + keys[(step + 1) % 3]) & LOW
        y = (y + keys[(step + 2) % 3] + step + 1) & LOW
    return x, y


def _threefry_elements(shape: Sequence[int], width: int, state: Sequence[int]) -> tuple[list[int], int]:
    """Returns the elements' words and the number of steps; a step's two words are one element of 64 bits,
    or two neighbours along the first even dimension, else along the largest one."""
    key = _halves(state[0])

    def step(number: int) -> tuple[int, int]:
        return threefry(_halves((state[1] + number) % 2**64), key)

    if width == 64 or not shape:
        count = math.prod(shape)
        return [low | high << 32 if width == 64 else low for low, high in map(step, range(count))], count
    even = (d for d, size in enumerate(shape) if size % 2 == 0)
    split = next(even, list(shape).index(max(shape)))
    steps = [(size + 1) // 2 if d == split else size for d, size in enumerate(shape)]
    words = dict(zip(index_space(steps), map(step, range(math.prod(steps)))))
    elements = [
        words[(*index[:split], index[split] // 2, *index[split + 1 :])][index[split] % 2]
        for index in index_space(shape)
    ]
    return elements, math.prod(steps)


def philox(counter: int, key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Returns four words of 32 bits from a counter of 128 bits and a key of two words."""
    a, b, c, d = (counter >> 32 * part & LOW for part in range(4))
    key_0, key_1 = key
    for _ in range(10):
        first, second = a * MULTIPLIERS[0], c * MULTIPLIERS[1]
        a, b, c, d = second >> 32 ^ b ^ key_0, second & LOW, first >> 32 ^ d ^ key_1, first & LOW
        key_0, key_1 = (key_0 + KEY_STEPS[0]) & LOW, (key_1 + KEY_STEPS[1]) & LOW
    return a, b, c, d


def _philox_counter(state: Sequence[int], steps: int) -> int:
    """Returns the counter: the last two numbers of the state, low half first; of two, the key is the high
    half."""
    high = state[2] if len(state) == 3 else state[0]
    return (state[1] + (high << 64) + steps) % 2**128


def _philox_elements(count: int, width: int, state: Sequence[int]) -> tuple[list[int], int]:
    """Returns the elements' words and the number of steps, each of four words or two of 64 bits."""
    each = 2 if width == 64 else 4
    steps = -(-count // each)

    def words() -> Iterator[int]:
        for number in range(steps):
            a, b, c, d = philox(_philox_counter(state, number), _halves(state[0]))
            yield from (a | b << 32, c | d << 32) if width == 64 else (a, b, c, d)

    return list(words())[:count], steps


def _halves(word: int) -> tuple[int, int]:
    return word & LOW, word >> 32
