"""Random walks of a Session: at every stop it must show what a fresh run shows there, and every move must
lead where a list of the fresh run's places says.

`python -m tests.debugger.walk PATH --stops 12000 --seed 1` walks over every function without arguments of
every program under PATH (the parts of a file that `// -----` divides are programs); without a PATH, over the
corpus of JAX programs. Walks take turns with plenty of, little and no memory for their recording.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from shlo.debugger import Breakpoint, Session
from shlo.interpreter import Process, RunOptions, make_process
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.kernel_api import TOKEN
from shlo.interpreter.program.code import program_of
from shlo.interpreter.spmd.rendezvous import Future
from shlo.ir.diagnostics import ExecutionError, ShloError
from shlo.ir.operations import Module
from shlo.syntax import parse
from tests.conformance.suite import split
from tests.jax_programs import RUNNABLE

STEPS = 1500
"""A walk keeps to the first steps of a program."""

MEMORIES = (1 << 30, 1 << 12, 0)

MOVES = {
    "step_in": 8,
    "step_over": 5,
    "step_out": 2,
    "resume": 2,
    "back_in": 8,
    "back_over": 5,
    "back_out": 2,
    "reverse": 2,
    "goto": 3,
    "restart": 0.3,
}
"""Moves and how often each is made."""

Look = tuple[Any, ...]


class Place(NamedTuple):
    """Where a run is at a position: how many frames are open, the next operation, its line, what was bound."""

    depth: int
    op: str
    line: int | None
    bound: tuple[str, ...]


class FreshRun:
    """What a program shows after each of its first steps, seen by a Process that never goes back."""

    def __init__(self, module: Module, arguments: Sequence[Any], entry: str) -> None:
        self.digests = Digests()
        self.looks: list[Look] = []
        self.places: list[Place] = []
        process = make_process(module, [*arguments], RunOptions(entry=entry, keep_values=True))
        self._note(process)
        while process.status == "ready" and len(self.looks) <= STEPS:
            try:
                process.step()
            except ExecutionError:
                break
            self._note(process)
        self.is_whole = process.status != "ready"

    @property
    def last(self) -> int:
        """The last position that was seen."""
        return len(self.looks) - 1

    def _note(self, process: Process) -> None:
        frames = process.frames
        places = tuple((f.function.name, f.region, f.index, f.iteration) for f in frames)
        values = tuple(self._values(frames)) if frames else self.digests.of(process.returned)
        self.looks.append((places, values))
        self.places.append(_place(frames))

    def _values(self, frames: list[Frame]) -> Iterator[tuple[int, str]]:
        """Yields what the operations executed so far in the open blocks of the innermost function have bound."""
        for frame in reversed(frames):
            block = frame.code.block
            bound = [*block.arguments]
            for operation in block.operations[: frame.index]:
                bound.extend(operation.results)
            yield from ((register, self.digests.of(frame.registers[register])) for register in bound)
            if frame.region is None:
                return


def _place(frames: list[Frame]) -> Place:
    if not frames:
        return Place(0, "", None, ())
    frame = frames[-1]
    block, names = frame.code.block, frame.code.values.names
    bound = block.operations[frame.index - 1].results if frame.index else block.arguments
    line = frame.place.split(":")[-2] if frame.place else None
    return Place(
        len(frames),
        block.operations[frame.index].name,
        None if line is None else int(line),
        tuple(names[register] or f"#{register}" for register in bound),
    )


class Digests:
    """Values as short texts that are equal where the values are, bit by bit; each array is looked at once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, str]] = {}

    def of(self, value: Any) -> str:
        if isinstance(value, tuple):
            return f"({','.join(map(self.of, value))})"
        if value is TOKEN or value is None or isinstance(value, Future):
            return str(value)
        known = self._known.get(id(value))
        if known is None:
            array = np.asarray(value)
            content = hashlib.blake2b(np.ascontiguousarray(array).tobytes(), digest_size=8).hexdigest()
            known = self._known[id(value)] = (value, f"{array.dtype}{array.shape}{content}")
        return known[1]


def session_look(session: Session, digests: Digests) -> Look:
    """Returns what a Session shows where it stands, through its public face where that shows it."""
    snapshot, process = session.snapshot, session.cursor.process
    if snapshot.status == "done":
        return (), digests.of(process.returned)
    places = tuple(
        (f.function, f.region, frame.index, f.iteration) for f, frame in zip(snapshot.frames, process.frames)
    )
    return places, tuple(_session_values(session, digests))


