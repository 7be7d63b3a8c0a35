"""How long reading and writing bytecode and artifacts takes, beside jaxlib's C++; copying a large constant.

    python benchmarks/bytecode.py [--quick] [--rounds N]

Every measurement is the first of its kind in a process of its own: the program has not been seen before, no
cache knows it. What is not counted is what a process pays once whatever it reads, on both sides: importing,
making jaxlib's context, and a program of one operation, which has gone through before the clock starts. Times
are CPU time of all threads; NumPy is told to start none for linear algebra, which nothing here needs.
jaxlib verifies what it reads; shlo does not.

Programs differ in their locations, which are most of a file: those of JAX (debug info), for each operation
its own place in a text, or none. The constant goes from an artifact to an artifact of another version; beside
it, the file is copied.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import measure

measure.use_repository()

os.environ["OPENBLAS_NUM_THREADS"] = "1"

GOAL, COPY_GOAL, MEMORY_GOAL = 15, 2, 1.2
ARTIFACT, VERSION = ".artifact", "1.10.0"
"""How the names of portable artifacts end, and their version."""
STRAIGHT = 50_000
"""How many operations the program without regions has."""
MEGABYTES = 500
HEADER = (
    *("what", "MB", "jaxlib read", "shlo read", "ratio", "jaxlib write", "shlo write", "ratio"),
    "both",
)

WARM_UP = """func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32>
  return %0 : tensor<f32>
}"""

# --- in the measured process -------------------------------------------------------------------------------


def _timed(action: Callable[[], Any]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def _shlo() -> Any:
    import shlo
    import shlo_bytecode

    module = shlo_bytecode.read(shlo_bytecode.write(shlo.parse(WARM_UP)))
    shlo_bytecode.read(shlo_bytecode.write_artifact(module, VERSION))
    return shlo_bytecode


def shlo_read(file: str) -> float:
    codec, data = _shlo(), Path(file).read_bytes()
    return _timed(lambda: codec.read(data))


def shlo_write(file: str) -> float:
    codec = _shlo()
    module = codec.read(Path(file).read_bytes())
    if file.endswith(ARTIFACT):
        return _timed(lambda: codec.write_artifact(module, VERSION))
    return _timed(lambda: codec.write(module))


class Jaxlib:
    """Reads and writes as jaxlib does, in one context."""

    def __init__(self) -> None:
        from jaxlib.mlir import ir

        from tests.oracle_worker import context

        self._ir = ir
        self._context = context(False)
        for name in (ARTIFACT, ""):
            self.read(self.write(self.parsed(WARM_UP), name), name)

    def parsed(self, text: str, with_locations: bool = True) -> Any:
        """Returns the module of a text."""
        from jaxlib.mlir.passmanager import PassManager

        module = self._ir.Module.parse(text, self._context)
        if not with_locations:
            PassManager.parse("builtin.module(strip-debuginfo)", self._context).run(module.operation)
        return module

    def read(self, data: bytes, name: str) -> Any:
        from jaxlib.mlir.dialects import stablehlo

        if name.endswith(ARTIFACT):
            return stablehlo.deserialize_portable_artifact(self._context, data)
        return self._ir.Module.parse(data, self._context)

    def write(self, module: Any, name: str) -> bytes:
        from jaxlib.mlir.dialects import stablehlo

        if name.endswith(ARTIFACT):
            return stablehlo.serialize_portable_artifact(module, VERSION)
        stream = io.BytesIO()
        module.operation.write_bytecode(stream)
        return stream.getvalue()


def jaxlib_read(file: str) -> float:
    jaxlib, data = Jaxlib(), Path(file).read_bytes()
    return _timed(lambda: jaxlib.read(data, file))


def jaxlib_write(file: str) -> float:
    jaxlib = Jaxlib()
    module = jaxlib.read(Path(file).read_bytes(), file)
    return _timed(lambda: jaxlib.write(module, file))


def shlo_copy(file: str) -> list[float]:
    """Seconds for an artifact with a large constant to become another, seconds to copy the file, and the
    bytes of memory that the first takes.
    """
    codec = _shlo()

    def convert() -> None:
        with Path(f"{file}.new").open("wb") as target:
            codec.save_artifact(target, codec.load(file), "1.4.0")

    before = _peak()
    converted = _timed(convert)
    peak = _peak() - before
    return [converted, _timed(lambda: shutil.copyfile(file, f"{file}.copy")), peak]


def _peak() -> float:
    """Returns the most memory that this process has taken so far, in bytes; 0 where the system does not
    say."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((1024.0 * int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0.0)


