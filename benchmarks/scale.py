"""How long programs of up to a million operations take, and how much memory, by step.

    python benchmarks/scale.py [--sizes N,N,...] [--weights MIB] [--steps NAME,...]

Each step is a process of its own: its CPU seconds with all that starting costs, and the most memory that it
held, as a multiple of the file (at the largest size, also in MiB). "exponent" is the slope of the logarithms
of the seconds beyond those of a program of one operation: 1 is linear. The text is of some 110 bytes an
operation: half of the operations are in one block, half in functions of 500, with locations, reductions and
branches. The weights are the constant of an artifact. Ends with exit code 1 where a step grows faster than
EXPONENT, or takes more memory than the bars.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import measure
import numpy as np

measure.use_repository()

SIZES = (125_000, 250_000, 500_000, 1_000_000)
EXPONENT, TEXT_BAR, WEIGHTS_BAR = 1.15, 12.0, 1.2
COMMAND = "import sys; from shlo.cli import main; sys.exit(main())"


class Cost(NamedTuple):
    """What a process took: CPU seconds, and the most memory in bytes."""

    seconds: float
    size_bytes: int


# --- programs ----------------------------------------------------------------------------------------------

MATRIX = "tensor<8x16xf32>"
OPERATIONS = (
    "%a{n} = stablehlo.dot_general {x}, {x}, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT]"
    f" : ({MATRIX}, {MATRIX}) -> tensor<8x8xf32>",
    "%b{n} = stablehlo.dot_general %a{n}, {x}, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT]"
    f" : (tensor<8x8xf32>, {MATRIX}) -> {MATRIX}",
    "%c{n} = stablehlo.reduce(%b{n} init: %zero) applies stablehlo.maximum across dimensions = [1]"
    f" : ({MATRIX}, tensor<f32>) -> tensor<8xf32>",
    f"%d{{n}} = stablehlo.broadcast_in_dim %c{{n}}, dims = [0] : (tensor<8xf32>) -> {MATRIX}",
    f"%e{{n}} = stablehlo.subtract %b{{n}}, %d{{n}} : {MATRIX}",
    f"%f{{n}} = stablehlo.tanh %e{{n}} : {MATRIX}",
    f"%g{{n}} = stablehlo.clamp %zero, %f{{n}}, %zero : (tensor<f32>, {MATRIX}, tensor<f32>) -> {MATRIX}",
    f"%h{{n}} = stablehlo.add %g{{n}}, {{x}} : {MATRIX}",
)
"""Operations that make a matrix of the matrix {x}; {n} is a number of their own."""
BRANCH = f"""\
    %h{{n}} = "stablehlo.case"(%index) ({{{{
      %y = stablehlo.negate {{x}} : {MATRIX}
      stablehlo.return %y : {MATRIX}
    }}}}, {{{{
      stablehlo.return {{x}} : {MATRIX}
    }}}}) : (tensor<i32>) -> {MATRIX} loc(#loc{{at}})
"""
IN_A_FUNCTION = 500
LOCATIONS = 5000


def write_program(path: Path, operations: int) -> None:
    """Writes a program of about so many operations."""
    functions = max(1, operations // 2 // IN_A_FUNCTION)
    with path.open("w", encoding="utf-8") as file:
        for at in range(LOCATIONS):
            file.write(f'#loc{at} = loc("layers/{at}/model.py":{at + 1}:4)\n')
        for number in range(functions):
            file.write(f"func.func private @layer{number}(%x: {MATRIX}) -> {MATRIX} {{\n")
            _write_body(file, IN_A_FUNCTION, "%x")
        file.write(f"func.func @main(%x: {MATRIX}) -> {MATRIX} {{\n")
        for number in range(functions):
            value = f"%x{number - 1}" if number else "%x"
            file.write(f"    %x{number} = call @layer{number}({value}) : ({MATRIX}) -> {MATRIX}\n")
        _write_body(file, operations // 2, f"%x{functions - 1}")


def _write_body(file: TextIO, operations: int, value: str) -> None:
    file.write("    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>\n")
    file.write("    %index = stablehlo.constant dense<1> : tensor<i32>\n")
    for n in range(0, operations, len(OPERATIONS)):
        at = n % LOCATIONS
        if n % 160 == 0:
            file.write(BRANCH.format(n=n, x=value, at=at))
        else:
            for each in OPERATIONS:
                file.write(f"    {each.format(n=n, x=value)} loc(#loc{at})\n")
        value = f"%h{n}"
    file.write(f"    return {value} : {MATRIX}\n}}\n")


def write_weights(path: Path, mebibytes: int) -> None:
    """Writes an artifact with a constant of that size."""
    import numpy as np

    import shlo
    import shlo_bytecode
    from shlo.ir.dense import DenseElementsAttr
    from shlo.ir.operations import Operation, Signature
    from shlo.ir.types import F32, RankedTensorType

    type_ = RankedTensorType((mebibytes << 8, 1 << 10), F32)
    module = shlo.parse(
        f"""func.func @main(%x: tensor<1024xf32>) -> tensor<{mebibytes << 8}xf32> {{
          %w = stablehlo.constant dense<1.0> : {type_}
          %y = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0]
            : ({type_}, tensor<1024xf32>) -> tensor<{mebibytes << 8}xf32>
          return %y : tensor<{mebibytes << 8}xf32>
        }}"""
    )
    body = module.functions["main"].body
    assert body is not None
    operations = body.blocks[0].operations
    with tempfile.TemporaryFile(dir=path.parent) as raw:
        raw.truncate(mebibytes << 20)  # zeros that take no space
        numbers = np.memmap(raw, np.float32, "r+", shape=(mebibytes << 8, 1 << 10))
        numbers[:, 0] = 1
        signature = Signature(
            "stablehlo.constant", (), (type_,), {"value": DenseElementsAttr(type_, numbers)}
        )
        operations[0] = Operation(signature, (), operations[0].results)
        with path.open("wb") as target:
            shlo_bytecode.save_artifact(target, module, "1.0.0")


# --- steps -------------------------------------------------------------------------------------------------


def python(code: str) -> Callable[[Path], Cost]:
    """Returns what runs code in a process with a file as its argument."""
    return lambda file: _waited(subprocess.Popen(_command(code, file), stdout=subprocess.DEVNULL))


def command(*words: str) -> Callable[[Path], Cost]:
    """Returns what runs `shlo` on a file, `FILE` among the words; `OUT` is another one beside it."""

    def run(file: Path) -> Cost:
        paths = {"FILE": str(file), "OUT": f"{file}.out"}
        return _waited(
            subprocess.Popen(
                _command(COMMAND, *(paths.get(each, each) for each in words)), stdout=subprocess.DEVNULL
            )
        )

    return run


def _command(code: str, *arguments: str | Path) -> list[str]:
    return [sys.executable, "-c", code, *map(str, arguments)]


def _waited(process: subprocess.Popen[bytes]) -> Cost:
    """Waits for a process and returns what it took; raises ChildProcessError where it failed."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise ChildProcessError(f"exit code {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1 << 10
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)


