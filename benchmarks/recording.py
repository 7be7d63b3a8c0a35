"""Recordings: what a step costs while it is recorded, how large the file is, how fast it opens and jumps.

    python benchmarks/recording.py [ROUNDS]

A loop of scalars that never repeat, 8 steps a round (125,000 rounds are 1,000,000 steps), run by the debugger
step by step without a recording (bulk steps off) and with each kind. Seconds are CPU seconds; each run is
a process of its own.
"""

from __future__ import annotations

import json
import os
import random
import resource
import sys
import tempfile
import time
from typing import Any

from measure import child, use_repository

ROUNDS = 125_000
JUMPS = 40

LOOP = """\
func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<f32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %b = stablehlo.sine %a : tensor<f32>
      %k = stablehlo.constant dense<5.5> : tensor<f32>
      %d = stablehlo.multiply %b, %k : tensor<f32>
      stablehlo.return %j, %d : tensor<i32>, tensor<f32>
    }
  return %r#0, %r#1 : tensor<i32>, tensor<f32>
}
"""


def measured(kind: str, rounds: int) -> dict[str, Any]:
    """Returns what a run of the loop and its recording cost."""
    use_repository()
    import numpy as np

    import shlo
    from shlo.debugger import Session
    from shlo.debugger.recording.file import open_recording
    from shlo.debugger.recording.recorder import record

    session = Session(shlo.parse(LOOP), [np.int32(rounds), np.float32(0.3)], memory=64 << 20)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.shlorec")
        session.cursor.takes_bulk_steps = False
        start = time.process_time()
        recorder = None if kind == "no recording" else record(session, path, kind)  # type: ignore[arg-type]
        session.resume()
        if recorder is not None:
            recorder.close()
        found: dict[str, Any] = {"steps": session.position, "run": time.process_time() - start}
        found["rss"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        if recorder is None:
            return found
        found["megabytes"] = os.path.getsize(path) / 1e6
        start = time.process_time()
        opened = open_recording(path)
        found["open"] = time.process_time() - start
        choose, jumps = random.Random(1), list[float]()
        for _ in range(JUMPS):
            start = time.process_time()
            opened.goto(choose.randrange(opened.cursor.last))
            for view in opened.inspector.values():
                opened.inspector.summary(view.name)
            jumps.append(time.process_time() - start)
        return {**found, "jump": max(jumps)}


def main() -> None:
    """Prints a row for each kind of recording."""
    rounds = sys.argv[1] if len(sys.argv) > 1 else str(ROUNDS)
    names = ("run s", "us/step", "MB", "open s", "jump s", "RSS MB")
    print(f"{'':>12} {'steps':>9} {' '.join(f'{name:>7}' for name in names)}")
    for kind in ("no recording", "none", "statistics", "all"):
        row = child(__file__, kind, rounds)
        cells = [f"{row['run']:7.2f}", f"{row['run'] / row['steps'] * 1e6:7.2f}"]
        cells += [
            f"{row[name]:7.3f}" if name in row else f"{'-':>7}" for name in ("megabytes", "open", "jump")
        ]
        print(f"{kind:>12} {row['steps']:9,} {' '.join(cells)} {row['rss']:7.0f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(measured(sys.argv[2], int(sys.argv[3]))))
    else:
        main()
