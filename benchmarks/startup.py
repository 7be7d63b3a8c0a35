"""How long it takes to start: importing the library, checking a small file.

    python benchmarks/startup.py [--quick] [--rounds N]

Whole processes from fork to exit, in turns, file cache and bytecode warm.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import measure

measure.use_repository()

# The console script `shlo`, without what pip's wrapper adds.
COMMAND = "import sys; from shlo.cli import main; sys.exit(main())"
JAXLIB = """
import sys
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, stablehlo
registry, context = ir.DialectRegistry(), ir.Context()
_jax_mlir_ext.register_dialects(registry)
context.append_dialect_registry(registry)
context.load_all_available_dialects()
stablehlo.register_dialect(context)
chlo.register_dialect(context)
ir.Module.parse(open(sys.argv[1]).read(), context)
"""

# what -> (Python code, the seconds it may take)
STARTS: dict[str, tuple[str, float | None]] = {
    "python -c pass": ("pass", None),
    "import numpy": ("import numpy", None),
    "import numpy, ml_dtypes": ("import numpy, ml_dtypes", None),
    "import shlo": ("import shlo", 0.025),
    "from shlo import parse, run": ("from shlo import parse, run", None),
    "shlo run --zeros FILE": (COMMAND, 0.15),
    "shlo check FILE": (COMMAND, None),
    "shlo fmt --check FILE": (COMMAND, None),
    "jaxlib: parse and verify FILE": (JAXLIB, None),
    "import jax": ("import jax", None),
}


def main() -> None:
    """Measures every way to start and prints a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="five rounds")
    parser.add_argument("--rounds", type=int, default=15, help="processes per measurement (default 15)")
    options = parser.parse_args()
    measure.compile_modules()
    rounds = 5 if options.quick else options.rounds
    from tests.jax_programs import PROGRAMS

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "mlp.mlir"
        file.write_text(PROGRAMS["mlp"].text(), encoding="utf-8")
        times = measure.interleaved(rounds, {what: _process(what, file) for what in STARTS})
    print(f"medians of {rounds} processes, milliseconds; FILE is an MLP's forward pass")
    measure.table(("what", "time", "goal"), [_row(what, times[what]) for what in STARTS])


def _process(what: str, file: Path) -> Callable[[], float]:
    words = what.split()[1:-1] if what.startswith("shlo ") else []
    command = [sys.executable, "-c", STARTS[what][0], *words, str(file)]

    def start() -> None:
        done = subprocess.run(command, cwd=measure.ROOT, capture_output=True, text=True, check=False)
        # `fmt --check` answers 1 for a file that it would change.
        if done.returncode > ("fmt" in words):
            raise SystemExit(f"{what} failed:\n{done.stderr[-2000:]}")

    start()
    return lambda: measure.once(start)[0]


def _row(what: str, seconds: float) -> list[str]:
    goal = STARTS[what][1]
    verdict = "" if goal is None else f"{'within' if seconds <= goal else 'OVER'} {1000 * goal:.0f}"
    return [what, measure.milliseconds(seconds), verdict]


if __name__ == "__main__":
    main()
