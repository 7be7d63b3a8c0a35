"""Hostile input at length: `python -m tests.hardening [TARGET ...] [--hours H | --count N] [--record]`.

Valid files and messages are changed at random and given to what reads them, in children whose memory is limited.
Only errors that say what is wrong with the input may come of it, and soon. An input of which something new became is
changed further: the corpus grows by outcomes. `--record` adds the figures to tests/hardening/figures.json, which
docs/how-we-know.md shows. A failure is printed with its number: `--seed NUMBER --count 1` gives it again where the
corpus is the same, and its bytes are written below build/hardening.
"""

from __future__ import annotations

import argparse
import datetime
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import Struct, field

import shlo
from shlo.text.numbers import plural
from tests.hardening.targets import TARGETS, Target

FIGURES: Final = Path(__file__).with_name("figures.json")
FAILURES: Final = Path(__file__).parents[2] / "build" / "hardening"
SEED: Final = 20261127
BATCH_S: Final = 1800
"""How long a child may take for its inputs."""
MOST_MEMORY: Final = 512 << 20
"""How many bytes a child, or a server that it started, may take."""
MOST_KEPT: Final = 400
"""How many inputs of the corpus are kept besides the valid ones."""


class Batch(Struct):
    """What became of some inputs: how often what, how many there were, those of which something new became, those at fault with
    their numbers and reasons, the longest time, and the most memory.
    """

    outcomes: Counter[str] = field(default_factory=Counter[str])
    inputs: int = 0
    new: dict[str, bytes] = field(default_factory=dict[str, bytes])
    failures: list[tuple[int, str, bytes]] = field(default_factory=list[tuple[int, str, bytes]])
    longest: float = 0.0
    memory: int = 0


class Job(NamedTuple):
    """Inputs for a child: of which target, the first one's number, how many, what is changed, and the outcomes
    that are known.
    """

    target: str
    first: int
    size: int
    files: list[bytes]
    known: frozenset[str]


def run_batch(job: Job) -> Batch:
    """Gives a target some changed inputs; in a child."""
    target, batch = TARGETS[job.target], Batch()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if target.memory is not None:
            for data in job.files[:40]:
                target.outcome(data)  # what it imports and keeps
            _limit_memory(target.memory)
        for number in range(job.first, job.first + job.size):
            give(target, number, job, batch)
        os.chdir("/")
    batch.memory = _peak_memory()
    if batch.memory > MOST_MEMORY:
        batch.failures.append((job.first, f"{batch.memory >> 20} MiB in {job.size} inputs", b""))
    return batch


def give(target: Target, number: int, job: Job, batch: Batch) -> None:
    """Gives a target the input of that number, and notes what becomes of it."""
    data = target.changed(random.Random(number), job.files)
    start = time.process_time()
    try:
        outcome, inputs = target.outcome(data)
    except BaseException as error:
        batch.failures.append((number, f"{type(error).__name__}: {str(error)[-400:]}", data))
        return
    took = time.process_time() - start
    batch.longest = max(batch.longest, took)
    if took > target.seconds:
        batch.failures.append((number, f"it took {took:.1f} s", data))
    batch.outcomes[outcome] += 1
    batch.inputs += inputs
    if outcome not in job.known:
        batch.new.setdefault(outcome, data)


def _limit_memory(more: int) -> None:
    """The child may take so much more than it takes now; on Linux."""
    status = Path("/proc/self/statm")
    if status.exists():
        import resource

        limit = int(status.read_text("ascii").split()[0]) * resource.getpagesize() + more
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _peak_memory() -> int:
    """Returns the most bytes that this process, or one that it started, has taken."""
    try:
        import resource
    except ImportError:
        return 0
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(each).ru_maxrss for each in who) << 10


