"""What the benchmark scripts share: fresh processes, medians, tables."""

from __future__ import annotations

import argparse
import compileall
import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def use_repository() -> None:
    """Makes `shlo` and `tests` of this checkout importable from a script in this folder."""
    sys.path.insert(0, str(ROOT))


def compile_modules() -> None:
    """Compiles the modules of this checkout and lets processes keep bytecode, as after an installation:
    otherwise starts and first runs are mostly Python's compiler."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    for package in (*ROOT.glob("shlo*"), ROOT / "bytecode"):
        compileall.compile_dir(package, quiet=2)


def child(script: str, *arguments: str) -> Any:
    """Runs a script of this folder as a process of its own; it prints its result as JSON on the last line."""
    command = [sys.executable, "-W", "ignore", script, "--child", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)} failed:\n{done.stderr[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def once(action: Callable[[], Any]) -> tuple[float, Any]:
    """Returns the seconds one call takes, and its result. Garbage of what went before is collected first."""
    gc.collect()
    start = time.perf_counter()
    result = action()
    return time.perf_counter() - start, result


def repeated(action: Callable[[], Any], seconds: float) -> dict[str, float]:
    """Median wall seconds of a call, and CPU seconds per wall second, over calls lasting `seconds` in all."""
    walls: list[float] = []
    cpu, begin = time.process_time(), time.perf_counter()
    while not walls or time.perf_counter() - begin < seconds:
        start = time.perf_counter()
        action()
        walls.append(time.perf_counter() - start)
    busy = (time.process_time() - cpu) / (time.perf_counter() - begin)
    return {"seconds": statistics.median(walls), "busy": busy}


def interleaved(rounds: int, measures: dict[str, Callable[[], float]]) -> dict[str, float]:
    """Returns the median of each measure, taken in turns so that the machine's moods fall on all of them."""
    taken: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            taken[name].append(measure())
    return {name: statistics.median(times) for name, times in taken.items()}


def alternating(seconds: float, actions: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Returns the median wall seconds of a call of each action, which take turns call by call for `seconds`
    in all: what slows the machine down for longer than a call falls on all of them."""
    walls: dict[str, list[float]] = {name: [] for name in actions}
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        for name, action in actions.items():
            start = time.perf_counter()
            action()
            walls[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in walls.items()}


def rounds_or_child(
    description: str | None, quick: str, measures: Mapping[str, Callable[..., Any]]
) -> tuple[int, bool]:
    """Returns how many rounds a script is asked for, and whether it is to be quick. In a process that `child`
    started, prints what the measure named first returns for the words behind its name, and exits."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--rounds", type=int, default=5, help="processes per measurement (default 5)")
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        name, *words = options.child
        print(json.dumps(measures[name](*words)))
        raise SystemExit
    return 3 if options.quick else options.rounds, options.quick


def of_file(action: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a measure of a text as one of the file that holds it."""
    return lambda file, *words: action(Path(file).read_text(encoding="utf-8"), *words)


def processes(rounds: int, script: str, names: Iterable[str], *words: str) -> dict[str, float]:
    """Returns the median of each measure of a script, taken in turns, each time in a fresh process."""
    return interleaved(rounds, {name: partial(child, script, name, *words) for name in names})


def milliseconds(seconds: float) -> str:
    """Returns a time for a table."""
    return f"{1000 * seconds:,.3f}" if seconds < 0.01 else f"{1000 * seconds:,.1f}"


def ratio(ours: float, theirs: float, at_most: float | None = None) -> str:
    """Our time over theirs, and whether it stays below a goal."""
    value = ours / theirs
    if at_most is None:
        return f"{value:.2f}"
    return f"{value:.2f} ({'within' if value <= at_most else 'OVER'} {at_most:g})"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints rows as a Markdown table, aligned."""
    lines = [list(header), *map(list, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    lines.insert(1, ["-" * width for width in widths])
    for line in lines:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |")
    print(flush=True)


def cores() -> int:
    """Returns the cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def load() -> float:
    """Returns how many processes wanted a core in the last minute, on average; 0 where the system does not
    say.
    """
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