def _session_values(session: Session, digests: Digests) -> Iterator[tuple[int, str]]:
    frames = session.cursor.process.frames
    views = session.inspector.values()
    for depth in sorted({view.depth for view in views}, reverse=True):
        code = frames[depth - 1].code
        registers = {code.values.names[register] or f"#{register}": register for register in code.defined_at}
        for view in views:
            if view.depth == depth:
                yield registers[view.name], digests.of(session.inspector.value(view.name))


class Walk:
    """A session that wanders about in the part of a program that a fresh run has seen."""

    def __init__(self, module: Module, arguments: Sequence[Any], entry: str, seed: int, memory: int) -> None:
        self.choice = random.Random(seed)
        self.fresh = FreshRun(module, arguments, entry)
        self.session = Session(module, arguments, entry=entry, memory=memory)
        self.counts: Counter[str] = Counter()
        self.history: list[str] = []

    def stop(self) -> None:
        """Compares what the session shows, then moves on and compares where that led."""
        position = self.session.snapshot.position
        # What was looked at must die before ids can be used again, so values keep no digests here.
        self._expect("shows", session_look(self.session, Digests()), self.fresh.looks[position])
        self._look_elsewhere()
        if self.choice.random() < 0.15:
            self._change_breakpoints()
        self._move(position)
        self.counts["stops"] += 1

    def _move(self, position: int) -> None:
        fresh, session = self.fresh, self.session
        name = self.choice.choices(list(MOVES), list(MOVES.values()))[0]
        target = self.choice.randint(0, fresh.last) if name == "goto" else 0
        self.history.append(f"{name} {target}" if target else name)
        snapshot = session.goto(target) if name == "goto" else getattr(session, name)()
        expected = target if name in ("goto", "restart") else self._destination(name, position)
        if expected is not None:
            self._expect("is at", snapshot.position, expected)
            self.counts["stops at breakpoints"] += snapshot.reason == "breakpoint"
        self.counts[name] += 1
        if snapshot.position > fresh.last:
            session.goto(fresh.last)

    def _destination(self, name: str, position: int) -> int | None:
        """Returns where a move must lead, None where that lies beyond what the fresh run has seen."""
        places, depth = self.fresh.places, self.fresh.places[position].depth
        backwards = name in ("back_in", "back_over", "back_out", "reverse")
        if name.endswith("_over"):
            limit = max(1, depth) if backwards else depth
        else:
            limit = {"_in": 1 << 30, "out": depth - 1}.get(name[-3:], -1)
        ahead = range(position - 1, -1, -1) if backwards else range(position + 1, len(places))
        for at in ahead:
            if places[at].depth <= limit or any(_is_met(p, places[at]) for p in self.session.breakpoints):
                return at
        return 0 if backwards else self.fresh.last if self.fresh.is_whole else None

    def _change_breakpoints(self) -> None:
        """Sets a breakpoint on what stands somewhere in the program, or takes one away."""
        session, place = self.session, self.choice.choice(self.fresh.places)
        if len(session.breakpoints) > 2:
            point = self.choice.choice([*session.breakpoints])
            self.history.append(f"remove {point}")
            session.breakpoints.remove(point.number)
            return
        ways: list[Callable[[], Breakpoint]] = []
        if place.op.startswith("stablehlo."):
            ways.append(lambda: session.breakpoints.on_op(place.op))
        if place.line is not None:
            ways.append(lambda: session.breakpoints.on_line(place.line or 0))
        ways += [lambda name=name: session.breakpoints.on_value(name) for name in place.bound]
        if ways:
            self.history.append(str(self.choice.choice(ways)()))

    def _look_elsewhere(self) -> None:
        """Looks at what a value was when it was bound before; the session must stay where it is."""
        views = self.session.inspector.values()
        if not views or self.choice.random() > 0.2:
            return
        name = self.choice.choice(views).name
        at = self.choice.choice(self.session.inspector.history(name))
        if at <= self.fresh.last:
            value = Digests().of(self.session.inspector.value_at(name, at))
            self._expect(f"shows %{name} of {at}", value in dict(self.fresh.looks[at][1]).values(), True)
            self.counts["looks elsewhere"] += 1

    def _expect(self, what: str, actual: Any, expected: Any) -> None:
        if actual != expected:
            position = self.session.snapshot.position
            raise AssertionError(
                f"at {position} after {self.history[-8:]} it {what} {actual}, not {expected}"
            )


def _is_met(point: Breakpoint, place: Place) -> bool:
    if not place.depth:
        return False
    return {
        "line": place.line == point.where,
        "op": place.op == point.where,
        "value": point.where in place.bound,
    }[point.kind]


