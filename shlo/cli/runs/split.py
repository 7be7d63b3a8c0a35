"""`shlo split`: a program as many small ones, which any engine can run alone."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from shlo.command_line.console import Console, ProgressBar
from shlo.command_line.exit_codes import COULD_NOT, FINE
from shlo.command_line.options import add_call, add_format, arguments_of, describe, run_options_of
from shlo.command_line.outputs import add_output
from shlo.ir.diagnostics import ExecutionError
from shlo.runner.files import read_module
from shlo.text.escape import sanitized
from shlo.text.numbers import plural

if TYPE_CHECKING:
    from shlo.conformance.splitting import Split


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo split`."""
    describe(
        parser,
        "Run a program with the interpreter, and write each of its operations as a program of its own, with\n"
        "the arguments and results that it had in this run. Operations that are alike are one unit, with\n"
        "the values of the first execution. A unit is a folder: program.mlir, and arguments and expected\n"
        "results, both as .npz and as raw numbers; manifest.json lists the units, how far results may be\n"
        "apart, and what is left out and why (docs/conformance.md).",
        ("shlo split model.mlir x.npy -o units", "a unit for each operation"),
        ("shlo split model.mlir --random 0 -o units --by call", "for each function that is called"),
        ("shlo split model.mlir --random 0 -o units --by scope", "for the operations of each name scope"),
    )
    add_call(parser)
    parser.add_argument(
        "--by",
        choices=("operation", "call", "scope"),
        default="operation",
        help="what becomes a unit (default: operation)",
    )
    add_output(
        parser,
        "-o",
        "folder",
        dest="output",
        metavar="DIR",
        required=True,
        help="the folder to write, which is empty or not there",
    )
    add_format(parser)


def execute(options: Namespace, console: Console) -> int:
    """Writes the units of a program; 2 where there are none."""
    from shlo.conformance.splitting import split_program
    from shlo.engines.command.case_files import require_empty
    from shlo.runner.arguments.call import entry_function
    from shlo.text.diagnostics import failure_lines

    folder = Path(options.output)
    require_empty(folder, "-o")
    module = read_module(options.file)
    function = entry_function(module, options.entry)
    arguments = arguments_of(module, function, options, partial(console.message, "note"))
    try:
        with ProgressBar(console) as progress:
            shown = progress if progress.is_visible else None
            split = split_program(module, arguments, run_options_of(options), options.by, folder, shown)
    except ExecutionError as error:
        console.report(failure_lines(module.source, error))
        return COULD_NOT
    if options.format == "json":
        console.print_json({name: list(map(asdict, rows)) for name, rows in asdict(split).items()})
    else:
        _print(split, options.output, console)
    return FINE if split.units else COULD_NOT


def _print(split: Split, folder: str, console: Console) -> None:
    for entry in split.left_out:
        console.print(f"left out: {entry.count} {sanitized(entry.subject)}: {entry.reason}")
    stands_for = sum(unit.count for unit in split.units)
    console.print(f"{folder}: {plural(len(split.units), 'unit')} for {stands_for:,} of the program")
