"""How long verifying large programs takes, beside jaxlib's C++.

    python benchmarks/verify.py [--quick] [--rounds N]

Every measurement is the first of its kind in a process of its own: the program is parsed, nothing of it has
been verified. A program of one op has gone through before, which imports what is imported late. Times are
those of the processor.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import measure

measure.use_repository()

GOAL = 5
HEADER = ("program", "ops", "jaxlib", "shlo", "ratio", "again", "ratio")
WARM_UP = """func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32>
  return %0 : tensor<f32>
}"""

# --- in the measured process -------------------------------------------------------------------------------


def _seconds(action: Callable[[], Any]) -> float:
    measure.once(lambda: None)
    start = time.process_time()
    action()
    return time.process_time() - start


def shlo_cold(text: str) -> float:
    """Seconds to verify a module that has just been parsed."""
    import shlo

    shlo.verify(shlo.parse(WARM_UP))
    module = shlo.parse(text)
    return _seconds(lambda: shlo.verify(module))


def shlo_again(text: str) -> float:
    """Seconds to verify a module whose signatures are known."""
    import shlo
    from shlo.verifier import Verdicts, verify

    module, verdicts = shlo.parse(text), Verdicts()
    verify(module, verdicts)
    return _seconds(lambda: verify(module, verdicts))


def jaxlib(text: str) -> float:
    """Seconds that jaxlib's verifier takes."""
    from jaxlib.mlir import ir

    from tests.oracle_worker import context

    ir.Module.parse(WARM_UP, context(False)).operation.verify()
    module = ir.Module.parse(text, context(False))
    return _seconds(module.operation.verify)


MEASURES: dict[str, Callable[..., float]] = {
    f.__name__: measure.of_file(f) for f in (jaxlib, shlo_cold, shlo_again)
}

# --- in the process that reports ---------------------------------------------------------------------------


def main() -> None:
    """Lowers the programs, measures each, and prints a table."""
    rounds, is_quick = measure.rounds_or_child(__doc__, "the smallest program only, three rounds", MEASURES)
    from tests.jax_programs import GIANTS

    with tempfile.TemporaryDirectory() as folder:
        rows = [row(program, Path(folder), rounds) for program in (GIANTS[:1] if is_quick else GIANTS)]
    print(f"medians of {rounds} fresh processes, milliseconds")
    measure.table(HEADER, rows)


def row(program: Any, folder: Path, rounds: int) -> list[str]:
    """Returns a program's line in the table."""
    import shlo

    text = program.text()
    file = folder / "program.mlir"
    file.write_text(text, encoding="utf-8")

    taken = measure.processes(rounds, __file__, MEASURES, str(file))
    theirs, cold, again = taken["jaxlib"], taken["shlo_cold"], taken["shlo_again"]
    count = sum(1 for _ in shlo.parse(text).walk())
    times = [measure.milliseconds(theirs), measure.milliseconds(cold), measure.ratio(cold, theirs, GOAL)]
    return [program.name, f"{count:,}", *times, measure.milliseconds(again), measure.ratio(again, theirs)]


if __name__ == "__main__":
    main()