def shlo_constant(file: str) -> None:
    """Writes an artifact with a constant of random floats; how many megabytes is the file's suffix."""
    import numpy as np

    import shlo
    import shlo_bytecode
    from shlo.ir.dense import DenseElementsAttr
    from shlo.ir.operations import Operation, Signature
    from shlo.ir.types import F32, RankedTensorType

    module = shlo.parse("func.func @main() { %0 = stablehlo.constant dense<1.0> : tensor<f32> return }")
    body = module.functions["main"].body
    assert body is not None
    type_ = RankedTensorType((int(Path(file).suffix[1:]) * 250_000,), F32)
    numbers = np.random.default_rng(0).random(type_.element_count, np.float32)
    signature = Signature("stablehlo.constant", (), (type_,), {"value": DenseElementsAttr(type_, numbers)})
    operations = body.blocks[0].operations
    operations[0] = Operation(signature, (), operations[0].results)
    with Path(file).open("wb") as target:
        shlo_bytecode.save_artifact(target, module, "1.0.0")


PROGRAM_MEASURES = ("jaxlib_read", "shlo_read", "jaxlib_write", "shlo_write")

MEASURES: dict[str, Callable[[str], Any]] = {
    f.__name__: f for f in (jaxlib_read, shlo_read, jaxlib_write, shlo_write, shlo_copy, shlo_constant)
}

# --- in the process that reports ---------------------------------------------------------------------------


def main() -> None:
    """Lowers programs, measures them, and prints a table; then the large constant."""
    rounds, is_quick = measure.rounds_or_child(
        __doc__, "two programs, three rounds, a small constant", MEASURES
    )
    with tempfile.TemporaryDirectory() as folder:
        _report_programs(Path(folder), rounds, is_quick)
        _report_constant(Path(folder), rounds, MEGABYTES // 10 if is_quick else MEGABYTES)


class Case(NamedTuple):
    """A program to measure: its name, its text, and what becomes of its locations."""

    name: str
    text: Callable[[], str]
    with_locations: bool = True


def _straight() -> str:
    """Returns one function of a few kinds of operations, each of which uses what is near and what is far."""
    kinds = ("add %{0}, %{1}", "tanh %{0}", "multiply %{0}, %{1}", "maximum %{0}, %{1}", "negate %{1}")
    lines = [
        f"  %{n} = stablehlo.{kinds[n % len(kinds)].format(n - 1, n // 2)} : tensor<8x8xf32>"
        for n in range(1, STRAIGHT)
    ]
    body = "\n".join(lines)
    head = "func.func @main(%0: tensor<8x8xf32>) -> tensor<8x8xf32> {"
    return f"{head}\n{body}\n  return %{STRAIGHT - 1} : tensor<8x8xf32>\n}}\n"


def _cases() -> list[Case]:
    from tests.jax_programs import PROGRAMS

    adam, accumulation = PROGRAMS["giant_adam"], PROGRAMS["giant_accumulation"]
    return [
        Case("giant_adam, places", adam.text),
        Case("giant_adam, debug info", lambda: adam.text(debug_info=True)),
        Case("giant_adam", adam.text, False),
        Case("straight, places", _straight),
        Case("straight", _straight, False),
        Case("giant_accumulation, debug info", lambda: accumulation.text(debug_info=True)),
    ]


def _report_programs(folder: Path, rounds: int, quick: bool) -> None:
    jaxlib = Jaxlib()
    rows: list[list[str]] = []
    for case in _cases()[: 2 if quick else None]:
        module = jaxlib.parsed(case.text(), case.with_locations)
        for name in ("program.mlirbc", f"program{ARTIFACT}"):
            file = folder / name
            file.write_bytes(jaxlib.write(module, name))
            rows.append(_row(f"{case.name}{', artifact' * name.endswith(ARTIFACT)}", file, rounds))
    print(f"medians of {rounds} fresh processes, milliseconds of CPU time")
    measure.table(HEADER, rows)


def _row(name: str, file: Path, rounds: int) -> list[str]:
    t = measure.processes(rounds, __file__, PROGRAM_MEASURES, str(file))
    cells = [name, f"{file.stat().st_size / 1e6:.2f}"]
    for action in ("read", "write"):
        ours, theirs = t[f"shlo_{action}"], t[f"jaxlib_{action}"]
        cells += [measure.milliseconds(theirs), measure.milliseconds(ours), measure.ratio(ours, theirs)]
    ours, theirs = (t[f"{who}_read"] + t[f"{who}_write"] for who in ("shlo", "jaxlib"))
    return [*cells, measure.ratio(ours, theirs, GOAL)]


def _report_constant(folder: Path, rounds: int, megabytes: int) -> None:
    file = folder / f"constant.{megabytes}"
    measure.child(__file__, "shlo_constant", str(file))
    taken: list[list[float]] = [measure.child(__file__, "shlo_copy", str(file)) for _ in range(rounds)]
    convert, copy, peak = (sorted(values)[rounds // 2] for values in zip(*taken, strict=True))
    size = file.stat().st_size
    print(f"a constant of {megabytes} MB from artifact to artifact, beside copying the file")
    measure.table(
        ("convert", "copy", "ratio", "peak memory over size"),
        [
            [
                measure.milliseconds(convert),
                measure.milliseconds(copy),
                measure.ratio(convert, copy, COPY_GOAL),
                measure.ratio(peak, size, MEMORY_GOAL),
            ]
        ],
    )


if __name__ == "__main__":
    main()
