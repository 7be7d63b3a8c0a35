"""Random walks of a Session: at every stop it must show what a fresh run shows there.

`python -m tests.debugger.walk PATH --stops 10000 --seed 1` walks over every function without arguments of every
program under PATH (the parts of a file that `// -----` divides are programs); without a PATH, over the corpus of
JAX programs. Every second walk has next to no memory for its recording.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from shlo.debugger import Session
from shlo.interpreter import Process
from shlo.interpreter.kernel import TOKEN
from shlo.interpreter.process import Frame
from shlo.interpreter.program import program_of
from shlo.ir.diagnostics import ExecutionError, ShloError
from shlo.ir.operations import Module
from shlo.syntax import parse
from tests.conformance.suite import split
from tests.jax_programs import RUNNABLE

STEPS = 1500
"""A walk keeps to the first steps of a program."""

Look = tuple[Any, ...]
MOVES = ("step_in", "step_over", "step_out", "back_in", "back_over", "back_out", "goto", "restart")
WEIGHTS = (8, 4, 2, 8, 4, 2, 2, 0.3)


class FreshRun:
    """What a program shows after each of its first steps, seen by a Process that never goes back."""

    def __init__(self, module: Module, arguments: Sequence[Any], entry: str) -> None:
        self.digests = Digests()
        self.looks: list[Look] = []
        process = Process(module, *arguments, entry=entry, keep_values=True)
        self.looks.append(self._look(process))
        while process.status == "ready" and len(self.looks) <= STEPS:
            try:
                process.step()
            except ExecutionError:
                break
            self.looks.append(self._look(process))

    def _look(self, process: Process) -> Look:
        frames = process.frames
        places = tuple((f.function.name, f.region, f.index, f.iteration) for f in frames)
        values = tuple(self._values(frames)) if frames else self.digests.of(process._results)
        return places, values

    def _values(self, frames: list[Frame]) -> Iterator[tuple[int, str]]:
        """What the operations executed so far in the open blocks of the innermost function have bound."""
        for frame in reversed(frames):
            block = frame.code.block
            bound = [*block.arguments]
            for operation in block.operations[: frame.index]:
                bound.extend(operation.results)
            yield from ((slot, self.digests.of(frame.slots[slot])) for slot in bound)
            if frame.region is None:
                return


class Digests:
    """Values as short texts that are equal where the values are, bit by bit; each array is looked at once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, str]] = {}

    def of(self, value: Any) -> str:
        if isinstance(value, tuple):
            return f"({','.join(map(self.of, value))})"
        if value is TOKEN or value is None:
            return str(value)
        known = self._known.get(id(value))
        if known is None:
            array = np.asarray(value)
            content = hashlib.blake2b(np.ascontiguousarray(array).tobytes(), digest_size=8).hexdigest()
            known = self._known[id(value)] = (value, f"{array.dtype}{array.shape}{content}")
        return known[1]


def session_look(session: Session, digests: Digests) -> Look:
    """What a Session shows where it stands, through its public face where that shows it."""
    snapshot, process = session.snapshot, session._process
    if snapshot.status == "done":
        return (), digests.of(process._results)
    places = tuple(
        (f.function, f.region, frame.index, f.iteration) for f, frame in zip(snapshot.frames, process.frames)
    )
    return places, tuple(_session_values(session, digests))


def _session_values(session: Session, digests: Digests) -> Iterator[tuple[int, str]]:
    frames = session._process.frames
    views = session.values()
    for depth in sorted({view.depth for view in views}, reverse=True):
        code = frames[depth - 1].code
        slots = {code.values.names[slot] or f"#{slot}": slot for slot in code.defined_at}
        for view in views:
            if view.depth == depth:
                yield slots[view.name], digests.of(session.value(view.name))


def move(session: Session, choice: random.Random, limit: int) -> str:
    """A random move that stays within the first `limit` positions; gives what it was."""
    name = choice.choices(MOVES, WEIGHTS)[0]
    if name == "goto":
        session.goto(choice.randint(0, limit))
    else:
        getattr(session, name)()
    if session.snapshot.position > limit:
        session.goto(limit)
    return name


def walk(
    module: Module,
    arguments: Sequence[Any] = (),
    *,
    entry: str = "main",
    stops: int,
    seed: int,
    memory: int = 1 << 30,
) -> int:
    """Walks to `stops` stops (fewer where a program has few steps) and compares each; gives how many."""
    choice = random.Random(seed)
    fresh = FreshRun(module, arguments, entry)
    limit = len(fresh.looks) - 1
    session = Session(module, arguments, entry=entry, memory=memory)
    moves: list[str] = []
    stops = min(stops, 4 * limit + 1)
    for _ in range(stops):
        # What was looked at must die before ids can be used again, so values keep no digests here.
        actual, expected = session_look(session, Digests()), fresh.looks[session.snapshot.position]
        if actual != expected:
            raise AssertionError(
                f"@{entry} at {session.snapshot.position} after {moves[-5:]}, seed {seed}: {actual} is not {expected}"
            )
        moves.append(move(session, choice, limit))
    return stops


def programs(path: Path) -> Iterator[tuple[str, Module]]:
    """The programs under a path that can be read, with names."""
    files = sorted(path.rglob("*.mlir")) if path.is_dir() else [path]
    for file in files:
        for line, text in split(file.read_text("utf-8", "surrogateescape")):
            module, diagnostics = parse(text, file.name)
            if not any(finding.severity == "error" for finding in diagnostics):
                yield f"{file.name}:{line}", module


def entries(module: Module) -> list[str]:
    """The functions of a program that take no arguments."""
    return [name for name, function in program_of(module).functions.items() if not function.argument_types]


def _cases(path: Path | None) -> Iterator[tuple[str, Module, str, Sequence[Any]]]:
    if path is None:
        for program in RUNNABLE:
            yield program.name, parse(program.text())[0], "main", program.arguments
        return
    for name, module in programs(path):
        yield from ((name, module, entry, ()) for entry in entries(module))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.debugger.walk", description=__doc__)
    parser.add_argument("path", type=Path, nargs="?")
    parser.add_argument("--stops", type=int, default=10_000, help="how many stops in all, at least")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cases = list(_cases(options.path))
    counts: Counter[str] = Counter()
    for seed in (options.seed + round_ for round_ in range(100)):
        for number, (name, module, entry, arguments) in enumerate(cases):
            memory = 1 << 30 if (seed + number) % 2 else 1 << 10
            try:
                made = walk(module, arguments, entry=entry, stops=60, seed=seed, memory=memory)
            except ShloError as error:
                print(f"{name} @{entry}: {error}")
                counts["cannot start"] += 1
                continue
            counts["stops"] += made
            counts["stops with little memory"] += made if memory < 1 << 20 else 0
            counts["walks"] += 1
        if counts["stops"] >= options.stops or not cases:
            break
    print(
        f"seed {options.seed}: {len(cases)} functions; "
        + ", ".join(f"{n} {what}" for what, n in counts.items())
    )
    return 0 if counts["stops"] >= options.stops else 1


if __name__ == "__main__":
    sys.exit(main())
