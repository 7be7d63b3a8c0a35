"""Bandwidth of kernels that memory bounds, beside that of np.copyto on as many threads.

    python benchmarks/bandwidth.py [--elements N] [--threads N ...] [--cpu]

Bytes are those that a kernel must read and write, each once. Each call of a kernel makes a new result, which
its caller owns and drops; np.copyto is measured with a new target each time, and with one that it wrote to
before. The sides take turns; the best of many rounds counts. Speed-ups are over the first number of threads.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import measure
import numpy as np

measure.use_repository()

import shlo  # noqa: E402 - the repository must be on the path first
from shlo.interpreter.runtime.threads import in_parts  # noqa: E402

PART = 1 << 18
ROUNDS = 40
TEXTS = {
    "add": "func.func @main(%x: T, %y: T) -> T {{ %z = stablehlo.add %x, %y : T return %z : T }}",
    "copy": "func.func @main(%x: T) -> T {{ %z = stablehlo.optimization_barrier %x : T return %z : T }}",
    "sum": "func.func @main(%x: T) -> S {{ %i = stablehlo.constant dense<0.0> : S "
    "%z = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0, 1] : (T, S) -> S "
    "return %z : S }}",
    "transpose": "func.func @main(%x: T) -> T {{ %z = stablehlo.transpose %x, dims = [1, 0] : (T) -> T "
    "return %z : T }}",
}
PASSES = {"add": 3, "copy": 2, "sum": 1, "transpose": 2}
"""Arrays that are read or written."""


def copying(source: Any, threads: int, is_new: bool) -> Callable[[], object]:
    """Returns what copies an array in parts, each time to a new array or always to the same."""
    flat, same = source.reshape(-1), np.empty(source.size, source.dtype)

    def copy() -> None:
        target = np.empty_like(same) if is_new else same
        in_parts(lambda start, end: np.copyto(target[start:end], flat[start:end]), flat.size, PART, threads)

    return copy


def running(name: str, side: int, arrays: list[Any], threads: int) -> Callable[[], object]:
    """Returns what runs a kernel on square matrices."""
    text = TEXTS[name].format().replace("T", f"tensor<{side}x{side}xf32>").replace("S", "tensor<f32>")
    module = shlo.parse(text)
    given = arrays[: 2 if name == "add" else 1]
    return lambda: shlo.run(module, *given, threads=threads)


def best(actions: dict[str, Callable[[], object]], clock: Callable[[], float]) -> dict[str, float]:
    """Returns the least seconds of each action by a clock; they take turns."""
    seconds = dict.fromkeys(actions, float("inf"))
    for round_ in range(ROUNDS + 2):
        for name, action in actions.items():
            start = clock()
            action()
            if round_ >= 2:  # before that, generated code is made
                seconds[name] = min(seconds[name], clock() - start)
    return seconds


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elements", type=int, default=1 << 24, help="of an array (default 16 Mi)")
    parser.add_argument("--threads", type=int, nargs="*", default=sorted({1, measure.cores()}))
    parser.add_argument("--cpu", action="store_true", help="CPU time: for one thread, on a busy machine")
    options = parser.parse_args()
    clock = time.process_time if options.cpu else time.perf_counter
    side = int(options.elements**0.5)
    generator = np.random.default_rng(0)
    arrays = [generator.random((side, side), np.float32) for _ in range(2)]
    rows: list[list[str]] = []
    first: dict[str, float] = {}
    for threads in options.threads:
        actions = {name: running(name, side, arrays, threads) for name in TEXTS}
        copies = {
            "np.copyto": copying(arrays[0], threads, is_new=False),
            "np.copyto, new target": copying(arrays[0], threads, is_new=True),
        }
        seconds = best({**copies, **actions}, clock)
        first = first or seconds
        rates = {name: PASSES.get(name, 2) * arrays[0].nbytes / each / 1e9 for name, each in seconds.items()}
        for name, rate in rates.items():
            share = f"{rate / rates['np.copyto']:.0%}"
            speed_up = f"{first[name] / seconds[name]:.2f}"
            rows.append([name, str(threads), f"{seconds[name] * 1e3:.1f}", f"{rate:.1f}", share, speed_up])
    measure.table(["kernel", "threads", "ms", "GB/s", "of np.copyto", "speed-up"], rows)
    print(f"{side} x {side} elements of f32; load average {measure.load():.1f}")


if __name__ == "__main__":
    main()
