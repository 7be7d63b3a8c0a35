"""What making each form of code costs, beside what the policy takes it to cost (`runtime/tiers.py`).

    python benchmarks/costs.py [PROGRAM...]

Programs are those of benchmarks/corpus.py, or those named. Each runs several times in one process, which
makes every form at once, while the run waits; the CPU time of each is noted. "fixed" and "each" are the line
of least squares through them, "loading" is what the first machine code of a process takes more than later
ones. They say something on a quiet machine only: run the script several times and take the least figures.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import measure
import numpy as np

measure.use_repository()

from corpus_programs import CORPUS  # noqa: E402 - the repository must be on the path first

import shlo  # noqa: E402
from shlo.interpreter.jit import compile as generating  # noqa: E402
from shlo.interpreter.runtime.tiers import COSTS, Policy, Tier, TierCost, use_policy  # noqa: E402

if TYPE_CHECKING:
    from shlo.interpreter.runtime.tiers import Form

RUNS = 4
MOST_BYTES = 1 << 26
"""Bytes of arguments of a program at most."""
LOOP = """
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %r = stablehlo.while(%i = %x) : tensor<i32>
  cond {
    %end = stablehlo.constant dense<100> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %j = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  return %r : tensor<i32>
}
"""

Samples = dict[str, list[tuple[int, float]]]


def noting(samples: Samples) -> None:
    """Notes from now on what making each form takes."""

    def noted(form: str, operations: int, build: Callable[[], Any]) -> Any:
        start = time.thread_time()
        try:
            return build()
        finally:
            samples[form].append((operations, time.thread_time() - start))

    def wrap(owner: Any, name: str, form_of: Callable[..., tuple[str, int]]) -> None:
        original = getattr(owner, name)

        def wrapped(*arguments: Any) -> Any:
            return noted(*form_of(*arguments), lambda: original(*arguments))

        setattr(owner, name, wrapped)

    from shlo.interpreter.loops.machine import Machine

    for name in ("make", "begin"):  # what they are given is what makes the code
        original = getattr(Tier, name)

        def wrapped(tier: Any, build: Callable[[], Any], original: Any = original) -> Any:
            return original(tier, lambda: noted(tier._form, tier._operations, build))

        setattr(Tier, name, wrapped)
    wrap(Machine, "optimize", lambda _, text: ("optimized", text.count("\n")))
    wrap(generating, "generate_function", lambda function, _: ("source", function.whole_size))
    wrap(generating, "generate_sequences", lambda function, _: ("sequence", _operations(function)))


def _operations(function: Any) -> int:
    return function.sequences_due.func.__self__._operations


def run(text: str, arguments: list[Any]) -> None:
    """Runs a program several times, and makes code at once."""
    free = dict.fromkeys(COSTS, TierCost(0.0))
    with use_policy(Policy(free, in_background=False)):
        module = shlo.parse(text)
        for _ in range(RUNS):
            shlo.run(module, *arguments)


def first_code() -> float:
    """Returns the seconds that the first machine code of a process takes more than the same once more."""
    samples: Samples = defaultdict(list)
    with use_policy(Policy(refused=frozenset(COSTS))):
        shlo.run(shlo.parse(LOOP), np.int32(1))
    start = time.thread_time()
    import_module("shlo.interpreter.loops.emitter")
    loading = time.thread_time() - start
    noting(samples)
    for _ in range(3):
        run(LOOP, [np.int32(1)])
    times = [seconds for _, seconds in samples["loop"]]
    return loading + times[0] - min(times)


def line(samples: list[tuple[int, float]]) -> tuple[float, float]:
    """Returns a fixed part and one for each operation, neither below 0."""
    counts, seconds = np.array(samples, float).T
    if len(set(counts)) == 1:
        return float(np.median(seconds)), 0.0
    each = max(0.0, float(np.polyfit(counts, seconds, 1)[0]))
    return max(0.0, float(np.mean(seconds) - each * np.mean(counts))), each


def main() -> None:
    """Runs the programs and prints a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="of the corpus (default all)")
    parser.add_argument("--child", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        print(json.dumps(first_code()))
        return
    measure.compile_modules()
    loading = min(measure.child(__file__) for _ in range(5))
    samples: Samples = defaultdict(list)
    run(LOOP, [np.int32(1)])
    noting(samples)
    for name in options.programs or CORPUS:
        program = CORPUS[name].program
        if sum(array.nbytes for array in program.arguments) <= MOST_BYTES:
            run(program.text(), program.arguments)
    rows: list[list[str]] = []
    for form, found in sorted(samples.items()):
        fixed, each = line(found)
        cost = COSTS[cast("Form", form)]
        taken = [f"{1e3 * value:.2f}" for value in (cost.fixed, cost.each)]
        rows.append([form, str(len(found)), f"{1e3 * fixed:.2f}", f"{1e3 * each:.3f}", *taken])
    measure.table(["form", "made", "fixed, ms", "each, ms", "policy: fixed", "policy: each"], rows)
    print(f"loading, with the first machine code: {1e3 * loading:.1f} ms")


if __name__ == "__main__":
    main()