def walk(
    module: Module,
    arguments: Sequence[Any] = (),
    *,
    entry: str = "main",
    stops: int,
    seed: int,
    memory: int = 1 << 30,
) -> Counter[str]:
    """Walks to `stops` stops (fewer where a program has few steps) and compares each; counts what was done."""
    made = Walk(module, arguments, entry, seed, memory)
    for _ in range(min(stops, 4 * made.fresh.last + 1)):
        try:
            made.stop()
        except AssertionError as error:
            raise AssertionError(f"@{entry}, seed {seed}, memory {memory}: {error}") from error
    return made.counts


def programs(path: Path) -> Iterator[tuple[str, Module]]:
    """Yields the programs under a path that can be read, with names."""
    files = sorted(path.rglob("*.mlir")) if path.is_dir() else [path]
    for file in files:
        for line, text in split(file.read_text("utf-8", "surrogateescape")):
            module, diagnostics = parse(text, file.name)
            if not any(finding.severity == "error" for finding in diagnostics):
                yield f"{file.name}:{line}", module


def entries(module: Module) -> list[str]:
    """Returns the functions of a program that take no arguments."""
    return [name for name, function in program_of(module).functions.items() if not function.argument_types]


def _cases(path: Path | None) -> Iterator[tuple[str, Module, str, Sequence[Any]]]:
    if path is None:
        for program in RUNNABLE:
            yield program.name, parse(program.text())[0], "main", program.arguments
        return
    for name, module in programs(path):
        yield from ((name, module, entry, ()) for entry in entries(module))


class Totals:
    """What many walks did, by seed."""

    def __init__(self) -> None:
        self.by_seed: dict[int, Counter[str]] = {}
        self.by_memory: Counter[int] = Counter()
        self.failures: list[str] = []

    @property
    def stops(self) -> int:
        return sum(counts["stops"] for counts in self.by_seed.values())

    def add(self, seed: int, memory: int, made: Counter[str]) -> None:
        self.by_seed.setdefault(seed, Counter()).update({**made, "walks": 1})
        self.by_memory[memory] += made["stops"]

    def table(self) -> str:
        """Returns a line for each thing that was counted, a column for each seed, the sum last."""
        rows = ["walks", "stops", *MOVES, "stops at breakpoints", "looks elsewhere"]
        lines = [_row("seed", [*map(str, self.by_seed), "sum"])]
        for row in rows:
            numbers = [counts[row] for counts in self.by_seed.values()]
            lines.append(_row(row, [*map(str, numbers), str(sum(numbers))]))
        memory = ", ".join(f"{stops} with {bytes_} bytes" for bytes_, stops in self.by_memory.items())
        return "\n".join([*lines, f"stops by memory: {memory}", f"differences: {len(self.failures)}"])


def _row(name: str, cells: list[str]) -> str:
    return f"{name:21}" + "".join(f"{cell:>8}" for cell in cells)


def _walk_all(
    cases: list[tuple[str, Module, str, Sequence[Any]]], seed: int, per: int, totals: Totals
) -> None:
    for number, (name, module, entry, arguments) in enumerate(cases):
        memory = MEMORIES[(seed + number) % len(MEMORIES)]
        try:
            own_seed = seed * 1_000_000 + number
            made = walk(module, arguments, entry=entry, stops=per, seed=own_seed, memory=memory)
        except AssertionError as error:
            totals.failures.append(f"{name}: {error}")
            continue
        except ShloError as error:
            print(f"{name} @{entry} cannot start: {error}")
            continue
        totals.add(seed, memory, made)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.debugger.walk", description=__doc__)
    parser.add_argument("path", type=Path, nargs="?")
    parser.add_argument("--stops", type=int, default=10_000, help="how many stops in all, at least")
    parser.add_argument("--per-walk", type=int, default=60, help="how many stops of one walk, at most")
    parser.add_argument(
        "--seed", type=int, default=1, help="the first seed; each round over all takes the next"
    )
    options = parser.parse_args()
    cases, totals, seed = list(_cases(options.path)), Totals(), options.seed
    while cases and totals.stops < options.stops and seed < options.seed + 100:
        _walk_all(cases, seed, options.per_walk, totals)
        seed += 1
    print("\n".join(totals.failures[:20]))
    print(f"{len(cases)} functions, {time.process_time():.1f} s of CPU time\n{totals.table()}")
    return 0 if totals.stops >= options.stops and not totals.failures else 1


if __name__ == "__main__":
    sys.exit(main())
