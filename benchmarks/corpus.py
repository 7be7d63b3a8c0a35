"""How long the programs of benchmarks/corpus_programs take beside XLA, and beside NumPy where they have a
twin.

    python benchmarks/corpus.py [--rounds N] [--kind KIND] [--save FILE] [PROGRAM...]

Each side of a program has a process of its own, which has run another one before. "cold" is from the text to
the first result, for XLA from the lowered module to the first result of the compiled one. "warm" is the best
of N rounds of many calls; the sides take turns. Each is measured twice: the ratio of CPU time (of all
threads) says how much work a side does, whatever else the machine does; that of wall time says how long one
waits. "memory" is what a side takes at most beyond what its process held before, in MiB; ratios are of at
least 4 MiB each. Results are compared with XLA's. `--save` writes all figures for benchmarks/compare.py and
docs/generate_speed.py.
"""

from __future__ import annotations

import argparse
import gc
import importlib.metadata
import json
import math
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import measure
import numpy as np
from corpus_figures import WARM_UP_SECONDS, ratio_of, summary

measure.use_repository()

from corpus_programs import CORPUS, Entry  # noqa: E402 - the repository must be on the path first

SIDES = ("xla", "shlo")
LEAST_SECONDS = 0.01
"""How long the calls of a round take together at least."""
TINY = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.add %x, %x : tensor<f32>
  return %y : tensor<f32>
}
"""

Figures = dict[str, float]

# --- in the measured process -------------------------------------------------------------------------------


def timed(action: Callable[[], Any], count: int = 1) -> tuple[Figures, Any]:
    """Returns the wall and CPU seconds of a call, the average of `count`, and its last result."""
    gc.collect()
    result, cpu, start = None, time.process_time(), time.perf_counter()
    for _ in range(count):
        result = action()
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    return {"wall": wall / count, "cpu": cpu / count}, result


def peak_bytes() -> int:
    """Returns the most memory that the process held at once, since `forget_peak` where the system can
    tell."""
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << (0 if sys.platform == "darwin" else 10)


def forget_peak() -> None:
    """Lets `peak_bytes` begin with what the process holds now, on Linux."""
    if os.path.exists("/proc/self/clear_refs"):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def xla_side(entry: Entry, folder: Path) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Lowers a program and writes it, its arguments and later its results to a folder; returns what compiles
    and runs it first, and what runs it again."""
    import jax

    program = entry.program
    jax.config.update("jax_enable_x64", program.x64)
    jax.jit(lambda x: x + 1)(np.float32(1)).block_until_ready()
    (folder / "program.mlir").write_text(program.text(), encoding="utf-8")
    np.savez(folder / "arguments.npz", *program.arguments)
    lowered, arguments = program._lowered, jax.device_put(program._call[1])
    compiled: list[Any] = []

    def first() -> Any:
        compiled.append(lowered.compile())
        return again()

    def again() -> Any:
        return jax.tree.leaves(jax.block_until_ready(compiled[0](*arguments)))

    return first, again


def shlo_side(entry: Entry, folder: Path) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Reads a program; returns what parses and runs it first, and what runs it again."""
    import shlo

    text = (folder / "program.mlir").read_text(encoding="utf-8")
    with np.load(folder / "arguments.npz") as arrays:
        arguments = [arrays[name] for name in arrays.files]
    shlo.run(shlo.parse(TINY), np.float32(1))
    module: list[Any] = []

    def first() -> Any:
        module.append(shlo.parse(text))
        return again()

    def again() -> Any:
        return shlo.run(module[0], *arguments)

    return first, again


def numpy_call(entry: Entry) -> Callable[[], Any] | None:
    """Returns what runs the program's twin in NumPy, None where it has none."""
    if entry.numpy is None:
        return None
    function, (_, arguments) = entry.numpy, entry.program.build()
    return lambda: function(*arguments)


def serve(which: str, name: str, folder: Path) -> None:
    """Answers the lines of standard input, one side of one program: how long the first run took, then rounds
    of runs."""
    entry = CORPUS[name]
    first, again = {"xla": xla_side, "shlo": shlo_side}[which](entry, folder)
    forget_peak()
    before = peak_bytes()
    cold, results = timed(first)
    np.savez(folder / f"{which}.npz", *results)
    del results
    call = numpy_call(entry) if which == "shlo" else None
    counts = {again: _calls(again)} | ({call: _calls(call)} if call is not None else {})
    answers: dict[str, Callable[[], Any]] = {
        "cold": lambda: cold,
        "warm": lambda: timed(again, counts[again])[0],
        "numpy": lambda: None if call is None else timed(call, counts[call])[0],
        "bytes": lambda: peak_bytes() - before,
    }
    for line in sys.stdin:
        print(json.dumps(answers[line.strip()]()), flush=True)


def _calls(action: Callable[[], Any]) -> int:
    """Warms up; returns how many calls take LEAST_SECONDS."""
    end = time.process_time() + WARM_UP_SECONDS
    while time.process_time() < end:
        action()
    seconds = min(timed(action)[0]["cpu"] for _ in range(3))
    return max(1, min(2000, math.ceil(LEAST_SECONDS / max(seconds, 1e-6))))


# --- in the process that reports ---------------------------------------------------------------------------


