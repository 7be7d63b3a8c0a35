"""Stops of a Session, forwards and backwards, against those computed naively from a full trace of the program.

A walk moves to breakpoints of every kind (line, operation, value, function, NaN and infinity, the change of an
expression; with conditions, counts, for one process), to lines, to operations that make numbers that are not
finite, to positions and, in a grid, into other futures; it changes breakpoints, and closes and reopens its
recording. Where it stops, which process is selected and which breakpoints are met must be what the trace says.

`python -m tests.debugger.stops --stops 20000 --seed 1` takes walks over the programs below with checkpoints at
distances of 1, 7 and 256 steps, with plenty of, little and no memory.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shlo.debugger import DebuggerError, Session
from shlo.debugger.recording.file import open_recording
from shlo.debugger.recording.recorder import record
from shlo.debugger.replay import checkpoints
from shlo.interpreter import RunOptions
from shlo.interpreter.engine.frames import Frame, copies
from shlo.interpreter.execution import make_grid, make_process
from shlo.interpreter.program.code import Kind, program_of
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.spmd.wait_for_graph import GridError
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.locations import (
    CallSiteLocation,
    FileLocation,
    Location,
    NameLocation,
    UnknownLocation,
    resolve,
)
from shlo.ir.operations import Module, Operation
from tests.debugger.parallel_programs import parallel_program
from tests.debugger.programs import CONSTANTS, LOGARITHMS, ROUNDS, ROUNDS_IN_GRID, STUCK_GRID, read

SETTINGS = ((1, 1 << 30), (7, 1 << 30), (256, 1 << 30), (7, 1 << 11), (256, 1 << 14), (256, 0))
"""How many steps lie between checkpoints, and how many bytes a session may keep."""

MOVES = {
    "resume": 8,
    "reverse": 8,
    "run_to_nonfinite": 4,
    "reverse_to_nonfinite": 4,
    "run_to_line": 2,
    "reverse_to_line": 2,
    "run_to_area": 2,
    "reverse_to_area": 2,
    "step_out": 2,
    "back_out": 2,
    "goto": 3,
    "restart": 0.3,
    "step_process": 0.4,
    "reopen": 0.4,
}
"""Moves and how often each is made."""

OF_ONE_PROCESS = frozenset(
    ("run_to_line", "reverse_to_line", "run_to_area", "reverse_to_area", "step_out", "back_out")
)

RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    ">": np.greater,
    "<": np.less,
    "==": np.equal,
    "!=": np.not_equal,
    ">=": np.greater_equal,
}

Name = str


def has_nan(value: Any) -> bool:
    """Returns whether a tensor has a NaN."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "fc" and bool(np.isnan(value).any())


