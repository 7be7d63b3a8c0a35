"""Lint: a key of random numbers that is used twice, by what a run passes to its generators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from msgspec import Struct, field

from shlo.diagnosis.alternatives import are_alternatives
from shlo.interpreter.engine.frames import Frame, rounds_of
from shlo.interpreter.kernel_steps import KernelStep
from shlo.interpreter.program.code import CodeBlock
from shlo.ir.name_stack import stack_of
from shlo.places.card import Card
from shlo.places.origins import Origin, SourceLine, is_library, origin_of_path
from shlo.places.place import Place, short_line_text
from shlo.places.remedies import SPLIT
from shlo.runner.python_source import PythonSources

_THREEFRY: Final = "threefry2x32"
_GENERATOR: Final = "stablehlo.rng_bit_generator"
_LIBRARY: Final = re.compile(
    r"_?(threefry|random|rbg|ball|bernoulli|beta|binomial|categorical|cauchy|chisquare|choice|dirichlet|"
    r"double_sided|exponential|fold_in|gamma|generalized|geometric|gumbel|laplace|loggamma|logistic|lognormal|"
    r"maxwell|multinomial|multivariate|normal|orthogonal|pareto|permutation|poisson|rademacher|randint|rayleigh|"
    r"shuffle|split|t|triangular|truncated|uniform|wald|weibull)(_|\d|$)"
)
"""Names of functions of JAX that use keys."""

_RECOMPUTED: Final = ("rematted_computation", "checkpoint", "remat")
MOST_KEYS: Final = 100_000
"""How many keys are remembered."""


class KeyUse(Struct, frozen=True):
    """A use of a key: where its process was (block, instruction and round of each frame, down to the call of
    the library's), the rounds of loops in it, where the call came from, and its operation.
    """

    path: tuple[tuple[CodeBlock, int, int], ...]
    rounds: tuple[int, ...]
    origin: Origin
    operation: str


class RepeatedUse(Struct, frozen=True):
    """A key that was used twice: the first use, and another one."""

    first: KeyUse
    again: KeyUse
    key: tuple[int, ...]


class KeyUses(Struct):
    """The keys that a run has used, and the first two uses of those that were used twice."""

    looked_at: int = 0
    known: dict[bytes, KeyUse] = field(default_factory=dict[bytes, KeyUse])
    repeated: dict[tuple[SourceLine, ...], RepeatedUse] = field(
        default_factory=dict[tuple[SourceLine, ...], RepeatedUse]
    )

    def note(self, step: KernelStep) -> None:
        """Looks at a step: the first of a call of threefry, and those of XLA's generator."""
        keys = _keys_of(step)
        if keys is None:
            return
        operations = [frame.instruction.operation for frame in step.frames[:-1]]
        if any(word in stack_of(operation.location) for operation in operations for word in _RECOMPUTED):
            return
        self.looked_at += 1
        use = _use_of(step)
        for key in keys:
            name = key.tobytes()
            first = self.known.get(name)
            if first is None and len(self.known) < MOST_KEYS:
                self.known[name] = use
            elif first is not None and first.path != use.path and not _is_alternative(use, first):
                again = RepeatedUse(first, use, tuple(map(int, key)))
                self.repeated.setdefault(use.origin.lines, again)

    def cards(self, sources: PythonSources) -> Iterator[Card]:
        """Yields a card for each line that used a key again."""
        for repeated in self.repeated.values():
            first, again = repeated.first, repeated.again
            place = Place(again.operation, None, again.origin)
            numbers = f"the key is {list(repeated.key)}"
            if first.origin.lines == again.origin.lines and first.rounds != again.rounds:
                deed = "uses in every round the key of the round before"
                rounds = " and ".join(", ".join(map(str, use.rounds)) for use in (first, again))
                notes = (f"in rounds {rounds}, for example", numbers)
            else:
                earlier = sources.expression_of(first.origin.line)
                subject = earlier.subject if earlier else first.operation
                where = short_line_text(first.origin.line)
                deed = "uses a key that was used before"
                notes = (f"first used by {subject}{f' at {where}' if where else ''}", numbers)
            callers = [line for line in again.origin.lines if line != place.origin.line]
            outer = [f"called at {short_line_text(line)}" for line in callers if not is_library(line.file)]
            yield sources.card_at("key_reuse", place, deed, SPLIT, *notes, *outer[:1])


def _keys_of(step: KernelStep) -> Any:
    """Returns the keys that a step begins to use, a row each; None for other steps."""
    if step.operation.name == _GENERATOR:
        return np.ascontiguousarray(step.operands[0]).reshape(1, -1)
    frame = step.frames[-1]
    if step.instruction or not frame.code.function.name.startswith(_THREEFRY):
        return None
    if frame.region is not None or len(frame.code.arguments) != 4 or any(map(_is_fold, step.frames)):
        return None
    words = [frame.registers[register] for register in frame.code.arguments[:2]]
    if any(word is None for word in words):
        return None
    first, second = np.broadcast_arrays(*map(np.asarray, words))
    return np.unique(np.stack([first.reshape(-1), second.reshape(-1)], axis=1), axis=0)


def _is_alternative(use: KeyUse, other: KeyUse) -> bool:
    """Returns whether two uses are in branches of a `cond` that was batched, of which both are computed."""
    *frames, (code, second, times) = use.path
    *other_frames, (other_code, first, other_times) = other.path
    is_same_round = (frames, code, times) == (other_frames, other_code, other_times)
    return is_same_round and are_alternatives(code, first, second)


def _is_fold(frame: Frame) -> bool:
    """Returns whether a frame is of `fold_in`, which makes other keys of other numbers."""
    return "fold_in" in frame.code.function.name


def _use_of(step: KernelStep) -> KeyUse:
    """Returns the use of a key by a step: that of the call of the library's that leads to it, which may deal
    with keys of its own inside.
    """
    frames = step.frames
    library = (depth for depth, frame in enumerate(frames) if _is_library(frame))
    depth = max(next(library, len(frames)), 1)
    path = tuple((frame.code, frame.index, frame.iteration) for frame in frames[:depth])
    operations = [frame.instruction.operation for frame in frames[:depth]]
    if depth == len(frames):  # which is behind the step
        operations[-1] = step.operation
    return KeyUse(path, rounds_of(frames[:depth]), origin_of_path(operations), operations[-1].name)


def _is_library(frame: Frame) -> bool:
    """Returns whether a frame is of a function of `jax.random`, or of what those lower to."""
    return _LIBRARY.match(frame.code.function.name) is not None
