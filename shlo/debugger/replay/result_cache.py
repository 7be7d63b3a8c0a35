"""Result cache: results of steps, and checkpoints, within a memory budget.

Results and checkpoints are dropped when memory runs short. What was dropped is computed again from the
nearest checkpoint before it. The first checkpoint, with the arguments, always stays.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

from shlo.debugger.replay.block_index import block_index
from shlo.debugger.replay.checkpoints import Checkpoints
from shlo.debugger.replay.effect_log import Values
from shlo.interpreter.engine.frames import State
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.runtime.values import is_array, is_tuple, storage, total_bytes
from shlo.interpreter.spmd.grid import GridState
from shlo.support.memory import give_memory_back

ENTRY_BYTES = 64
"""What a recorded value takes beside its elements."""


class MemoryUse:
    """Counts who holds which storage. Values that are exempt are held by others anyway (arguments,
    constants).
    """

    def __init__(self) -> None:
        self.bytes = 0
        self._holders: dict[int, int] = {}
        self._exempt: dict[int, Value] = {}

    def exempt(self, values: Iterable[Value]) -> None:
        """These are not counted, now and later; none of them may be held yet."""
        for value in values:
            if is_tuple(value):
                self.exempt(value)
            elif is_array(value):
                owner = value if value.base is None else storage(value)
                if id(owner) not in self._exempt and id(owner) not in self._holders:
                    self._exempt[id(owner)] = owner

    def exempting_same(self) -> MemoryUse:
        """Returns a count of nothing yet, with the same exempt values."""
        other = MemoryUse()
        other._exempt = dict(self._exempt)
        return other

    def recount(self, held: Iterable[Iterable[Value]]) -> None:
        """Counts anew: these are all that is held."""
        self.bytes = 0
        self._holders.clear()
        for values in held:
            self.hold(values)

    def hold(self, values: Iterable[Value]) -> None:
        """Counts one more holder of these values."""
        holders, exempt, size = self._holders, self._exempt, 0
        for value in values:
            size += ENTRY_BYTES
            if is_array(value):
                owner = value if value.base is None else storage(value)
                key = id(owner)
                if key not in exempt:
                    count = holders.get(key, 0)
                    holders[key] = count + 1
                    size += 0 if count else owner.nbytes
            elif is_tuple(value):
                size -= ENTRY_BYTES
                self.hold(value)
        self.bytes += size

    def release(self, values: Iterable[Value]) -> None:
        """Counts one holder less; the values must still exist."""
        for value in _leaves(values):
            self.bytes -= ENTRY_BYTES
            owner = storage(value)
            if is_array(owner) and id(owner) not in self._exempt:
                count = self._holders.pop(id(owner)) - 1
                if count:
                    self._holders[id(owner)] = count
                else:
                    self.bytes -= owner.nbytes


def _leaves(values: Iterable[Value]) -> Iterable[Value]:
    for value in values:
        if is_tuple(value):
            yield from _leaves(value)
        else:
            yield value


SEGMENT = 64
"""How many steps' results are dropped together."""

SAFE = 4
"""How many times the bytes of a state's values, by their types, must fit, so that these are not counted:
storage may be larger than the value that is a part of it.
"""

GIVEN_BACK = 256 << 20
"""How many bytes are dropped between two times that freed memory is given back to the system."""

DEAR_SHARE = 2
"""Results that are dear may take the budget's part by this, before checkpoints are dropped for them."""

StoredCheckpoints = Callable[[int, int], GridState | None]
"""Returns the last checkpoint of a recording after one position and not after another, None for none."""


