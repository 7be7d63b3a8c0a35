"""How long reading and writing bytecode takes, beside jaxlib's C++, and copying a large constant.

    python benchmarks/bytecode.py [--quick] [--rounds N]

Every measurement is the first of its kind in a process of its own, in seconds of CPU time; before the clock
starts, a program of one op has gone through, which imports what is imported late. jaxlib verifies what it
reads. The constant goes from an artifact to an artifact of another version; beside it, the file is copied.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import measure

measure.use_repository()

GOAL, COPY_GOAL, MEMORY_GOAL = 15, 2, 1.2
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

    shlo_bytecode.read(shlo_bytecode.write(shlo.parse(WARM_UP)))
    return shlo_bytecode


def shlo_read(file: str) -> float:
    codec, data = _shlo(), Path(file).read_bytes()
    return _timed(lambda: codec.read(data))


def shlo_write(file: str) -> float:
    codec = _shlo()
    module = codec.read(Path(file).read_bytes())
    return _timed(lambda: codec.write(module))


def _jaxlib(data: str | bytes) -> Any:
    from jaxlib.mlir import ir

    from tests.oracle_worker import context

    return ir.Module.parse(data, context(False))


def _jaxlib_write(module: Any) -> bytes:
    stream = io.BytesIO()
    module.operation.write_bytecode(stream)
    return stream.getvalue()


def jaxlib_read(file: str) -> float:
    _jaxlib(_jaxlib_write(_jaxlib(WARM_UP)))
    data = Path(file).read_bytes()
    return _timed(lambda: _jaxlib(data))


def jaxlib_write(file: str) -> float:
    _jaxlib_write(_jaxlib(WARM_UP))
    module = _jaxlib(Path(file).read_bytes())
    return _timed(lambda: _jaxlib_write(module))


def shlo_copy(file: str) -> list[float]:
    """Seconds for an artifact with a large constant to become another, seconds to copy the file, and the
    bytes of memory that the first takes."""
    codec = _shlo()

    def convert() -> None:
        with Path(f"{file}.new").open("wb") as target:
            codec.save_artifact(target, codec.load(file), "1.4.0")

    before = _peak()
    converted = _timed(convert)
    peak = _peak() - before
    return [converted, _timed(lambda: shutil.copyfile(file, f"{file}.copy")), peak]


def _peak() -> float:
    """The most memory that this process has taken so far, in bytes; 0 where the system does not say."""
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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="one program, three rounds, a small constant")
    parser.add_argument("--rounds", type=int, default=5, help="processes per measurement (default 5)")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        name, file = options.child
        print(json.dumps(MEASURES[name](file)))
        return
    rounds = 3 if options.quick else options.rounds
    with tempfile.TemporaryDirectory() as folder:
        _report_programs(Path(folder), rounds, options.quick)
        _report_constant(Path(folder), rounds, MEGABYTES // 10 if options.quick else MEGABYTES)


def _report_programs(folder: Path, rounds: int, quick: bool) -> None:
    from tests.jax_programs import GIANTS

    rows: list[list[str]] = []
    for program in GIANTS[1:2] if quick else GIANTS:
        for debug_info in (False, True):
            file = folder / "program.mlirbc"
            file.write_bytes(_jaxlib_write(_jaxlib(program.text(debug_info=debug_info))))
            rows.append(_row(f"{program.name}{', debug info' if debug_info else ''}", file, rounds))
    print(f"medians of {rounds} fresh processes, milliseconds of CPU time")
    measure.table(HEADER, rows)


def _row(name: str, file: Path, rounds: int) -> list[str]:
    def process(measured: str) -> Callable[[], float]:
        return lambda: measure.child(__file__, measured, str(file))

    t = measure.interleaved(rounds, {key: process(key) for key in PROGRAM_MEASURES})
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
