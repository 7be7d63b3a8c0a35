"""How long warm runs take, beside hand-written NumPy, XLA and the reference interpreter.

    python benchmarks/run.py [--quick] [--rounds N] [PROGRAM...]

Every side runs in a process of its own: first to warm up and to compare its results with XLA's, then for a
second; the sides take turns. "busy" is CPU time over wall time: the number of threads a side keeps at work.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections.abc import Callable
from typing import Any

import measure
import numpy as np

measure.use_repository()

from tests.jax_programs import PROGRAMS, assert_as_expected  # noqa: E402 - the repository must be on the path first

Run = Callable[[], Any]

# --- in the measured process: each side gives a callable that runs the program once ------------------------


def shlo_side(name: str) -> Run:
    """Our interpreter on NumPy arrays."""
    import shlo

    module = shlo.parse(PROGRAMS[name].text())
    arguments = PROGRAMS[name].arguments
    return lambda: shlo.run(module, *arguments)


def numpy_side(name: str) -> Run:
    """Returns the same model as `numpy_models` has it."""
    from numpy_models import MODELS

    _, arguments = PROGRAMS[name].build()
    return lambda: [MODELS[name](*arguments)]


def xla_side(name: str) -> Run:
    """XLA's compiled program, arguments already on its device."""
    import jax

    compiled = PROGRAMS[name].compiled
    _, arguments = PROGRAMS[name].build()
    arguments = jax.device_put(arguments)
    return lambda: jax.tree.leaves(jax.block_until_ready(compiled(*arguments)))


def reference_side(name: str) -> Run:
    """StableHLO's reference interpreter."""
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    from tests.oracle_worker import context

    module = ir.Module.parse(PROGRAMS[name].text(), context(False))
    with module.context, ir.Location.unknown():
        arguments = [ir.DenseElementsAttr.get(array) for array in PROGRAMS[name].arguments]
    return lambda: [np.array(result) for result in stablehlo.eval_module(module, arguments)]


SIDES = {"NumPy": numpy_side, "XLA": xla_side, "reference": reference_side, "shlo": shlo_side}

# program -> the peer our time is compared with, the ratio that is the goal, other sides worth seeing
CASES: dict[str, tuple[str, float, tuple[str, ...]]] = {
    "mlp": ("NumPy", 2.5, ("XLA",)),
    "transformer": ("NumPy", 2.5, ("XLA",)),
    "lstm": ("NumPy", 2.5, ("XLA",)),
    "transformer_768": ("XLA", 2.5, ("NumPy",)),
    "resnet18": ("XLA", 1, ("NumPy",)),
    "while_10k": ("reference", 1, ("XLA",)),
}


def side(name: str, which: str, seconds: float) -> dict[str, float]:
    """Runs one side: checks its results, then measures."""
    run = SIDES[which](name)
    if which != "XLA":
        assert_as_expected(PROGRAMS[name], run())
    run()
    return measure.repeated(run, seconds)


# --- in the process that reports ---------------------------------------------------------------------------


def main() -> None:
    """Measures every case, side by side, and prints a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(CASES)} (default all)")
    parser.add_argument("--quick", action="store_true", help="one round of a third of a second")
    parser.add_argument("--rounds", type=int, default=3, help="processes per side (default 3)")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        name, which, seconds = options.child
        print(json.dumps(side(name, which, float(seconds))))
        return
    rounds, seconds = (1, 0.3) if options.quick else (options.rounds, 1.0)
    blas = os.environ.get("OPENBLAS_NUM_THREADS", measure.cores())
    print(f"threads allowed: BLAS under shlo and NumPy {blas}, XLA {measure.cores()} (all cores)")
    print(f"load average {measure.load():.1f}: above 1, threaded programs wait for others and say little")
    print(f"medians of {rounds} processes of {seconds} s, milliseconds a run (busy threads)")
    rows = [_row(name, rounds, seconds) for name in options.programs or CASES]
    measure.table(("program", "shlo", *[s for s in SIDES if s != "shlo"], "ratio"), rows)


def _row(name: str, rounds: int, seconds: float) -> list[str]:
    peer, goal, others = CASES[name]
    taken = _interleaved(name, (*others, peer, "shlo"), rounds, seconds)
    cells = {which: _cell(runs) for which, runs in taken.items()}
    times = {which: statistics.median(run["seconds"] for run in runs) for which, runs in taken.items()}
    verdict = f"{measure.ratio(times['shlo'], times[peer], goal)} of {peer}"
    return [name, cells["shlo"], *[cells.get(s, "") for s in SIDES if s != "shlo"], verdict]


def _interleaved(name: str, sides: tuple[str, ...], rounds: int, seconds: float) -> dict[str, list[Any]]:
    taken: dict[str, list[Any]] = {which: [] for which in sides}
    for _ in range(rounds):
        for which, runs in taken.items():
            runs.append(measure.child(__file__, name, which, str(seconds)))
    return taken


def _cell(runs: list[dict[str, float]]) -> str:
    seconds = statistics.median(run["seconds"] for run in runs)
    busy = statistics.median(run["busy"] for run in runs)
    return f"{measure.milliseconds(seconds)} ({busy:.1f})"


if __name__ == "__main__":
    main()
