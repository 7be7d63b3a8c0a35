"""Random walks of a Session of a grid: at every stop all processes must be what they are in a fresh grid
whose processes took their steps in the same order, and at the end the results those of `run_grid`.

`python -m tests.debugger.walk_grid --stops 10000 --seed 1` walks over programs made up by seeds, some of
which cannot end. Walks take turns with plenty of, little and no memory for their recording.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import shlo
from shlo.debugger import Breakpoint, DebuggerError, Session, Snapshot
from shlo.interpreter import GridError, ProcessGrid, RunOptions, make_grid
from shlo.interpreter.engine.frames import Frame

from .parallel_programs import parallel_program
from .walk import MEMORIES, Digests

MOVES = {
    "step_in": 8,
    "step_over": 4,
    "step_out": 2,
    "resume": 1,
    "run_to_sync": 4,
    "step_process": 6,
    "back_in": 8,
    "back_over": 4,
    "back_out": 2,
    "reverse": 1,
    "reverse_to_sync": 4,
    "goto": 4,
    "restart": 0.3,
}
"""Moves and how often each is made."""

BACKWARDS = ("back_in", "back_over", "back_out", "reverse", "reverse_to_sync")

Look = tuple[Any, ...]


class FreshGrid:
    """A grid that takes the steps of a schedule and never goes back; it is made anew for another schedule."""

    def __init__(self, make: Callable[[], ProcessGrid]) -> None:
        self._make = make
        self._grid, self._taken = make(), list[int]()

    def at(self, schedule: Sequence[int]) -> ProcessGrid:
        """Returns the grid after these steps."""
        if list(schedule[: len(self._taken)]) != self._taken or self._grid.error:
            self._grid, self._taken = self._make(), []
        for number in schedule[len(self._taken) :]:
            try:
                self._grid.step(number)
            except GridError:
                break
        self._taken = list(schedule)
        return self._grid


def fate(grid: ProcessGrid) -> GridError | None:
    """Returns why a grid cannot go on."""
    try:
        if grid.error is not None:
            raise grid.error
        assert grid.next_process is None or grid.status == "ready"
    except GridError as error:
        return error
    return None


def look(grid: ProcessGrid, digests: Digests) -> Look:
    """Returns where all processes stand, who waits for whom, what is in the queues."""
    error = fate(grid)
    graph = error.graph if error else grid.wait_graph()
    places = [[_place(frame) for frame in process.frames] for process in grid.processes]
    queues = [grid.channels(number) for number in range(grid.shape.size)]
    messages = {
        str(key): [digests.of(item) for item in items] for key, items in queues[0].channels.items() if items
    }
    fed = [[digests.of(item) for item in queue.outfeed] for queue in queues]
    steps = [process.steps for process in grid.processes]
    states = [grid.status_of(number) for number in range(grid.shape.size)]
    results = [digests.of(process.returned) for process in grid.processes]
    return (
        places,
        steps,
        states,
        results,
        messages,
        fed,
        sorted(graph.waiting.items()),
        graph.cycle,
        str(error),
    )


def _place(frame: Frame) -> Look:
    return frame.function.name, frame.region, frame.index, frame.iteration


def values(frames: Sequence[Frame], digests: Digests) -> dict[str, str]:
    """Returns what is in scope in the innermost frame, by name."""
    found: dict[str, str] = {}
    for frame in reversed(frames):
        block, names = frame.code.block, frame.code.values.names
        bound = [*block.arguments]
        for operation in block.operations[: frame.index]:
            bound.extend(operation.results)
        for register in bound:
            found.setdefault(names[register] or f"#{register}", digests.of(frame.registers[register]))
        if frame.region is None:
            break
    return found


class GridWalk:
    """A session that wanders about in a program made up by a seed."""

    def __init__(self, seed: int, memory: int) -> None:
        self.choice = random.Random(seed)
        text, (replicas, partitions) = parallel_program(seed)
        self.module = shlo.parse(text)
        inputs = [
            [np.random.default_rng(number).standard_normal(4).astype(np.float32)]
            for number in range(replicas * partitions)
        ]
        call = {"replicas": replicas, "partitions": partitions}
        self.make = lambda: make_grid(self.module, inputs, RunOptions(keep_values=True, **call))
        session = Session(self.module, inputs, memory=memory, **call)
        self.session = session
        self.size = replicas * partitions
        self.fresh = FreshGrid(self.make)
        self.counts: Counter[str] = Counter()
        self.history: list[str] = []

    def stop(self) -> None:
        """Compares what the session shows, then moves on."""
        self._compare()
        if self.choice.random() < 0.2:
            number = self.choice.randrange(self.size)
            self.history.append(f"select {number}")
            self.session.select_process(number)
        if self.choice.random() < 0.1:
            self._change_breakpoints()
        self._move()
        self.counts["stops"] += 1

    def end(self) -> None:
        """Goes on to the end, and compares that with a run."""
        for point in self.session.breakpoints:
            self.session.breakpoints.remove(point.number)
        snapshot = self.session.resume()
        while snapshot.reason not in ("done", "failed"):
            snapshot = self.session.resume()
        digests = Digests()
        own = [digests.of(process.returned) for process in self._grid.processes]
        ran = self.make()
        try:
            ran.finish()
        except GridError as error:
            # Another order may let another process close the cycle, so the words may differ; not the fate.
            self._expect("ends with an error", snapshot.error is not None, True)
            self._expect("fails in", error.op is not None, True)
            self.counts["failed ends"] += 1
            return
        self._expect("ends with", own, [digests.of(process.returned) for process in ran.processes])
        self.counts["done ends"] += 1

    @property
    def _grid(self) -> ProcessGrid:
        return self.session.cursor.grid

    def _compare(self) -> None:
        session, digests = self.session, Digests()
        snapshot = session.snapshot
        schedule = list(session.cursor.history.schedule)[: snapshot.position]
        fresh = self.fresh.at(schedule)
        self._expect("shows", look(self._grid, digests), look(fresh, digests))
        error = fate(fresh)
        self._expect("has the error", snapshot.error, error and str(error))
        for number in {session.grid.selected, self.choice.randrange(self.size)}:
            self._compare_values(number, fresh, digests)

    def _compare_values(self, number: int, fresh: ProcessGrid, digests: Digests) -> None:
        session, selected = self.session, self.session.grid.selected
        session.select_process(number)
        known = values(fresh.processes[number].frames, digests)
        shown = {
            view.name: digests.of(session.inspector.value(view.name)) for view in session.inspector.values()
        }
        self._expect(f"has in process {number}", shown, known)
        session.select_process(selected)

    def _move(self) -> None:
        session = self.session
        before = session.snapshot
        own, selected = session.cursor.process.steps, session.grid.selected
        name = self.choice.choices(list(MOVES), list(MOVES.values()))[0]
        snapshot = self._carry_out(name, before)
        self.counts[name] += 1
        self.counts[f"because of {snapshot.reason}"] += 1
        backwards = name in BACKWARDS
        if backwards:
            self._expect(f"went by {name}", snapshot.position <= before.position, True)
        if snapshot.reason == "step" and name in ("step_in", "back_in"):
            self._expect(f"went by {name} to", session.cursor.process.steps, own + (-1 if backwards else 1))
            self._expect("still selects", session.grid.selected, selected)
        if snapshot.reason == "step" and name in ("run_to_sync", "reverse_to_sync"):
            self._expect("has met", session.cursor.history.are_settled(session.cursor.position), True)
        if snapshot.reason == "breakpoint":
            self._expect("says which", bool(snapshot.breakpoints), True)

    def _carry_out(self, name: str, before: Snapshot) -> Snapshot:
        session = self.session
        if name == "goto":
            target = self.choice.randint(0, before.last)
            self.history.append(f"goto {target}")
            snapshot = session.goto(target)
            self._expect("is at", snapshot.position, target)
            return snapshot
        if name == "step_process":
            number = self.choice.randrange(self.size)
            self.history.append(f"step_process {number}")
            try:
                return session.step_process(number)
            except DebuggerError:
                return session.goto(before.position)
        self.history.append(name)
        return getattr(session, name)()

    def _change_breakpoints(self) -> None:
        session = self.session
        if len(session.breakpoints) > 1:
            point = self.choice.choice([*session.breakpoints])
            self.history.append(f"remove {point}")
            session.breakpoints.remove(point.number)
            return
        process = self.choice.choice([None, self.choice.randrange(self.size)])
        frame = session.snapshot.frame
        ways: list[Callable[[], Breakpoint]] = [lambda: session.breakpoints.on_op("sine", process=process)]
        if frame is not None and frame.line is not None:
            ways.append(lambda: session.breakpoints.on_line(frame.line or 1, process=process))
        views = session.inspector.values()
        if views:
            name = self.choice.choice(views).name
            ways.append(lambda: session.breakpoints.on_value(name, process=process))
        self.history.append(str(self.choice.choice(ways)()))

    def _expect(self, what: str, actual: Any, expected: Any) -> None:
        if actual != expected:
            position = self.session.snapshot.position
            raise AssertionError(
                f"at {position} after {self.history[-8:]} it {what} {actual}, not {expected}"
            )


def walk_grid(*, stops: int, seed: int, memory: int = 1 << 30) -> Counter[str]:
    """Walks to `stops` stops over the program of a seed, compares each, and counts what was done."""
    made = GridWalk(seed, memory)
    try:
        for _ in range(stops):
            made.stop()
        made.end()
    except AssertionError as error:
        raise AssertionError(f"seed {seed}, memory {memory}: {error}") from error
    return made.counts


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.debugger.walk_grid", description=__doc__)
    parser.add_argument("--stops", type=int, default=10_000, help="how many stops in all, at least")
    parser.add_argument("--per-walk", type=int, default=60, help="how many stops of one walk")
    parser.add_argument("--seed", type=int, default=1, help="the first seed; each walk takes the next")
    options = parser.parse_args()
    counts, failures, seed = Counter[str](), list[str](), options.seed
    while counts["stops"] < options.stops and len(failures) < 20:
        memory = MEMORIES[seed % len(MEMORIES)]
        try:
            counts += walk_grid(stops=options.per_walk, seed=seed, memory=memory)
        except AssertionError as error:
            failures.append(str(error))
        counts["walks"] += 1
        seed += 1
    print("\n".join(failures))
    print("\n".join(f"{name:24}{count:>8}" for name, count in sorted(counts.items())))
    print(f"seeds {options.seed} to {seed - 1}, {time.process_time():.1f} s of CPU time")
    print(f"differences: {len(failures)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