def has_infinity(value: Any) -> bool:
    """Returns whether a tensor has an infinity."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "fc" and bool(np.isinf(value).any())


TESTS = {"nan": has_nan, "infinity": has_infinity}


SCOPES = ("", "jit(f)/a/op", "jit(f)/jvp(a)/b/op", "jit(f)/transpose(jvp(a))/op", "jit(f)/c/op", "c/b/op")
WANTED = ("a", "a/b", "b", "c", "jvp(a)", "f", "c/*", "*/b")
"""Scopes that operations get, and those that are looked for."""


class Place(NamedTuple):
    """Where a process arrived: the function, the next operation, its line, what was bound, its frames, the
    scope that the operation belongs to, the lines of Python that led to it.
    """

    function: str
    op: str
    line: int
    bound: tuple[Name, ...]
    frames: list[Frame]
    scope: str
    python: tuple[str, ...]

    def is_in(self, kind: str, where: str) -> bool:
        """Returns whether it is in a scope or comes from a line of Python."""
        if kind == "python":
            return any(line.endswith(f"/{where}") for line in self.python)
        parts = [part.replace("*", "") for part in where.split("/")]
        own = [{part, re.sub(r"^\w+\(|\)$", "", part), plain(part)} for part in self.scope.split("/")]
        return bool(self.scope) and any(
            all(any(name == part or not part for name in names) for part, names in zip(parts, own[start:]))
            for start in range(len(own) - len(parts) + 1)
        )

    def key(self, unit: str) -> str:
        """Returns its scope, or the innermost line of Python."""
        return self.scope if unit == "scope" else self.python[0] if self.python else ""


def plain(part: str) -> str:
    """Returns a part of a scope without transformations."""
    return re.sub(r"^(\w+\()*|\)*$", "", part)


def told(location: Location | None) -> tuple[str, tuple[str, ...]]:
    """Returns the scope and the lines of Python that a location tells."""
    location = resolve(location)
    if isinstance(location, NameLocation):
        return location.name.rpartition("/")[0], told(location.child)[1]
    if isinstance(location, CallSiteLocation):
        return "", told(location.callee)[1] + told(location.caller)[1]
    return "", (f"{location.file}:{location.line}",) if isinstance(location, FileLocation) else ()


def belongs(operations: Sequence[Operation], index: int) -> tuple[str, tuple[str, ...]]:
    """Returns the scope and lines of an operation; a constant and an operation that tells none, and the last,
    belong to the next one in the block that tells some, else to the one before.
    """
    inner = [*operations[index:-1], *operations[:-1][: index + 1][::-1]]
    for operation in inner:
        is_known = not isinstance(resolve(operation.location), (UnknownLocation, type(None)))
        if is_known and not operation.name.endswith(".constant"):
            return told(operation.location)
    return told(operations[index].location)


class Trace:
    """All that happens in a grid that takes the steps of a schedule and then goes on in its own order.

    `arrivals`, by position, has the places to which processes came; `made` what they made, by process.
    """

    def __init__(self, grid: ProcessGrid, schedule: Sequence[int]) -> None:
        self.schedule: list[int] = []
        self.arrivals: list[dict[int, Place]] = [{n: place(p.frames) for n, p in enumerate(grid.processes)}]
        self.made: list[dict[int, set[str]]] = [
            {n: held(p.frames[0]) for n, p in enumerate(grid.processes) if held(p.frames[0])}
        ]
        self.is_failed = False
        while not self.is_failed and self._take(grid, schedule):
            pass

    @property
    def last(self) -> int:
        """The last position."""
        return len(self.arrivals) - 1

    def _take(self, grid: ProcessGrid, schedule: Sequence[int]) -> bool:
        position = len(self.schedule)
        operands = {n: next_operands(p.frames[-1]) for n, p in enumerate(grid.processes) if p.frames}
        number: int | None = None
        try:
            number = schedule[position] if position < len(schedule) else grid.next_process
            if number is None:
                return False
            taken = grid.step(number)
        except GridError:
            self.is_failed = True
            if grid.steps > position:
                self._note(grid.steps, cast("int", number), {}, {})
            return False
        steps = (
            dict(taken.resumed) if taken.step is None else {taken.process: taken.step, **dict(taken.resumed)}
        )
        arrived = {n: place(p.frames) for n in steps if (p := grid.processes[n]).frames}
        made: dict[int, set[str]] = {}
        for process, step in steps.items():
            instruction = step.code.instructions[step.index]
            if instruction.kind is Kind.KERNEL:
                names = [step.code.values.names[register] or "" for register, _ in step.results]
                is_constant = step.operation.name == "stablehlo.constant"
                made[process] = kinds_made(
                    is_constant, names, [value for _, value in step.results], operands[process]
                )
        self._note(grid.steps, number, arrived, {n: kinds for n, kinds in made.items() if kinds})
        return True

    def _note(self, position: int, number: int, arrived: dict[int, Place], made: dict[int, set[str]]) -> None:
        assert position == len(self.arrivals)
        self.schedule.append(number)
        self.arrivals.append(arrived)
        self.made.append(made)


def place(frames: Sequence[Frame]) -> Place:
    """Returns where a process is."""
    frame = frames[-1]
    code, names = frame.code, frame.code.values.names
    bound = code.block.operations[frame.index - 1].results if frame.index else code.block.arguments
    line = int(frame.place.split(":")[-2]) if frame.place else 0
    texts = tuple(names[register] or f"#{register}" for register in bound)
    operations = code.block.operations
    scope_and_lines = belongs(operations, frame.index)
    return Place(
        frame.function.name, operations[frame.index].name, line, texts, copies(frames), *scope_and_lines
    )


def held(frame: Frame) -> set[str]:
    """Returns what the arguments of a function hold."""
    values = [frame.registers[register] for register in frame.code.arguments]
    return {kind for kind, test in TESTS.items() if any(map(test, values))}


def next_operands(frame: Frame) -> list[tuple[Name, Any]]:
    """Returns the operands of the operation that comes next, and their names."""
    names = frame.code.values.names
    return [
        (names[register] or "", frame.registers[register])
        for register in frame.code.block.operations[frame.index].operands
    ]


def kinds_made(
    is_constant: bool, names: Sequence[Name], results: Sequence[Any], operands: Sequence[tuple[Name, Any]]
) -> set[str]:
    """Returns what an operation made. Programs call values `fixed` that hold a NaN of a constant and are taken
    by no loop, call or end, and `passed` those that are.
    """
    made = {
        kind
        for kind, test in TESTS.items()
        if any(map(test, results)) and not any(test(value) for _, value in operands)
    }
    if is_constant:
        made.clear()
    others = [value for name, value in operands if not name.startswith(("fixed", "passed"))]
    if any(map(has_nan, results)) and not any(map(has_nan, others)):
        made.add("nan")
    return set() if any(name.startswith("fixed") for name in names) else made


def scope(frames: Sequence[Frame]) -> dict[Name, Any]:
    """Returns the values in scope in the innermost frame, by name; the innermost of each name."""
    found: dict[Name, Any] = {}
    for frame in reversed(frames):
        bound = [*frame.code.block.arguments]
        for operation in frame.code.block.operations[: frame.index]:
            bound.extend(operation.results)
        for register in reversed(bound):
            found.setdefault(frame.code.values.names[register] or f"#{register}", frame.registers[register])
        if frame.region is None:
            break
    return found


def lookup(frames: Sequence[Frame], name: Name) -> Any:
    """Returns the value of a name in the innermost function that has one, None for none."""
    end = len(frames)
    while end:
        found = scope(frames[:end])
        if name in found:
            return found[name]
        end = max(index for index in range(end) if frames[index].region is None)
    return None


def open_round(frames: Sequence[Frame]) -> int | None:
    """Returns the round of the innermost loop that is open."""
    loops = (Kind.WHILE, Kind.COUNT)
    for depth in range(len(frames) - 1, 0, -1):
        if frames[depth].region is not None and frames[depth - 1].instruction.kind in loops:
            return frames[depth].iteration
    return None


class Condition(Struct, frozen=True):
    """A comparison of a value, as a text and as NumPy says it."""

    name: Name
    measure: Literal["", "max", "nans"]
    relation: str
    number: float
    first_round: int | None = None

    def __str__(self) -> str:
        rounds = "" if self.first_round is None else f"iter >= {self.first_round} and "
        return f"{rounds}%{self.name} {self.measure} {self.relation} {self.number!r}"

    def holds(self, frames: Sequence[Frame]) -> bool:
        """Returns whether it is true where a process is."""
        if self.first_round is not None:
            number = open_round(frames)
            if number is None or number < self.first_round:
                return False
        value = lookup(frames, self.name)
        if not isinstance(value, (np.ndarray, np.generic)):
            return False
        array, compare = np.asarray(value), RELATIONS[self.relation]
        if array.dtype.kind == "b":
            array = array.astype(np.uint8)
        if self.measure == "nans":
            return bool(compare(np.count_nonzero(array != array), self.number))
        if self.measure == "max":
            finite = array[np.isfinite(array)]
            return bool(finite.size) and bool(compare(finite.max().item(), self.number))
        return bool(compare(array, self.number).any())


class Spec(Struct, frozen=True):
    """A breakpoint as the walk means it."""

    kind: Literal["line", "op", "value", "nonfinite", "scope", "python", "change"]
    where: int | str
    process: int | None = None
    condition: Condition | None = None
    ignored: int = 0
    enabled: bool = True
    function: str = ""

    def is_at(self, at: Place) -> bool:
        """Returns whether a place is its own."""
        if self.kind == "line":
            return at.line == self.where
        if self.kind in ("scope", "python"):
            return at.is_in(self.kind, str(self.where))
        return at.op == self.where if self.kind == "op" else self.where in at.bound

    def stops(self, trace: Trace) -> dict[int, set[int]]:
        """Returns which processes it stops, by position."""
        found: dict[int, set[int]] = {}
        if not self.enabled:
            return found
        count = 0
        states: dict[int, Any] = {}
        for position in range(trace.last + 1):
            if self.kind == "nonfinite":
                wanted = {"nan", "infinity"} if self.where == "any" else {self.where}
                stopped = {process for process, kinds in trace.made[position].items() if kinds & wanted}
            elif self.kind == "change":
                stopped = {
                    process
                    for process, at in trace.arrivals[position].items()
                    if self._changes(at, process, states)
                }
            else:
                stopped = {process for process, at in trace.arrivals[position].items() if self.is_at(at)}
            if self.kind in ("scope", "python"):
                stopped = {process for process in stopped if not self._was_inside(trace, process, position)}
            if self.process is not None:
                stopped &= {self.process}
            if self.condition is not None and self.kind != "change":
                arrivals = trace.arrivals[position]
                stopped = {process for process in stopped if self.condition.holds(arrivals[process].frames)}
            count += len(stopped)
            if stopped and count > self.ignored:
                found[position] = stopped
        return found

    def _changes(self, at: Place, process: int, states: dict[int, Any]) -> bool:
        """Returns whether the value, or the condition, is another one than it was last in a process."""
        if at.function != self.function:
            return False
        if self.condition is not None:
            if not isinstance(lookup(at.frames, self.condition.name), (np.ndarray, np.generic)):
                return False
            before, states[process] = states.get(process), self.condition.holds(at.frames)
            return states[process] and not before
        value = lookup(at.frames, str(self.where).removeprefix("%"))
        if not isinstance(value, (np.ndarray, np.generic)):
            return False
        bits = np.asarray(value).tobytes()
        before, states[process] = states.get(process), bits
        return before is not None and before != bits

    def _was_inside(self, trace: Trace, process: int, position: int) -> bool:
        """Returns whether a process was there already, calls and regions in between left out."""
        depth = len(trace.arrivals[position][process].frames)
        earlier = (trace.arrivals[at].get(process) for at in range(position - 1, -1, -1))
        before = next((at for at in earlier if at and len(at.frames) <= depth), None)
        return before is not None and self.is_at(before)


class Program(Struct, frozen=True):
    """A program with its arguments, alone or in a grid."""

    name: str
    module: Module
    inputs: Sequence[Any]
    shape: tuple[int, int] = (1, 1)

    @property
    def is_alone(self) -> bool:
        """Whether one process runs it."""
        return self.shape == (1, 1)

    @property
    def keywords(self) -> dict[str, Any]:
        """What a session is told beside the arguments."""
        return {"replicas": self.shape[0], "partitions": self.shape[1], "seed": 5}

    def grid(self) -> ProcessGrid:
        """Starts it."""
        options = RunOptions(keep_values=True, **self.keywords)
        if self.is_alone:
            process = make_process(self.module, list(self.inputs), options)
            return ProcessGrid([process], GridShape(), is_alone=True)
        return make_grid(self.module, self.inputs, options)


class Walk:
    """A session that goes from stop to stop, and the breakpoints that it has."""

    def __init__(self, program: Program, seed: int, memory: int) -> None:
        self.choice = random.Random(seed)
        self.program = program
        self.memory = memory
        self.session = Session(program.module, program.inputs, memory=memory, **program.keywords)
        self.trace = Trace(program.grid(), ())
        self.specs: dict[int, Spec] = {}
        self.counts: Counter[str] = Counter()
        self.history: list[str] = []
        self._known: dict[Spec, dict[int, set[int]]] = {}

    def stop(self) -> None:
        """Perhaps changes breakpoints; moves, and compares where that led."""
        if not self.specs or self.choice.random() < 0.25:
            self._change()
        names = [name for name in MOVES if self.program.is_alone or name not in OF_ONE_PROCESS]
        if self.program.is_alone:
            names.remove("step_process")
        name = self.choice.choices(names, [MOVES[each] for each in names])[0]
        self.history.append(name)
        getattr(self, f"_{name}")()
        self.counts[name] += 1
        self.counts["stops"] += 1
        self.counts[f"because of {self.session.snapshot.reason}"] += 1

    # --- moves ---

    def _resume(self) -> None:
        here = self.session.position
        self.session.resume()
        self._expect_forwards(self._stops(), here, missed=self.trace.last)

    def _reverse(self) -> None:
        here = self.session.position
        self.session.reverse()
        self._expect_backwards(self._stops(), here, missed=0)

    def _run_to_nonfinite(self) -> None:
        here, reason, what = self.session.position, self.session.snapshot.reason, self._what()
        snapshot = self.session.nonfinite.run_to(what)
        own = Spec("nonfinite", what)
        if here == 0 and reason != "arguments" and 0 in self._stops_of(own):
            self._expect("ends with", (snapshot.position, snapshot.reason), (0, "arguments"))
        else:
            self._expect_forwards(
                self._stops(own), here, missed=self.trace.last if self.trace.is_failed else here
            )

    def _reverse_to_nonfinite(self) -> None:
        here, what = self.session.position, self._what()
        snapshot = self.session.nonfinite.reverse_to(what)
        own = Spec("nonfinite", what)
        self._expect_backwards(self._stops(own), here, missed=here)
        if here and snapshot.position == 0:
            self._expect("names arguments", snapshot.reason == "arguments", 0 in self._stops_of(own))

    def _run_to_line(self) -> None:
        here, line = self.session.position, self._line()
        self.session.run_to_line(line)
        missed = self.trace.last if self.trace.is_failed else here
        self._expect_forwards(self._stops(Spec("line", line)), here, missed)

    def _reverse_to_line(self) -> None:
        here, line = self.session.position, self._line()
        self.session.reverse_to_line(line)
        self._expect_backwards(self._stops(Spec("line", line)), here, missed=here)

    def _run_to_area(self) -> None:
        here, spec = self.session.position, self._area()
        try:
            self.session.structure.run_to(cast("Any", spec.kind), str(spec.where))
        except DebuggerError:
            self._expect_nowhere(spec)
            return
        missed = self.trace.last if self.trace.is_failed else here
        self._expect_forwards(self._stops(spec), here, missed)

    def _reverse_to_area(self) -> None:
        here, spec = self.session.position, self._area()
        try:
            self.session.structure.reverse_to(cast("Any", spec.kind), str(spec.where))
        except DebuggerError:
            self._expect_nowhere(spec)
            return
        self._expect_backwards(self._stops(spec), here, missed=here)

    def _expect_nowhere(self, spec: Spec) -> None:
        """Expects that no process arrives in an area that the program is said not to have."""
        self._expect(f"arrives in {spec.where} at", self._stops_of(spec), {})

    def _step_out(self) -> None:
        here, unit, is_deep = self.session.position, *self._way()
        at = self.trace.arrivals[here].get(0)
        self.session.structure.step_out_of(unit, is_deep)
        ends = {here} if at is None else set[int]()
        for position in range(here + 1, self.trace.last + 1):
            to = self.trace.arrivals[position].get(0)
            if at and to and to.key(unit) not in ("", at.key(unit)):
                is_inside = len(to.frames) > len(at.frames) or (
                    unit == "scope" and at.scope and to.scope.startswith(f"{at.scope}/")
                )
                if is_deep or not is_inside:
                    ends.add(position)
        if at is None:
            self._expect("is at", self.session.position, here)
        else:
            self._expect_forwards(self._stops() | ends, here, missed=self.trace.last)

    def _back_out(self) -> None:
        here, unit, is_deep = self.session.position, *self._way()
        at = self.trace.arrivals[here].get(0)
        self.session.structure.back_out_of(unit, is_deep)
        depth, key, end = len(at.frames) if at else 1, "", set[int]()
        for position in range(here - 1, -1, -1):
            to = self.trace.arrivals[position][0]
            if (not is_deep and len(to.frames) > depth) or not to.key(unit):
                continue
            is_below = unit == "scope" and not is_deep and to.scope.startswith(f"{key}/")
            if key and to.key(unit) != key and not is_below:
                break
            key, end = key or to.key(unit), {position}
            depth = min(depth, len(to.frames))
        self._expect_backwards(self._stops() | end, here, missed=0)

    def _way(self) -> tuple[Literal["scope", "line"], bool]:
        return self.choice.choice(["scope", "line"]), self.choice.random() < 0.5

    def _area(self) -> Spec:
        """Returns a scope, or a line of Python that leads to somewhere."""
        lines = self._place()[1].python
        if lines and self.choice.random() < 0.5:
            return Spec("python", self.choice.choice(lines).rpartition("/")[2])
        return Spec("scope", self.choice.choice(WANTED))

    def _goto(self) -> None:
        target = self.choice.randint(0, self.trace.last)
        self.history.append(str(target))
        self._expect("is at", self.session.goto(target).position, target)

    def _restart(self) -> None:
        self._expect("is at", self.session.restart().position, 0)

    def _step_process(self) -> None:
        try:
            self.session.step_process(self.choice.randrange(len(self.session.cursor.grid.processes)))
        except DebuggerError:
            return
        schedule = list(cast("Sequence[int]", self.session.cursor.history.schedule))
        if schedule != self.trace.schedule[: len(schedule)]:
            self.trace = Trace(self.program.grid(), schedule)
            self._known.clear()
            self.counts["other futures"] += 1

    def _reopen(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "a.shlorec")
            recorder = record(self.session, path)
            self._resume()
            recorder.close()
            before = self.session
            self.session = open_recording(path, memory=self.memory)
        self._expect("is reopened at", self.session.position, before.position)
        numbers = [point.number for point in self.session.breakpoints]
        self._expect("has so many breakpoints", len(numbers), len(self.specs))
        self.specs = dict(zip(numbers, self.specs.values()))

    def _what(self) -> str:
        return self.choice.choice(["nan", "infinity", "any"])

    def _line(self) -> int:
        return self._place()[1].line

    # --- what must come of them ---

    def _stops_of(self, spec: Spec) -> dict[int, set[int]]:
        if spec not in self._known:
            self._known[spec] = spec.stops(self.trace)
        return self._known[spec]

    def _stops(self, *more: Spec) -> set[int]:
        """Returns the positions at which the breakpoints, or those of a search, stop."""
        return {position for spec in (*self.specs.values(), *more) for position in self._stops_of(spec)}

    def _expect_forwards(self, stops: set[int], here: int, missed: int) -> None:
        self._expect_at(min((at for at in stops if at > here), default=None), missed)

    def _expect_backwards(self, stops: set[int], here: int, missed: int) -> None:
        self._expect_at(max((at for at in stops if at < here), default=None), missed)

    def _expect_at(self, stop: int | None, missed: int) -> None:
        snapshot = self.session.snapshot
        self._expect("is at", snapshot.position, missed if stop is None else stop)
        if stop is None:
            return
        selected = self.session.cursor.selected
        met = [
            number for number, spec in self.specs.items() if selected in self._stops_of(spec).get(stop, ())
        ]
        self._expect("meets breakpoints", snapshot.breakpoints, tuple(sorted(met)))
        self.counts["stops at breakpoints"] += bool(met)

    def _expect(self, what: str, actual: Any, expected: Any) -> None:
        if actual != expected:
            points = ", ".join(map(str, self.specs.values()))
            raise AssertionError(
                f"{what} {actual}, not {expected}, after {', '.join(self.history[-12:])}; breakpoints {points}"
            )

    # --- breakpoints ---

    def _place(self) -> tuple[int, Place]:
        """Returns a process, and somewhere where it arrives."""
        while True:
            arrivals = self.trace.arrivals[self.choice.randint(0, self.trace.last)]
            if arrivals:
                return self.choice.choice(list(arrivals.items()))

    def _change(self) -> None:
        number = self.choice.choice(list(self.specs)) if self.specs else 0
        ways = [self._add, self._add] if len(self.specs) < 4 else []
        ways += [self._remove, self._switch, self._restrict, self._ignore] if self.specs else []
        self.choice.choice(ways)(number)

    def _add(self, _: int) -> None:
        process, at = self._place()
        only = self.choice.choice([None, process])
        condition = self._condition(at)
        session, text = self.session, condition and str(condition)
        kind = self.choice.choice(["line", "op", "value", "function", "nonfinite", "scope", "change"])
        if kind == "change":
            spec, point = self._add_change(at, only)
            if spec is None:
                return
        elif kind == "nonfinite" or (kind == "value" and not at.bound):
            spec = Spec("nonfinite", self._what(), only)
            point = session.breakpoints.on_nonfinite(str(spec.where), only)
        elif kind == "line":
            spec = Spec("line", at.line, only, condition)
            point = session.breakpoints.on_line(at.line, text, only)
        elif kind == "function":
            first = program_of(session.module).functions[at.function].code
            spec = Spec("line", place([Frame(first, [None] * len(first.values.types))]).line, only, condition)
            point = session.breakpoints.on_function(at.function, text, only)
        elif kind == "scope":
            area = self._area()
            try:
                point = session.breakpoints.on_area(cast("Any", area.kind), str(area.where), text, only)
            except DebuggerError:
                self._expect_nowhere(area)
                return
            spec = replace(area, process=only, condition=condition)
        elif kind == "op" and at.op.startswith("stablehlo."):
            spec = Spec("op", at.op, only, condition)
            point = session.breakpoints.on_op(at.op, text, only)
        elif at.bound:
            spec = Spec("value", self.choice.choice(at.bound), only, condition)
            point = session.breakpoints.on_value(str(spec.where), text, only)
        else:
            return
        known = self.specs.get(point.number)  # the same one may be there already, with a count
        self._put(point.number, replace(spec, ignored=known.ignored if known else 0))

    def _add_change(self, at: Place, only: int | None) -> tuple[Spec | None, Any]:
        """Watches a value in scope; sometimes whether it crosses a bound."""
        condition = self._condition(at)
        if condition is not None:
            condition = replace(condition, first_round=None)
            if condition.measure == "nans":
                condition = replace(condition, measure="")
            if condition.measure == "max":  # it has no value without finite elements
                condition = replace(condition, measure="")
            name = condition.name
        else:
            names = [name for name, value in scope(at.frames).items() if isinstance(value, np.ndarray)]
            if not names:
                return None, None
            name = self.choice.choice(names)
        text = condition and str(condition)
        point = self.session.breakpoints.on_change(f"%{name}", text, only, at.function)
        return Spec("change", f"%{name}", only, condition, function=at.function), point

    def _condition(self, at: Place) -> Condition | None:
        values = {
            name: value
            for name, value in scope(at.frames).items()
            if isinstance(value, (np.ndarray, np.generic)) and np.asarray(value).size
        }
        if not values or self.choice.random() < 0.5:
            return None
        name = self.choice.choice(list(values))
        if self.choice.random() < 0.2:
            return Condition(name, "nans", ">", 0)
        numbers = np.asarray(values[name]).astype(np.float64).reshape(-1)
        number = float(self.choice.choice(numbers[np.isfinite(numbers)].tolist() or [0.0]))
        relation = self.choice.choice(list(RELATIONS))
        rounds = self.choice.choice([None, None, self.choice.randint(0, 20)])
        exact = int(number) if number == int(number) else number
        return Condition(name, self.choice.choice(["", "max"]), relation, exact, rounds)

    def _remove(self, number: int) -> None:
        self.session.breakpoints.remove(number)
        self.history.append(f"remove {self.specs.pop(number)}")

    def _switch(self, number: int) -> None:
        spec = self.specs[number]
        self.session.breakpoints.enable(number, not spec.enabled)
        self._put(number, replace(spec, enabled=not spec.enabled))

    def _restrict(self, number: int) -> None:
        spec = self.specs[number]
        if spec.kind not in ("nonfinite", "change"):
            condition = self._condition(self._place()[1])
            self.session.breakpoints.restrict(number, condition and str(condition))
            self._put(number, replace(spec, condition=condition, ignored=0))

    def _ignore(self, number: int) -> None:
        spec = self.specs[number]
        if spec.kind != "nonfinite":
            most = len(replace(spec, ignored=0, enabled=True).stops(self.trace))
            count = self.choice.randint(0, most + 1)
            self.session.breakpoints.ignore(number, count)
            self._put(number, replace(spec, ignored=count))

    def _put(self, number: int, spec: Spec) -> None:
        self.specs[number] = spec
        self.history.append(str(spec))


@contextmanager
def checkpoints_every(steps: int) -> Iterator[None]:
    """Has sessions keep checkpoints at a distance of so many steps."""
    before = checkpoints.SPACING, checkpoints.REGISTERS_PER_STEP
    checkpoints.SPACING, checkpoints.REGISTERS_PER_STEP = steps, 1 << 30
    try:
        yield
    finally:
        checkpoints.SPACING, checkpoints.REGISTERS_PER_STEP = before


def walk(program: Program, *, stops: int, seed: int, spacing: int, memory: int) -> Counter[str]:
    """Walks to `stops` stops and compares each; counts what was done."""
    with checkpoints_every(spacing):
        made = Walk(program, seed, memory)
        try:
            for _ in range(stops):
                made.stop()
        except Exception as error:
            setting = f"{program.name}, seed {seed}, checkpoints every {spacing}, memory {memory}"
            raise AssertionError(f"{setting}: {error}") from error
        return made.counts


def with_locations(module: Module, seed: int) -> Module:
    """Returns a program whose operations are said to come from scopes and lines of Python."""
    choice = random.Random(seed)

    def line() -> Location:
        return FileLocation("/home/a/net.py", choice.randint(1, 4), 1)

    location: Location | None = None
    for operation, _ in module.walk():
        if location is None or choice.random() < 0.5:
            place = choice.choice([line(), CallSiteLocation(line(), line())])
            name = choice.choice(SCOPES)
            location = (
                NameLocation(name, place)
                if name
                else choice.choice([place, NameLocation("op"), UnknownLocation()])
            )
        operation.location = location
    return read(module.to_text(locations=True))


def programs(seed: int) -> list[Program]:
    """Returns the programs to walk over: alone and in grids, with arguments made up by a seed."""
    made = np.random.default_rng(seed)
    x = made.uniform(-1, 1, (2, 3)).astype(np.float32)
    holed = x.copy()
    holed[1, made.integers(3)] = made.choice([np.nan, np.inf])
    parts = [[made.uniform(-1, 1, 3).astype(np.float32)] for _ in range(4)]
    text, shape = parallel_program(seed)
    random_parts = [[made.standard_normal(4).astype(np.float32)] for _ in range(shape[0] * shape[1])]
    return [
        Program("rounds", read(ROUNDS), [x]),
        Program("rounds of arguments with holes", read(ROUNDS), [holed]),
        Program("rounds with locations", with_locations(read(ROUNDS), seed), [x]),
        Program("a grid with locations", with_locations(read(ROUNDS_IN_GRID), seed), parts, (2, 2)),
        Program("logarithms", read(LOGARITHMS), [np.zeros(4, np.float32)]),
        Program("rounds in a grid", read(ROUNDS_IN_GRID), parts, (2, 2)),
        Program("a grid that gets stuck", read(STUCK_GRID), parts, (2, 2)),
        Program(f"parallel program {seed}", read(text), random_parts, shape),
        Program("NaN of constants", read(CONSTANTS), [random_parts[0][0]]),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.debugger.stops", description=__doc__)
    parser.add_argument("--stops", type=int, default=10_000, help="how many stops in all, at least")
    parser.add_argument("--per-walk", type=int, default=60, help="how many stops of one walk")
    parser.add_argument(
        "--seed", type=int, default=1, help="the first seed; each round of walks takes the next"
    )
    options = parser.parse_args()
    counts, failures, seed = Counter[str](), list[str](), options.seed
    while counts["stops"] < options.stops and len(failures) < 20:
        for number, program in enumerate(programs(seed)):
            spacing, memory = SETTINGS[(seed + number) % len(SETTINGS)]
            try:
                own_seed = seed * 1000 + number
                counts += walk(program, stops=options.per_walk, seed=own_seed, spacing=spacing, memory=memory)
            except AssertionError as error:
                failures.append(str(error))
            counts["walks"] += 1
            counts[f"walks with checkpoints every {spacing}, memory {memory}"] += 1
        seed += 1
    print("\n".join(failures))
    print("\n".join(f"{name:50}{count:>8}" for name, count in sorted(counts.items())))
    print(f"seeds {options.seed} to {seed - 1}, {time.process_time():.1f} s of CPU time")
    print(f"differences: {len(failures)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
