"""How long users of a program wait in all, from its text to its N-th result, beside XLA.

    python benchmarks/totals.py [--rounds N] [--kind KIND] [--save FILE] [PROGRAM...]

Programs are those of benchmarks/corpus.py. Each round of a side is a fresh process, which has run another
program before: ours reads the text and runs, JAX compiles what it lowered and runs. Of each side the least of
its rounds counts. A side ends SECONDS after its first result, but not before LEAST_CALLS; where it has not
reached N calls by then, what is left is taken to go on as the second half of its calls did. The CPU time is
that of all threads. "longest" is the longest call behind the second one, beyond the median of the calls
before it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import measure
from corpus import machine, save, shlo_side, xla_side
from corpus_figures import COUNTS, total_ratio, totals_summary
from corpus_programs import CORPUS

SECONDS: Final = 10.0
LEAST_CALLS: Final = 10
SIDES: Final = {"xla": xla_side, "shlo": shlo_side}


def totals(which: str, name: str, folder: str) -> dict[str, Any]:
    """Returns what a side of a program took up to each of COUNTS results, and its longest wait."""
    first, again = SIDES[which](CORPUS[name], Path(folder))
    walls, cpus = [0.0], [0.0]
    start, cpu = time.perf_counter(), time.process_time()
    while len(walls) <= COUNTS[-1] and (len(walls) < LEAST_CALLS or walls[-1] - walls[1] < SECONDS):
        first() if len(walls) == 1 else again()
        walls.append(time.perf_counter() - start)
        cpus.append(time.process_time() - cpu)
    calls = [after - before for before, after in itertools.pairwise(walls)]
    beyond = [calls[n] - statistics.median(calls[max(1, n - 9) : n]) for n in range(2, len(calls))]
    return {
        "totals": {str(n): {"wall": _at(walls, n), "cpu": _at(cpus, n)} for n in COUNTS},
        "longest": max(beyond, default=0.0),
    }


def _at(times: list[float], count: int) -> float:
    """Returns the time of a number of calls, of more than there were as the last half of them took."""
    last = len(times) - 1
    if count <= last:
        return times[count]
    middle = max(1, last // 2)
    return times[last] + (count - last) * (times[last] - times[middle]) / (last - middle)


def measured(name: str, rounds: int) -> dict[str, Any]:
    """Returns the figures of a program on both sides."""
    samples: dict[str, list[Any]] = {which: [] for which in SIDES}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for which in SIDES:  # XLA's side writes what ours reads
                samples[which].append(measure.child(__file__, which, name, folder))
    return {"kind": CORPUS[name].kind} | {which: _least(found) for which, found in samples.items()}


def _least(samples: list[Any]) -> dict[str, Any]:
    totals = [sample["totals"] for sample in samples]
    least = {
        n: {clock: min(total[n][clock] for total in totals) for clock in totals[0][n]} for n in totals[0]
    }
    return {"totals": least, "longest": min(sample["longest"] for sample in samples)}


def row(name: str, figures: Mapping[str, Any]) -> list[str]:
    """Returns the line of the table for a program."""
    ratios = [f"{total_ratio(figures, n, clock):.2f}" for clock in ("wall", "cpu") for n in COUNTS]
    return [name, *ratios, measure.milliseconds(figures["shlo"]["longest"])]


def main() -> None:
    """Measures the programs, prints a table and the geometric means, and saves them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="of the corpus (default all)")
    parser.add_argument("--kind", help="programs of one kind, such as 'models'")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each side (default 3)")
    parser.add_argument("--save", type=Path, metavar="FILE", help="writes the figures as JSON")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(totals(*options.child)))
        return
    names = options.programs or [name for name in CORPUS if options.kind in (None, CORPUS[name].kind)]
    measure.compile_modules()
    about, programs = machine(), dict[str, Any]()
    for name in names:
        programs[name] = measured(name, options.rounds)
        print(" | ".join(row(name, programs[name])), file=sys.stderr, flush=True)
        if options.save:
            save(options.save, about, programs)
    header = ["program", *(f"{clock}, {n}" for clock in ("wall", "CPU") for n in COUNTS), "longest, ms"]
    measure.table(header, [row(name, figures) for name, figures in programs.items()])
    print(f"load average {about['load']:.1f} when it began; geometric means of shlo over XLA, and the worst:")
    for (clock, n), (mean, worst) in totals_summary(programs).items():
        print(f"  {clock}, {n}: {mean:.2f}; {worst} {total_ratio(programs[worst], n, clock):.2f}")


if __name__ == "__main__":
    main()
