"""`shlo cost`: counts the arithmetic, the bytes and the memory of a program."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import TYPE_CHECKING, Final

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINE
from shlo.command_line.options import add_entry, add_flag, add_report, describe, natural
from shlo.command_line.scripts import add_program
from shlo.costs.report import ROWS
from shlo.runner.arguments.call import entry_function
from shlo.runner.errors import RequestError
from shlo.runner.files import open_valid

if TYPE_CHECKING:
    from shlo.costs.roofline import Roofline

MEASURED: Final[tuple[float, ...]] = ()
"""In place of speeds: those of this machine."""


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo cost`."""
    describe(
        parser,
        "Count what a program costs: FLOPs, functions such as exp, bytes read and written, and the most\n"
        "memory that is in use, by operation, name scope and line of Python. Nothing runs.",
        ("shlo cost model.mlir", "tables of what costs most"),
        ("shlo cost model.mlir --roofline 275e12,1.2e12", "and the least time on 275 TFLOP/s, 1.2 TB/s"),
        ("shlo cost model.mlir --roofline", "the same for this machine, measured"),
        ("shlo cost model.mlir --xla", "as jax.jit(f).lower(x).cost_analysis() counts"),
        ("shlo cost model.mlir --format html -o cost.html", "a page to look at"),
        ("shlo cost model.mlir --format json", "each operation with its cost"),
    )
    add_program(parser)
    add_entry(parser, "the function to run (main)")
    parser.add_argument(
        "--roofline",
        nargs="?",
        const=MEASURED,
        type=_speeds,
        metavar="FLOPS,BYTES",
        help="a machine's peak FLOP/s and bytes/s; without them, this machine's",
    )
    add_flag(parser, "--xla", help="count as XLA's cost analysis does")
    parser.add_argument("--top", type=natural, default=ROWS, metavar="N", help=f"rows of each table ({ROWS})")
    add_report(parser)


def execute(options: Namespace, console: Console) -> int:
    """Prints or saves the costs."""
    from shlo.api import cost
    from shlo.costs.report import data_of, lines_of, page_of

    module = open_valid(options.file)
    if entry_function(module, options.entry).body is None:
        raise RequestError(f"@{options.entry} is declared in the program, but has no body")
    counted = cost(module, options.entry, "xla" if options.xla else "shlo")
    roofline = _roofline(options)
    name = "standard input" if options.file == "-" else options.file
    console.print_report(
        options,
        lambda: lines_of(counted, options.top, roofline),
        lambda: data_of(counted, roofline),
        lambda: page_of(counted, name, options.top, roofline),
    )
    return FINE


def _roofline(options: Namespace) -> Roofline | None:
    from shlo.costs.roofline import Roofline, measured_roofline

    if options.roofline is None:
        return None
    return measured_roofline() if options.roofline == MEASURED else Roofline(*options.roofline)


def _speeds(text: str) -> tuple[float, float]:
    try:
        flops, bytes_ = (float(part) for part in text.split(","))
    except ValueError:
        raise ArgumentTypeError(f"expected FLOP/s,bytes/s as in 275e12,1.2e12, got {text!r}") from None
    if not (0 < flops < float("inf") and 0 < bytes_ < float("inf")):
        raise ArgumentTypeError(f"expected two positive numbers, got {text!r}")
    return flops, bytes_