def open_in_server(file: Path) -> Cost:
    """Opens a file in the language server, until its findings are there."""
    process = subprocess.Popen(
        _command(COMMAND, "lsp"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=measure.ROOT
    )
    stdin, stdout = process.stdin, process.stdout
    assert stdin is not None
    assert stdout is not None

    def send(method: str, params: object, **more: object) -> None:
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        stdin.flush()

    def wait(wanted: Callable[[dict[str, Any]], bool]) -> None:
        while header := stdout.readline():
            length = int(header.partition(b":")[2])
            while stdout.readline().strip():
                pass
            if wanted(json.loads(stdout.read(length))):
                return
        raise ChildProcessError("the server has ended")

    send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, id=1)
    wait(lambda message: message.get("id") == 1)
    send("initialized", {})
    text = file.read_text(encoding="utf-8")
    document = {"uri": "file:///scale.mlir", "languageId": "mlir", "version": 0, "text": text}
    send("textDocument/didOpen", {"textDocument": document})
    wait(lambda message: message.get("method") == "textDocument/publishDiagnostics")
    send("shutdown", None, id=2)
    wait(lambda message: message.get("id") == 2)
    send("exit", None)
    return _waited(process)


DEBUG = """
import sys, numpy, shlo
from shlo.debugger import Session
session = Session(shlo.load(sys.argv[1]), [numpy.zeros({shape}, numpy.float32)])
for _ in range(20):
    snapshot = session.step_in()
"""
TEXT_STEPS: dict[str, Callable[[Path], Cost]] = {
    "parse": python("import sys, shlo; shlo.load(sys.argv[1])"),
    "check": command("check", "FILE"),
    "format": command("fmt", "FILE"),
    "convert to bytecode": command("convert", "FILE", "-o", "OUT", "--emit", "bytecode"),
    "open in the language server": open_in_server,
    "open in the debugger, step": python(DEBUG.format(shape=(8, 16))),
}
WEIGHTS_STEPS: dict[str, Callable[[Path], Cost]] = {
    "read": python("import sys, shlo; shlo.load(sys.argv[1])"),
    "check": command("check", "FILE"),
    "convert to bytecode": command("convert", "FILE", "-o", "OUT", "--emit", "bytecode"),
    "convert to an artifact": command("convert", "FILE", "-o", "OUT", "--target", "1.4.0"),
    "open in the debugger, step": python(DEBUG.format(shape=1024)),
}

