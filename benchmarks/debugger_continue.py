"""How much CPU time `continue` takes in the debugger with ten breakpoints armed, against `shlo.run`.

    python benchmarks/debugger_continue.py [--programs NAME ...] [--rounds N]

The ten programs of tests/programs with the longest texts, and loops over scalars. Six breakpoints are on
operations that the program does not hold, four on lines of its entry function, with conditions that are never
true. A session starts on a module that was run before, as the runs do that it is compared with.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from typing import Any

import measure
import numpy as np

measure.use_repository()

import shlo  # noqa: E402
from shlo.debugger import Session  # noqa: E402
from shlo.debugger.replay.block_index import block_index  # noqa: E402
from shlo.interpreter.program.code import program_of  # noqa: E402
from shlo.ir.operations import Module  # noqa: E402
from tests.jax_programs import PROGRAMS, RUNNABLE  # noqa: E402

MOST = 1.5
MOST_IN_LOOPS = 5.0
ABSENT = ("all_to_all", "fft", "infeed", "outfeed", "cholesky", "batch_norm_training", "uniform_quantize")
BREAKPOINTS = 10

SUM = """\
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<200000> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %out:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<f32>
  cond {
    %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %scaled = stablehlo.multiply %y, %half : tensor<f32>
    %new = stablehlo.add %scaled, %x : tensor<f32>
    stablehlo.return %next, %new : tensor<i32>, tensor<f32>
  }
  return %out#1 : tensor<f32>
}
"""

COLLATZ = """\
func.func @main(%x: tensor<i64>) -> tensor<i64> {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %two = stablehlo.constant dense<2> : tensor<i64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %out:2 = stablehlo.while(%n = %x, %longest = %zero) : tensor<i64>, tensor<i64>
  cond {
    %more = stablehlo.compare GT, %n, %one : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %steps = func.call @length(%n) : (tensor<i64>) -> tensor<i64>
    %new = stablehlo.maximum %longest, %steps : tensor<i64>
    %less = stablehlo.subtract %n, %one : tensor<i64>
    stablehlo.return %less, %new : tensor<i64>, tensor<i64>
  }
  return %out#1 : tensor<i64>
}
func.func private @length(%x: tensor<i64>) -> tensor<i64> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %two = stablehlo.constant dense<2> : tensor<i64>
  %three = stablehlo.constant dense<3> : tensor<i64>
  %out:2 = stablehlo.while(%n = %x, %i = %zero) : tensor<i64>, tensor<i64>
  cond {
    %more = stablehlo.compare GT, %n, %one : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %rest = stablehlo.remainder %n, %two : tensor<i64>
    %odd = stablehlo.compare EQ, %rest, %one : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %next = "stablehlo.if"(%odd) ({
      %tripled = stablehlo.multiply %n, %three : tensor<i64>
      %up = stablehlo.add %tripled, %one : tensor<i64>
      stablehlo.return %up : tensor<i64>
    }, {
      %down = stablehlo.divide %n, %two : tensor<i64>
      stablehlo.return %down : tensor<i64>
    }) : (tensor<i1>) -> tensor<i64>
    %count = stablehlo.add %i, %one : tensor<i64>
    stablehlo.return %next, %count : tensor<i64>, tensor<i64>
  }
  return %out#1 : tensor<i64>
}
"""

LOOPS: dict[str, tuple[str, list[Any]]] = {
    "scalar loop": (SUM, [np.float32(1)]),
    "scalar loops with branches": (COLLATZ, [np.int64(1000)]),
}


def arm(session: Session) -> None:
    """Sets breakpoints that never stop the session."""
    code = program_of(session.module).function(session.run.entry).code
    present = {instruction.operation.name for instruction in code.instructions}
    for name in [name for name in ABSENT if f"stablehlo.{name}" not in present][:6]:
        session.breakpoints.on_op(name)
    missing = BREAKPOINTS - len(session.breakpoints)
    index = block_index(code)
    lines, (subject, *_) = list(index.lines), (code.values.names[register] for register in code.arguments)
    for line in lines[:: max(1, len(lines) // missing)][:missing]:
        session.breakpoints.on_line(line, f"%{subject} nans > 1000000000")


def cpu_seconds(action: Callable[[], Any]) -> float:
    """Returns the CPU time of a call; garbage of what went before is collected first."""
    gc.collect()
    start = time.process_time()
    action()
    return time.process_time() - start


def best(module: Module, arguments: list[Any], rounds: int) -> tuple[float, float, Session]:
    """Returns the best times of a run and of a `continue`, taken in turns, and a session at its end."""
    shlo.run(module, *arguments)
    pairs: list[tuple[float, float]] = []
    for _ in range(rounds + 1):
        session = Session(module, arguments)
        arm(session)
        pairs.append((cpu_seconds(lambda: shlo.run(module, *arguments)), cpu_seconds(session.resume)))
    run, resume = (min(times) for times in zip(*pairs[1:]))  # the first one generates code
    return run, resume, session


def main() -> None:
    """Prints a table of times and ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", nargs="*", help="names of programs of tests/programs")
    parser.add_argument("--rounds", type=int, default=8)
    options = parser.parse_args()
    names = options.programs
    if names is None:
        texts = sorted(RUNNABLE, key=lambda program: -len(program.text().splitlines()))
        names = [*LOOPS, *(program.name for program in texts[:10])]
    rows: list[list[str]] = []
    for name in names:
        if name in LOOPS:
            text, arguments = LOOPS[name]
        else:
            text, arguments = PROGRAMS[name].text(), PROGRAMS[name].arguments
        run, resume, session = best(shlo.parse(text), arguments, options.rounds)
        at_most = MOST_IN_LOOPS if name in LOOPS else MOST
        row = [name, f"{session.position:,}", str(len(session.breakpoints))]
        row += [*map(measure.milliseconds, (run, resume)), measure.ratio(resume, run, at_most)]
        rows.append(row)
    measure.table(["program", "steps", "breakpoints", "run ms", "continue ms", "ratio"], rows)


if __name__ == "__main__":
    main()
