"""How long it takes to load the arguments of a program from a `.npz` file, against `np.load` of all of them.

    python benchmarks/arguments.py [--rounds N]

CPU time in one process, in turns, files in the cache. The shapes are all the same, or all different.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import measure
import numpy as np

measure.use_repository()

COUNTS = (661, 3000)
AT_MOST = 1.2


def main() -> None:
    """Loads archives of several sizes both ways and prints a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=15, help="loads of each file, both ways (default 15)")
    rounds = parser.parse_args().rounds
    import shlo
    from shlo.runner.arguments.call import load_arguments

    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "arguments.npz"))
        for count in COUNTS:
            for what, sizes in (("equal", [8] * count), ("different", range(1, count + 1))):
                np.savez(path, **{f"arg{i}": np.ones((size, 2), np.float32) for i, size in enumerate(sizes)})
                types = ", ".join(f"%arg{i}: tensor<{size}x2xf32>" for i, size in enumerate(sizes))
                function = shlo.parse(f"func.func @main({types}) {{ return }}").functions["main"]
                ways = {
                    "shlo": partial(_seconds, partial(load_arguments, function, [path])),
                    "numpy": partial(_seconds, partial(_load, path)),
                }
                took = measure.interleaved(rounds, ways)
                times = [measure.milliseconds(took[way]) for way in ways]
                rows.append([f"{count:,}", what, *times, measure.ratio(took["shlo"], took["numpy"], AT_MOST)])
    measure.table(["arrays", "shapes", "shlo, ms", "np.load, ms", "ratio"], rows)


def _seconds(action: Callable[[], Any]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def _load(path: str) -> list[Any]:
    with np.load(path) as arrays:
        return [arrays[name] for name in arrays.files]


if __name__ == "__main__":
    main()
