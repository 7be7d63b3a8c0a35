"""How the time of a grid grows with its processes: an all_reduce in a loop of 100 steps.

    python benchmarks/grid.py [--size N] [PROCESSES...]

Each number of processes is run in a process of its own. CPU seconds, without parsing; each doubling should
take at most 2.3 times the time of the one before, and 1,024 processes less than a minute and 2 GB.
"""

from __future__ import annotations

import argparse
import json
import resource
import time

import measure

measure.use_repository()

DOUBLING = 2.3
MOST_SECONDS, MOST_BYTES = 60, 2 << 30

PROGRAM = """
func.func @main(%x: tensor<{size}xf32>) -> tensor<{size}xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<{size}xf32>
  cond {{
    %steps = stablehlo.constant dense<100> : tensor<i32>
    %c = stablehlo.compare LT, %i, %steps : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %sum = "stablehlo.all_reduce"(%v) ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %t = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }}) {{replica_groups = dense<[{ids}]> : tensor<1x{count}xi64>}}
      : (tensor<{size}xf32>) -> tensor<{size}xf32>
    %scale = stablehlo.constant dense<{scale}> : tensor<{size}xf32>
    %mean = stablehlo.multiply %sum, %scale : tensor<{size}xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %mean : tensor<i32>, tensor<{size}xf32>
  }}
  return %r#1 : tensor<{size}xf32>
}}
"""


def run(count: int, size: int) -> dict[str, float]:
    """CPU seconds and bytes that a grid of so many processes takes."""
    import numpy as np

    import shlo
    from shlo import interpreter  # noqa: F401 - imported before the clock starts

    text = PROGRAM.format(size=size, count=count, ids=list(range(count)), scale=f"{1 / count:e}")
    module = shlo.parse(text)
    inputs = [[np.full(size, number, np.float32)] for number in range(count)]
    start = time.process_time()
    results = shlo.run_grid(module, inputs, replicas=count)
    seconds = time.process_time() - start
    assert np.allclose(results[0][0], (count - 1) / 2, rtol=1e-3)
    return {"seconds": seconds, "bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}


def verdict(count: int, made: dict[str, float], before: dict[str, float] | None) -> str:
    """Returns how a measurement stands to the goals."""
    is_slow = before is not None and made["seconds"] > DOUBLING * before["seconds"]
    is_over = count == 1024 and (made["seconds"] > MOST_SECONDS or made["bytes"] > MOST_BYTES)
    return "OVER" if is_slow or is_over else ""


def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("processes", nargs="*", type=int, default=[256, 512, 1024], help="256 512 1024")
    parser.add_argument("--size", type=int, default=16, help="elements of the tensor (default 16)")
    parser.add_argument("--child", nargs=2, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(run(*options.child)))
        return
    rows: list[list[str]] = []
    before: dict[str, float] | None = None
    for count in options.processes:
        made = measure.child(__file__, str(count), str(options.size))
        grown = "" if before is None else f"{made['seconds'] / before['seconds']:.2f}"
        memory = f"{made['bytes'] / 2**20:.0f} MB"
        rows.append([str(count), f"{made['seconds']:.2f} s", grown, memory, verdict(count, made, before)])
        before = made
    measure.table(("processes", "CPU time", "times", "memory", "goal"), rows)


if __name__ == "__main__":
    main()