# --- the report --------------------------------------------------------------------------------------------


def measured(steps: Sequence[str], sizes: Sequence[int], folder: Path) -> list[list[str]]:
    """Returns a line of the table for each step on texts."""
    costs: dict[str, list[Cost]] = {name: [] for name in steps}
    lengths: list[int] = []
    for size in (1, *sizes):
        file = folder / f"{size}.mlir"
        write_program(file, size)
        lengths.append(file.stat().st_size)
        for name in steps:
            costs[name].append(TEXT_STEPS[name](file))
            print(
                f"{size:,} operations, {name}: {costs[name][-1].seconds:.1f} s", file=sys.stderr, flush=True
            )
        file.unlink()
    return [_text_row(name, costs[name], sizes, lengths[-1]) for name in steps]


def _text_row(name: str, costs: Sequence[Cost], sizes: Sequence[int], length: int) -> list[str]:
    base, *rest = costs
    seconds = [max(each.seconds - base.seconds, 1e-3) for each in rest]
    times = rest[-1].size_bytes / length
    slope = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0]) if len(sizes) > 1 else 1.0
    return [
        name,
        *(f"{each.seconds:.1f}" for each in rest),
        f"{slope:.2f}" + _over(slope, EXPONENT),
        f"{rest[-1].size_bytes / 2**20:,.0f}",
        f"{times:.1f}" + _over(times, TEXT_BAR),
    ]


def of_weights(mebibytes: int, folder: Path) -> list[list[str]]:
    """Returns a line of the table for each step on an artifact."""
    file = folder / "weights.mlirbc"
    # In a process of its own: a process is said to hold at least what the one that starts it holds.
    _waited(subprocess.Popen([sys.executable, __file__, "--write", str(file), "--weights", str(mebibytes)]))
    rows: list[list[str]] = []
    for name, step in WEIGHTS_STEPS.items():
        cost = step(file)
        times = cost.size_bytes / (mebibytes << 20)
        rows.append(
            [
                name,
                f"{cost.seconds:.1f}",
                f"{cost.size_bytes / 2**20:,.0f}",
                f"{times:.2f}" + _over(times, WEIGHTS_BAR),
            ]
        )
        print(rows[-1], file=sys.stderr, flush=True)
    return rows


def _over(value: float, bar: float) -> str:
    return f" OVER {bar:g}" if value > bar else ""


def main() -> int:
    """Prints the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="operations; empty: no text")
    parser.add_argument("--weights", type=int, default=1024, metavar="MIB", help="0: no artifact")
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--steps", default="", help="of texts, all where none is named")
    options = parser.parse_args()
    if options.write:
        write_weights(options.write, options.weights)
        return 0
    sizes = [int(each) for each in options.sizes.split(",") if each]
    steps = [each for each in options.steps.split(",") if each] or list(TEXT_STEPS)
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        if sizes:
            rows += measured(steps, sizes, Path(folder))
            print(f"CPU seconds; load {measure.load():.1f}")
            header = ("text", *(f"{size:,}" for size in sizes), "exponent", "peak, MiB", "peak / text")
            measure.table(header, rows)
        if options.weights:
            found = of_weights(options.weights, Path(folder))
            print(f"an artifact with {options.weights:,} MiB of weights")
            measure.table(("step", "CPU seconds", "peak, MiB", "peak / weights"), found)
            rows += found
    return int(any("OVER" in cell for row in rows for cell in row))


if __name__ == "__main__":
    sys.exit(main())