def run(target: Target, count: int | None, seconds: float, seed: int, workers: int) -> dict[str, Any]:
    """Gives a target `count` changed inputs, or as many as the time allows; returns the figures."""
    seeds, grown = target.seeds(), dict[str, bytes]()
    total, start = Batch(), time.monotonic()

    def jobs() -> Iterator[Job]:
        first, left = seed, count
        while (left is None and time.monotonic() - start < seconds) or (left is not None and left > 0):
            size = target.batch if left is None else min(target.batch, left)
            yield Job(target.name, first, size, [*seeds, *grown.values()], frozenset(grown))
            first, left = first + size, None if left is None else left - size

    for batch in _answers(jobs(), workers):
        _add(total, batch)
        for outcome, data in batch.new.items():
            if len(grown) < MOST_KEPT:
                grown.setdefault(outcome, data)
        for number, reason, data in batch.failures:
            FAILURES.mkdir(parents=True, exist_ok=True)
            (FAILURES / f"{target.name}-{number}").write_bytes(data)
            print(f"{target.name} {number}: {reason}", flush=True)
        print(f"{target.name}: {total.inputs}, {len(grown)} outcomes", file=sys.stderr)
    return {
        "inputs": total.inputs,
        "failures": len(total.failures),
        "outcomes": len(total.outcomes),
        "longest_s": round(total.longest, 2),
        "memory_mib": total.memory >> 20,
        "minutes": round((time.monotonic() - start) / 60, 1),
        "seeds": [seed],
        "version": shlo.__version__,
        "date": datetime.date.today().isoformat(),
    }


def joined(before: dict[str, Any] | None, row: dict[str, Any]) -> dict[str, Any]:
    """Returns the figures of all runs with other seeds together; a run that follows one with failures, which
    are to be mended, begins anew.
    """
    if not before or before["failures"] or set(before["seeds"]) & set(row["seeds"]):
        return row
    sums = {name: round(before[name] + row[name], 1) for name in ("inputs", "failures", "minutes")}
    most = {name: max(before[name], row[name]) for name in ("outcomes", "longest_s", "memory_mib")}
    return row | sums | most | {"seeds": before["seeds"] + row["seeds"]}


def _answers(jobs: Iterator[Job], workers: int) -> Iterator[Batch]:
    """Yields what became of jobs, in their order; a child that dies or hangs is a failure."""
    waiting: deque[tuple[Job, Future[Batch]]] = deque()
    pool = _pool(workers)
    while True:
        while len(waiting) < workers and (job := next(jobs, None)) is not None:
            waiting.append((job, pool.submit(run_batch, job)))
        if not waiting:
            pool.shutdown()
            return
        job, answer = waiting.popleft()
        try:
            yield answer.result(timeout=BATCH_S)
        except (BrokenProcessPool, TimeoutError) as error:
            yield Batch(failures=[(job.first, f"{type(error).__name__} in {job.size} inputs", b"")])
            for process in list(pool._processes.values()):
                process.kill()
            pool.shutdown(cancel_futures=True)
            pool = _pool(workers)
            waiting = deque((other, pool.submit(run_batch, other)) for other, _ in waiting)


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), max_tasks_per_child=1)


def _add(total: Batch, batch: Batch) -> None:
    total.outcomes += batch.outcomes
    total.inputs += batch.inputs
    total.failures += batch.failures
    total.longest = max(total.longest, batch.longest)
    total.memory = max(total.memory, batch.memory)


def main() -> int:
    """Runs the targets one after the other; exit code 1 where an input is at fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.hardening", description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], help="default: all, in equal time")
    parser.add_argument("--hours", type=float, default=1.0, help="of all targets together (default: 1)")
    parser.add_argument(
        "--count", type=int, help="conversations or files of each target, in place of --hours"
    )
    parser.add_argument("--seed", type=int, default=SEED, help=f"the first input's number (default: {SEED})")
    parser.add_argument("-j", dest="workers", type=int, default=2, help="children at a time (default: 2)")
    parser.add_argument("--record", action="store_true", help=f"write the figures to {FIGURES.name}")
    options = parser.parse_args()
    targets = options.targets or list(TARGETS)
    failures = 0
    for name in targets:
        seconds = options.hours * 3600 / len(targets)
        row = run(TARGETS[name], options.count, seconds, options.seed, options.workers)
        failures += row["failures"]
        print(f"{name}: {row}", flush=True)
        if options.record:
            figures = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
            figures[name] = joined(figures.get(name), row)
            FIGURES.write_text(json.dumps(figures, indent=2) + "\n", "utf-8", newline="\n")
    print(f"{plural(failures, 'failure')}")
    return 1 if failures else 0
