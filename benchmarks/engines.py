"""How long programs take on both engines, and what the engine xla adds to XLA's own executable.

    python benchmarks/engines.py [--seconds S] [PROGRAM...]

Each program has a process of its own. "first" is from the parsed program to its first result, compiling
included, "warm" the median of later runs. The peer is the executable that JAX compiles of the same program,
called with the same NumPy arrays until its results are NumPy arrays; engine and peer take turns, call by
call. The goal is an overhead of 5 % or 50 us, whichever is more. The last lines are about memory: what a call
with one argument of 256 MiB takes at most beyond that argument, where its result is small, and where it is as
large.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import measure
import numpy as np

measure.use_repository()

from tests.jax_programs import PROGRAMS, RUNNABLE  # noqa: E402 - the repository must be on the path first

AT_MOST = 0.05, 50e-6
"""How much longer a warm run may take than the executable's: as a part of that, or seconds."""
LARGE = 64 << 20
"""Elements of the large argument."""


def program(name: str, seconds: float) -> dict[str, float]:
    """Measures a program on both engines and by JAX's executable."""
    import jax

    import shlo
    from shlo.engines import engine_of
    from shlo.interpreter.options import RunOptions

    text, arguments = PROGRAMS[name].text(), PROGRAMS[name].arguments
    options, found = RunOptions(), dict[str, float]()
    engine_of("xla").start()
    runs: dict[str, Callable[[], Any]] = {}
    for engine in ("interpreter", "xla"):
        module, chosen = shlo.parse(text), engine_of(engine)
        runs[engine] = lambda chosen=chosen, module=module: chosen.execute(module, arguments, options)
        found[f"{engine} first"], _ = measure.once(runs[engine])
    compiled, (_, given) = PROGRAMS[name].compiled, PROGRAMS[name].build()
    runs["executable"] = lambda: [np.asarray(each) for each in jax.tree.leaves(compiled(*given))]
    jax.config.update("jax_enable_x64", PROGRAMS[name].x64)
    for run in runs.values():
        run()
    interpreted = runs.pop("interpreter")
    found["interpreter"] = measure.repeated(interpreted, seconds)["seconds"]
    return found | measure.alternating(2 * seconds, runs)


def peak(which: str, result: str) -> dict[str, float]:
    """Measures how many bytes a call with a large argument takes at most, beyond that argument."""
    import resource

    import jax
    import jax.numpy as jnp

    import shlo
    from shlo.engines import engine_of
    from shlo.interpreter.options import RunOptions

    jitted = jax.jit(jnp.max if result == "small" else jnp.negative)
    module = shlo.parse(jitted.lower(jax.ShapeDtypeStruct((LARGE,), jnp.float32)).as_text())
    x = np.ones(LARGE, np.float32)
    engine = engine_of("xla")
    engine.start()

    def call() -> None:
        if which == "xla":
            engine.execute(module, [x], RunOptions())
        else:
            np.asarray(jitted(x))

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    call()
    unit = 1 if sys.platform == "darwin" else 1024
    return {"bytes": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit}


def main() -> None:
    """Measures every program and prints a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="of the corpus (default all)")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each side runs (default 1)")
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        kind, *rest = options.child
        print(json.dumps(peak(*rest) if kind == "peak" else program(rest[0], float(rest[1]))))
        return
    print(f"load average {measure.load():.1f}; milliseconds; {measure.cores()} cores")
    start, rows, over = time.perf_counter(), list[list[str]](), list[str]()
    ratios: dict[str, list[float]] = {"first": [], "warm": [], "overhead": []}
    for name in options.programs or [each.name for each in RUNNABLE]:
        found = measure.child(__file__, "program", name, str(options.seconds))
        added = found["xla"] - found["executable"]
        if added > max(AT_MOST[0] * found["executable"], AT_MOST[1]):
            over.append(name)
        ratios["first"].append(found["interpreter first"] / found["xla first"])
        ratios["warm"].append(found["interpreter"] / found["xla"])
        ratios["overhead"].append(found["xla"] / found["executable"])
        keys = ("interpreter first", "xla first", "interpreter", "xla", "executable")
        rows.append([name, *(measure.milliseconds(found[key]) for key in keys), f"{1e6 * added:+.0f} us"])
    header = ("program", "interpreter, first", "xla, first", "interpreter", "xla", "executable", "overhead")
    measure.table(header, rows)
    for what, sides in (
        ("first", "interpreter / xla"),
        ("warm", "interpreter / xla"),
        ("overhead", "xla / executable"),
    ):
        mean = math.exp(statistics.fmean(map(math.log, ratios[what])))
        print(f"{what}: geometric mean of {sides} {mean:.2f}")
    print(f"over the goal: {', '.join(over) or 'none'} ({len(over)} of {len(rows)})")
    for result in ("small", "large"):
        mine, theirs = (measure.child(__file__, "peak", which, result)["bytes"] for which in ("xla", "jax"))
        print(
            f"beyond an argument of 256 MiB, {result} result: "
            f"engine {mine / 2**20:.0f} MiB, JAX {theirs / 2**20:.0f} MiB"
        )
    print(f"{time.perf_counter() - start:.0f} s in all")


if __name__ == "__main__":
    main()
