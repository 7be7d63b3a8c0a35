"""Writes docs/speed.md from docs/speed.json.

python benchmarks/corpus.py --save docs/speed.json
python benchmarks/totals.py --save docs/totals.json
python docs/generate_speed.py

Names the programs that take more than four times XLA's time where benchmarks/corpus_figures.py does not say
why.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.corpus_figures import (
    COUNTS,
    EXCEPTIONS,
    MOST,
    WARM_UP_SECONDS,
    geometric_mean,
    over_most,
    ratio_of,
    summary,
    total_ratio,
    totals_summary,
)

PAGE = Path(__file__).with_name("speed.md")
FIGURES = Path(__file__).with_name("speed.json")
TOTALS = Path(__file__).with_name("totals.json")
INTRODUCTION = """# Speed: the interpreter beside XLA

In short: where a program runs again and again, the interpreter takes {warm:.2f} times the CPU time of XLA on
a CPU, models {models:.2f} times; from the text to the first result {cold:.2f} times, as it compiles less. It
takes {memory:.1f} times as much memory.

`benchmarks/corpus.py` runs {count} JAX programs with the interpreter and with XLA on a CPU:

- warm: the best of several rounds of many calls, arguments ready, after each side has run for {warm_up} s;
- cold: from the text to the first result, for XLA from the lowered module to that of the compiled one;
- memory: the most that a run adds to its process; less than 4 MiB count as 4 MiB.

Below 1 the interpreter is ahead. The ratio of CPU time says how much work a side does whatever else the
machine does, that of wall time how long one waits. Loops of scalars and small arrays, and
chains of elementwise operations, run as machine code where llvmlite is installed
(`pip install 'shlo[jit]'`). Without it, the loops of scalars below take 25 times XLA's CPU time, as a
geometric mean: 11 (`bisection`) to 59 (`lotka_volterra_fori`), and 68 to 96 in four runs for `metropolis`,
which draws two random numbers in each round.

```sh
python benchmarks/corpus.py --save new.json      # all programs; --kind 'loops of scalars', or names, for some
python benchmarks/compare.py docs/speed.json new.json    # names what got slower
python benchmarks/bandwidth.py                           # add, copy, sum, transpose beside np.copyto
python benchmarks/answers.py                             # shlo.why, later calls beside runs
python benchmarks/watch.py                               # training loops with and without shlo.watch
```

The figures here: {machine}.
`docs/speed.json` has them all. A machine under load slows both sides, but not
equally: what uses several threads (products of matrices, XLA) loses most.
"""
UP_TO = """
## From the text to the N-th result

`benchmarks/totals.py`: what {count} of the programs, the slowest among them, take in all in a fresh process.
The ratio is our CPU time over XLA's, compilers included; one process of each side. Code that runs often
becomes machine code while Python goes on: after some calls, or in the middle of a long loop. Between the
tenth call and the thousandth, loops of few numbers are still slow: loading LLVM takes as long as XLA compiles
one of them. Load average {load:.1f} from other work.
"""
OVER = "Warm, these take more than {most:.0f} times the CPU time that XLA takes."
SCALE = """
## Large programs

`python benchmarks/scale.py`: CPU seconds of whole processes on the machine above, beside a load of 14.
The text has 110 bytes for an operation; the exponent is the slope of the logarithms of seconds over those of
sizes.

| step | 250,000 operations | 500,000 | 1,000,000 | exponent | peak memory / text |
|---|---|---|---|---|---|
| parse | 2.8 | 4.4 | 8.6 | 0.95 | 5.4 |
| `shlo check` | 3.5 | 6.1 | 11.9 | 0.98 | 4.6 |
| `shlo fmt` | 8.2 | 15.2 | 30.5 | 0.98 | 7.3 |
| `shlo convert` to bytecode | 4.5 | 7.9 | 15.6 | 0.99 | 6.5 |
| open in the language server | 3.6 | 5.6 | 10.6 | 1.00 | 5.8 |
| open in the debugger, 20 steps | 4.7 | 8.8 | 17.0 | 1.06 | 8.3 |

| step on an artifact with 1 GiB of weights | CPU seconds | peak memory / weights |
|---|---|---|
| read | 0.3 | 0.03 |
| `shlo check` | 0.4 | 0.04 |
| `shlo convert` to bytecode | 1.1 | 1.03 |
| `shlo convert` to an artifact | 3.7 | 1.03 |
| open in the debugger, 20 steps | 0.6 | 1.05 |
"""
BANDWIDTH = """
## Bandwidth

`python benchmarks/bandwidth.py`, with `--cpu` for one thread: arrays of 4096 x 4096 in f32 on the machine
above, nothing else running. The rate counts the bytes that an operation must read and write; its share is
that of the rate of `np.copyto` in the same parts and threads, into memory that it wrote to before. Medians of
five runs, of each of which the best round counts; the speed-up is that of two threads over one.