class KeptResults:
    """Results by step, in segments that are dropped together."""

    def __init__(self, segments: Mapping[int, dict[int, Values]] | None = None) -> None:
        self._segments = dict(segments or {})
        self.bytes = sum(map(_bytes_of, self.values()))
        """How many bytes they take, shared storage counted for each step."""

    def __bool__(self) -> bool:
        return bool(self._segments)

    def get(self, step: int) -> Values | None:
        """Returns the results of a step; None where they are not kept."""
        segment = self._segments.get(step // SEGMENT)
        return None if segment is None else segment.get(step)

    def add(self, step: int, values: Values) -> None:
        """Keeps the results of a step."""
        self._segments.setdefault(step // SEGMENT, {})[step] = values
        self.bytes += _bytes_of(values)

    def values(self) -> Iterator[Values]:
        """Yields the results of each step."""
        for segment in self._segments.values():
            yield from segment.values()

    def before(self, position: int) -> KeptResults:
        """Returns those of the steps before a position."""
        segments = {
            number: {step: values for step, values in segment.items() if step < position}
            for number, segment in self._segments.items()
        }
        return KeptResults({number: segment for number, segment in segments.items() if segment})

    def pop_farthest(self, cursor: int) -> Iterator[Values]:
        """Drops and yields the results of the segment that lies farthest from a position."""
        farthest = max(self._segments, key=lambda segment: abs(segment - cursor // SEGMENT))
        for values in self._segments.pop(farthest).values():
            self.bytes -= _bytes_of(values)
            yield values

    def pop_from(self, position: int) -> Iterator[Values]:
        """Drops and yields the results of the steps from a position on."""
        for number in [number for number in self._segments if number >= position // SEGMENT]:
            segment = self._segments[number]
            for step in [step for step in segment if step >= position]:
                values = segment.pop(step)
                self.bytes -= _bytes_of(values)
                yield values


def _bytes_of(values: Values) -> int:
    return sum([value.nbytes if is_array(value) else ENTRY_BYTES for value in values])


class ResultCache:
    """Results by step, and checkpoints; together they take up to `budget` bytes beside what the programs
    themselves hold. Results that are dear, of operations that read more than they make, are dropped after
    the others.

    Once they did not fit, `is_short` is set: values that no operation needs any more are kept no longer.
    """

    def __init__(self, budget: int, exempt: Iterable[Value]) -> None:
        self.budget = budget
        self.is_short = False
        self._use = MemoryUse()
        self._use.exempt(exempt)
        self._cheap, self._dear = KeptResults(), KeptResults()
        self._checkpoints = Checkpoints()
        self.stored: StoredCheckpoints | None = None
        self._holders: dict[int, int] = {}  # how many checkpoints have a process's state, by its id
        self._uncounted: list[State] = []  # states that take at most `_most` bytes, counted when that matters
        self._most = 0.0
        self._unrecorded_bytes = 0
        self._dropped_bytes = 0

    @property
    def bytes(self) -> int:
        """How many bytes are held; the programs' own values not counted."""
        self._count()
        return self._use.bytes

    # --- results ---

    def results(self, step: int) -> Values | None:
        """Returns what the kernel gave in the step from position `step`, None where that is not kept."""
        values = self._cheap.get(step)
        return self._dear.get(step) if values is None else values

    def record(self, step: int, values: Values, is_dear: bool = False) -> None:
        """Keeps the results of a step."""
        self._add(step, values, is_dear)
        self._evict(step)

    def record_all(self, first: int, results: Sequence[Values | None], dear: Container[int] = ()) -> None:
        """Keeps the results of steps that follow each other; None for those that are not to be kept. `dear`
        has the steps whose results are.
        """
        step = first
        for step, values in enumerate(results, first):
            if values is not None and self.results(step) is None:
                self._add(step, values, step in dear)
        self._evict(step)

    def _add(self, step: int, values: Values, is_dear: bool) -> None:
        """Keeps the results of a step; a part of a larger array would keep all of that, and is cheap."""
        is_dear = is_dear and all(
            not is_array(value) or storage(value).nbytes <= value.nbytes for value in values
        )
        (self._dear if is_dear else self._cheap).add(step, values)
        self._use.hold(values)

    def exempt(self, values: Iterable[Value]) -> None:
        """Does not count values that the program holds anyway."""
        self._use.exempt(values)

    # --- checkpoints ---

    def checkpoint_before(self, position: int) -> GridState:
        """Returns the last checkpoint at or before a position, one that a recording has where it is later."""
        state = self._checkpoints.before(position)
        if self.stored is not None and (stored := self.stored(state.steps, position)) is not None:
            self.keep(stored)
            return stored
        return state

    def checkpoints(self) -> tuple[GridState, ...]:
        """Returns all checkpoints in memory."""
        return tuple(self._checkpoints)

    def is_checkpoint_due(self, position: int, unrecorded_bytes: int = 0) -> bool:
        """Returns whether to keep a checkpoint: the last one is far enough away, or frames hold so much more
        since then, of which no results are recorded, that it must be counted.
        """
        self._unrecorded_bytes += unrecorded_bytes
        if self._checkpoints.is_due(position):
            return True
        return self._unrecorded_bytes > self.budget // 8 and not self._checkpoints.has(position)

    def keep(self, state: GridState) -> None:
        """Keeps a checkpoint."""
        self._unrecorded_bytes = 0
        registers = sum(map(_registers, self._hold(state)))
        self._checkpoints.add(state, registers)
        self._evict(state.steps)
        if not self._checkpoints.has(state.steps):
            self._checkpoints.postpone(state.steps, registers)

    def _hold(self, state: GridState) -> list[State]:
        """Notes one more checkpoint; returns the processes' states that no other has."""
        added: list[State] = []
        self._use.bytes += ENTRY_BYTES * len(state.processes)
        for part in state.processes:
            count = self._holders.get(id(part), 0)
            self._holders[id(part)] = count + 1
            if not count:
                added.append(part)
        self._uncounted += added
        if state.steps:
            self._most += sum(map(_most_bytes, added))
        else:
            self._count()
        return added

    def _count(self) -> None:
        """Counts what states hold that were not counted."""
        while self._uncounted:
            part = self._uncounted[-1]
            self._use.exempt(_constants(part))
            self._use.hold(part.values())
            self._uncounted.pop()
        self._most = 0.0

    def _release(self, state: GridState) -> None:
        self._count()
        self._use.bytes -= ENTRY_BYTES * len(state.processes)
        for part in state.processes:
            count = self._holders.pop(id(part)) - 1
            if count:
                self._holders[id(part)] = count
            else:
                self._use.release(part.values())

    # --- memory ---

    def repair(self) -> None:
        """Counts anew after an interrupt that may have come anywhere."""
        self._uncounted.clear()
        self._use.recount([*self._cheap.values(), *self._dear.values()])
        self._holders.clear()
        self._most = 0.0
        for state in self._checkpoints:
            self._hold(state)

    def branch(self, position: int) -> ResultCache:
        """Returns a cache with what comes before a position, and the checkpoints up to it. Both count what
        they share.
        """
        other = ResultCache(self.budget, ())
        other.is_short = self.is_short
        other._use = self._use.exempting_same()
        other._checkpoints = self._checkpoints.copy()
        other._checkpoints.cut(position)
        other._cheap, other._dear = self._cheap.before(position), self._dear.before(position)
        other.repair()
        return other

    def trim(self, budget: int, cursor: int) -> None:
        """Changes how many bytes may be held; drops what lies farthest from a position."""
        self.budget = budget
        self._evict(cursor)

    def cut(self, position: int) -> None:
        """Drops what comes after a position."""
        for state in self._checkpoints.cut(position):
            self._release(state)
        for results in (self._cheap, self._dear):
            for values in results.pop_from(position):
                self._use.release(values)

    def _evict(self, cursor: int) -> None:
        """Drops what lies farthest from the cursor until the rest fits with some room to spare."""
        if self._use.bytes + SAFE * self._most <= self.budget:
            return
        self._count()
        if self._use.bytes <= self.budget:
            return
        if not self.is_short:
            self._drop_dead()
        enough, before = self.budget * 7 // 8, self._use.bytes
        while self._use.bytes > enough and self._drop_some(cursor):
            pass
        self._dropped_bytes += before - self._use.bytes
        if self._dropped_bytes > GIVEN_BACK:
            self._dropped_bytes = 0
            give_memory_back()

    def _drop_some(self, cursor: int) -> bool:
        """Drops a segment of results or a checkpoint, what is the cheapest to compute again; returns False
        where there is none.
        """
        has_checkpoints = len(self._checkpoints) > 1
        is_much = self._dear.bytes > self.budget // DEAR_SHARE or not has_checkpoints
        results = self._cheap or (self._dear if is_much else None)
        if results:
            for values in results.pop_farthest(cursor):
                self._use.release(values)
        elif has_checkpoints:
            self._release(self._checkpoints.drop_one(cursor))
        return bool(results) or has_checkpoints

    def _drop_dead(self) -> None:
        """Drops values that no operation needs any more; a state that several checkpoints have stays one."""
        self.is_short = True
        live: dict[int, tuple[State, State]] = {}  # with the state itself, so that no id is used twice

        def without_dead(part: State) -> State:
            return live.setdefault(id(part), (part, part.without_dead()))[1]

        for state, trimmed in self._checkpoints.replace(
            lambda state: state.with_processes(map(without_dead, state.processes))
        ):
            self._hold(trimmed)
            self._release(state)


def _most_bytes(state: State) -> float:
    """Returns how many bytes the values of a state have at most."""
    codes = {id(frame.registers): frame.code for frame in state.frames}
    entries = sum(ENTRY_BYTES * len(code.values.types) for code in codes.values())
    others = [value for frame in state.frames for value in frame.carried]
    most = sum(block_index(code).most_bytes for code in codes.values())
    return entries + most + total_bytes([*others, *state.results])


def _constants(state: State) -> Iterable[Value]:
    """Yields the values of a state's open blocks that are a part of the program."""
    for frame in state.frames:
        for at in block_index(frame.code).constants:
            if at < frame.index:
                yield from (frame.registers[register] for register in frame.code.instructions[at].results)


def _registers(state: State) -> int:
    return sum({id(frame.registers): len(frame.registers) for frame in state.frames}.values())
