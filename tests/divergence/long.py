"""Long runs outside of `make test`: `shlo diff` on the whole corpus, and a fault planted in 20,000 operations.

    python -m tests.divergence.long [NAME ...]     programs of the corpus: nothing may be reported
    python -m tests.divergence.long --gradient     a fault in the gradient of 20,000 operations

Prints what is reported and how long it took; ends with exit code 1 where something is wrong.
"""

from __future__ import annotations

import sys
import time

import shlo
from shlo.divergence.diff import diff_run
from shlo.divergence.report import lines_of
from shlo.engines import Placement, engine_of
from shlo.interpreter import RunOptions
from tests.jax_programs import PROGRAMS, RUNNABLE

from .faults import FaultyEngine

EXCEPTIONS: dict[str, str] = {}
"""Programs of which something is reported, and why."""


def without_fault(names: list[str]) -> int:
    """Compares programs on both engines; returns 1 where something is reported that is no exception."""
    engine, wrong = engine_of("xla", Placement("cpu")), 0
    for program in [PROGRAMS[name] for name in names] or RUNNABLE:
        start = time.perf_counter()
        module = shlo.parse(program.text(), "program.mlir")
        found = diff_run([module], [program.arguments], RunOptions(), engine)
        seconds = time.perf_counter() - start
        print(f"{program.name}: {found.compared:,} operations, {seconds:.1f} s", flush=True)
        if bool(found) is not (program.name in EXCEPTIONS):
            wrong += 1
            print(*lines_of(found), sep="\n")
    print(f"{wrong} wrong")
    return int(wrong > 0)


def gradient() -> int:
    """Finds a fault in one operation of a large gradient; returns 1 where it is not named."""
    program = PROGRAMS["giant_gradient"]
    module = shlo.parse(program.text(), "program.mlir")
    calls = iter(range(sys.maxsize))
    engine = FaultyEngine("stablehlo.multiply", (), lambda operands: next(calls) == 300)
    start = time.perf_counter()
    found = diff_run([module], [program.arguments], RunOptions(), engine)
    print(*lines_of(found), f"{time.perf_counter() - start:.1f} s", sep="\n")
    return int(len(found.alone) != 1)


if __name__ == "__main__":
    sys.exit(gradient() if sys.argv[1:] == ["--gradient"] else without_fault(sys.argv[1:]))
