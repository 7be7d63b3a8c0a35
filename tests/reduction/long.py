"""Long runs outside of `make test`: faults planted in 20 programs of 1,000 to 20,000 operations.

    python -m tests.reduction.long

Prints how many operations are left of each, checks, seconds; ends with exit code 1 where more than 10 are.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import shlo
from shlo.divergence.tolerances import Tolerances
from shlo.interpreter import RunOptions
from shlo.ir.operations import Module
from shlo.reduction.checks import (
    CommandCheck,
    DivergenceCheck,
    FailureCheck,
    FaultCheck,
    FindingCheck,
)
from shlo.reduction.search import start
from tests.reduction.planted import Miscompiling, any_of_them, fed_by, in_a_loop, straight_line

MOST = 10
COUNTS = (1000, 2000, 5000, 20_000)
T = "tensor<8x16xf32>"
PAIR = (
    f"%p0 = stablehlo.exponential {{x}} : {T}",
    f"%p1 = stablehlo.floor {{x}} : {T}",
    f"%planted = stablehlo.atan2 %p0, %p1 : {T}",
)
WRONG = (f"%planted = stablehlo.reverse {{x}}, dims = [0, 0] : {T}",)


class Fault(NamedTuple):
    """A fault to plant, and what finds it."""

    name: str
    lines: tuple[str, ...]
    check: Callable[[Module], FaultCheck]
    in_loop: bool = False


def _differs(module: Module) -> FaultCheck:
    engine = Miscompiling("stablehlo.atan2", any_of_them)
    return DivergenceCheck(engine, RunOptions(), Tolerances())


def _differs_together(module: Module) -> FaultCheck:
    engine = Miscompiling("stablehlo.atan2", fed_by("exponential", "floor"))
    return DivergenceCheck(engine, RunOptions(), Tolerances())


def _refused(module: Module) -> FaultCheck:
    engine = Miscompiling("stablehlo.atan2", fed_by("exponential", "floor"), "RET_CHECK failure")
    return FailureCheck(engine, "RET_CHECK", RunOptions())


def _command(module: Module) -> FaultCheck:
    code = "import sys; t = open(sys.argv[1]).read(); sys.exit(not all(w in t for w in sys.argv[2:]))"
    return CommandCheck(f'{sys.executable} -S -E -c "{code}" {{}} atan2 floor exponential', 60)


FAULTS = (
    Fault("an operation differs", PAIR, _differs),
    Fault("three operations differ together", PAIR, _differs_together, in_loop=True),
    Fault("XLA refuses the program", PAIR, _refused, in_loop=True),
    Fault("a command", PAIR, _command),
    Fault("a finding", WRONG, lambda module: FindingCheck("reverse-C2", shlo.verify(module)), in_loop=True),
)


def main() -> int:
    """Reduces all programs; returns 1 where one stays large."""
    wrong = 0
    for number, fault in enumerate(FAULTS):
        for count in COUNTS:
            text = straight_line(count, 100 * number + count, fault.lines)
            module = shlo.parse(in_a_loop(text) if fault.in_loop else text)
            generator = np.random.default_rng(0)
            shapes = ((8, 16), (16,), (4, 4, 2))
            values = [generator.standard_normal(shape).astype(np.float32) for shape in shapes]
            begin = time.perf_counter()
            search = start(module, "main", values, fault.check(module), lambda candidate, progress: None)
            before = search.best.operation_count
            after = search.run().operation_count
            seconds = time.perf_counter() - begin
            wrong += after > MOST
            loop = ", in a function in a loop" if fault.in_loop else ""
            print(
                f"{fault.name}{loop}: {before:,} -> {after}, {search.progress.checks} checks, "
                f"{60 * search.progress.checks / seconds:,.0f} a minute, {seconds:.1f} s",
                flush=True,
            )
    print(f"{wrong} of {len(FAULTS) * len(COUNTS)} stay large")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