| kernel | ms, one thread | share | ms, two threads | share | speed-up |
|---|---|---|---|---|---|
| `np.copyto` | 7.2 | 100 % | 4.4 | 100 % | 1.61 |
| `np.copyto` into a new array each time | 11.7 | 62 % | 8.4 | 51 % | 1.35 |
| add | 9.5 | 114 % | 5.8 | 107 % | 1.57 |
| copy | 7.4 | 98 % | 4.6 | 93 % | 1.55 |
| sum | 4.3 | 83 % | 2.9 | 72 % | 1.47 |
| transpose | 9.0 | 78 % | 6.2 | 71 % | 1.44 |

[ADR 20](adr/0020-fused-elementwise.md) says where the memory of results comes from, and what bounds
transposes.
"""
_MEANS = {
    "warm cpu": "warm, CPU time",
    "warm wall": "warm, wall time",
    "cold cpu": "cold, CPU time",
    "cold wall": "cold, wall time",
    "bytes": "memory",
}


def page(saved: Mapping[str, Any]) -> str:
    """Returns the page of a saved run."""
    programs = saved["programs"]
    means = summary(programs)
    models = {name: figures for name, figures in programs.items() if figures["kind"] == "models"}
    introduction = INTRODUCTION.format(
        warm=means["warm cpu"],
        models=summary(models)["warm cpu"],
        cold=means["cold cpu"],
        memory=means["bytes"],
        count=len(programs),
        machine=_machine(saved["machine"]),
        warm_up=WARM_UP_SECONDS,
    )
    lines = [introduction]
    lines += ["| geometric mean of | shlo over XLA |", "|---|---|"]
    lines += [f"| {_MEANS[what]} | {value:.2f} |" for what, value in means.items()]
    lines += ["", f"## Programs over {MOST:.0f}", "", OVER.format(most=MOST), ""]
    lines += ["| program | warm, CPU | why |", "|---|---|---|"]
    lines += [
        f"| {name} | {ratio:.2f} | {EXCEPTIONS.get(name, 'not looked at yet')} |"
        for name, ratio in over_most(programs).items()
    ]
    lines += _totals(json.loads(TOTALS.read_text(encoding="utf-8")))
    by_kind: dict[str, list[str]] = {}
    for name, figures in programs.items():
        by_kind.setdefault(figures["kind"], []).append(name)
    for kind, names in by_kind.items():
        mean = geometric_mean(ratio_of(programs[name], "warm", "cpu") for name in names)
        lines += ["", f"## {kind.capitalize()}", "", f"Geometric mean, warm, of CPU time: {mean:.2f}.", ""]
        lines += [
            "| program | shlo, ms | XLA, ms | warm, CPU | warm, wall | cold, CPU | memory | over NumPy |"
        ]
        lines += ["|---|---|---|---|---|---|---|---|"]
        lines += list(_rows(programs, names))
    return "\n".join(lines) + "\n" + SCALE + BANDWIDTH


def _totals(saved: Mapping[str, Any]) -> Iterator[str]:
    programs, header = saved["programs"], ["program", *(f"N = {count:,}" for count in COUNTS)]
    yield UP_TO.format(count=len(programs), load=saved["machine"]["load"])
    yield f"| {' | '.join(header)} |"
    yield "|---" * len(header) + "|"
    means = totals_summary(programs)
    yield "| geometric mean | " + " | ".join(f"{means['cpu', count][0]:.2f}" for count in COUNTS) + " |"
    for name, figures in programs.items():
        ratios = " | ".join(f"{total_ratio(figures, count, 'cpu'):.2f}" for count in COUNTS)
        yield f"| {name} | {ratios} |"


def _machine(machine: Mapping[str, Any]) -> str:
    versions = ", ".join(f"{name} {machine[name]}" for name in ("numpy", "scipy", "jaxlib", "llvmlite"))
    return (
        f"{machine['processor']}, {machine['cores']} cores, {machine['system']}, Python {machine['python']}, "
        f"{versions}; load average {machine['load']:.1f} from other work when it began"
    )


def _rows(programs: Mapping[str, Any], names: list[str]) -> Iterator[str]:
    for name in names:
        figures = programs[name]
        milliseconds = [f"{1000 * figures[side]['warm']['wall']:,.3f}" for side in ("shlo", "xla")]
        ratios = [f"{ratio_of(figures, *what):.2f}" for what in (("warm", "cpu"), ("warm", "wall"))]
        cold = f"{ratio_of(figures, 'cold', 'cpu'):.3f}"
        memory = f"{ratio_of(figures, 'bytes', ''):.2f}"
        twin = f"{ratio_of(figures, 'warm', 'cpu', 'numpy'):.2f}" if "numpy" in figures else ""
        yield "| " + " | ".join([name, *milliseconds, *ratios, cold, memory, twin]) + " |"


if __name__ == "__main__":
    saved = json.loads(FIGURES.read_text(encoding="utf-8"))
    PAGE.write_text(page(saved), encoding="utf-8", newline="\n")
    if unexplained := over_most(saved["programs"]).keys() - EXCEPTIONS:
        names = ", ".join(sorted(unexplained))
        print(f"over {MOST:.0f}, without a reason in benchmarks/corpus_figures.py: {names}", file=sys.stderr)