class Side:
    """A process that serves one side of a program."""

    def __init__(self, which: str, name: str, folder: Path) -> None:
        command = [sys.executable, "-W", "ignore", __file__, "--serve", which, name, str(folder)]
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed in close()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True
        )
        self._what = f"{name} ({which})"

    def ask(self, question: str) -> Any:
        """Returns the answer to a question; raises ChildProcessError where the process has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(question + "\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())
        except (BrokenPipeError, json.JSONDecodeError):
            self._process.wait()
            self._errors.seek(0)
            raise ChildProcessError(f"{self._what} failed:\n{self._errors.read()[-3000:]}") from None

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()
        self._errors.close()


def measured(name: str, rounds: int) -> dict[str, Any]:
    """Returns the figures of a program on both sides."""
    found: dict[str, Any] = {"kind": CORPUS[name].kind}
    sides: dict[str, Side] = {}
    with tempfile.TemporaryDirectory() as folder:
        try:
            for which in SIDES:  # XLA's side writes what ours reads
                side = sides[which] = Side(which, name, Path(folder))
                found[which] = {"cold": side.ask("cold")}
            found["agrees"] = _agrees(name, Path(folder))
            samples: dict[str, list[Figures]] = {"xla": [], "shlo": [], "numpy": []}
            for _ in range(rounds):
                for which, side in sides.items():
                    samples[which].append(side.ask("warm"))
                if (sample := sides["shlo"].ask("numpy")) is not None:
                    samples["numpy"].append(sample)
            for which, side in sides.items():
                found[which] |= {"warm": _best(samples[which]), "bytes": side.ask("bytes")}
            if samples["numpy"]:
                found["numpy"] = {"warm": _best(samples["numpy"])}
        finally:
            for side in sides.values():
                side.close()
    return found


def _best(samples: Iterable[Figures]) -> Figures:
    samples = list(samples)
    return {clock: min(sample[clock] for sample in samples) for clock in ("wall", "cpu")}


def _agrees(name: str, folder: Path) -> bool:
    """Returns whether our results are XLA's, within the program's tolerance."""
    from tests.jax_programs import assert_close

    arrays: list[list[Any]] = []
    for which in ("shlo", "xla"):
        with np.load(folder / f"{which}.npz") as file:
            arrays.append([file[each] for each in file.files])
    try:
        assert_close(CORPUS[name].program, *arrays)
    except AssertionError as error:
        print(f"{name}: {str(error).strip()[:400]}", file=sys.stderr)
        return False
    return True


def machine() -> dict[str, Any]:
    """Returns what the figures depend on: the processor, the cores, versions."""
    model = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), model)
    versions = {name: importlib.metadata.version(name) for name in ("numpy", "scipy", "jaxlib")}
    for name in ("llvmlite",):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = "not installed"
    return {
        "processor": model,
        "cores": measure.cores(),
        "system": platform.system(),
        "python": platform.python_version(),
        "load": measure.load(),
        **versions,
    }


def row(name: str, figures: Mapping[str, Any]) -> list[str]:
    """Returns the line of the table for a program."""
    twin = f"{ratio_of(figures, 'warm', 'cpu', 'numpy'):.2f}" if "numpy" in figures else ""
    return [
        name,
        figures["kind"],
        measure.milliseconds(figures["shlo"]["warm"]["wall"]),
        measure.milliseconds(figures["xla"]["warm"]["wall"]),
        f"{ratio_of(figures, 'warm', 'cpu'):.2f}",
        f"{ratio_of(figures, 'warm', 'wall'):.2f}",
        f"{ratio_of(figures, 'cold', 'cpu'):.3f}",
        f"{figures['shlo']['bytes'] / 2**20:.0f} / {figures['xla']['bytes'] / 2**20:.0f}",
        twin,
        "" if figures["agrees"] else "NO",
    ]


HEADER = (
    "program",
    "kind",
    "shlo, ms",
    "XLA, ms",
    "warm, CPU",
    "warm, wall",
    "cold, CPU",
    "memory",
    "NumPy",
    "agrees",
)


def save(path: Path, about: Mapping[str, Any], programs: Mapping[str, Any]) -> None:
    """Writes the figures of programs, beside those of other programs that the file has already."""
    known = json.loads(path.read_text(encoding="utf-8"))["programs"] if path.exists() else {}
    merged = {**known, **programs}
    saved = {"machine": about, "programs": {name: merged[name] for name in CORPUS if name in merged}}
    path.write_text(json.dumps(saved, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Measures the programs, prints a table and the geometric means, and saves them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="of the corpus (default all)")
    parser.add_argument("--kind", help="programs of one kind, such as 'models'")
    parser.add_argument("--rounds", type=int, default=7, help="how often the sides take turns (default 7)")
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="writes the figures as JSON, program by program"
    )
    parser.add_argument("--serve", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        which, name, folder = options.serve
        serve(which, name, Path(folder))
        return
    names = options.programs or [name for name in CORPUS if options.kind in (None, CORPUS[name].kind)]
    if unknown := [name for name in names if name not in CORPUS]:
        parser.error(f"expected programs of the corpus, got {', '.join(unknown)}")
    measure.compile_modules()
    about = machine()
    programs: dict[str, Any] = {}
    for name in names:
        programs[name] = measured(name, options.rounds)
        print(" | ".join(row(name, programs[name])), file=sys.stderr, flush=True)
        if options.save:
            save(options.save, about, programs)
    measure.table(HEADER, [row(name, figures) for name, figures in programs.items()])
    print(f"{len(programs)} programs; load average {about['load']:.1f}; geometric means of shlo over XLA:")
    for what, value in summary(programs).items():
        print(f"  {what}: {value:.3f}")


if __name__ == "__main__":
    main()
