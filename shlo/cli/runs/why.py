"""`shlo why`: finds why a program gives NaN, infinities, wrong numbers, or nothing at all."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE
from shlo.command_line.options import add_call, add_format, arguments_of, describe, run_options_of
from shlo.ir.diagnostics import ExecutionError
from shlo.runner.files import read_module
from shlo.text.diagnostics import failure_lines

if TYPE_CHECKING:
    from shlo.interpreter.runtime.program_output import ProgramOutput


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo why`."""
    describe(
        parser,
        "Find why a program gives NaN, infinities, wrong numbers or nothing. One command runs it with all\n"
        "checks, and prints the causes, the likeliest in full: what happened, at which line of Python,\n"
        "out of which elements, and what helps. Exit code 1 where a cause was found.",
        ("shlo why train.py:step --args train.py:batch", "a function of a script, on what another returns"),
        ("shlo why model.mlir x.npy", "a program with its arguments"),
        ("shlo why train.py:step --args train.py:batch --format json", "all causes as data"),
    )
    add_call(parser)
    add_format(parser)
    parser.add_argument(
        "--json", action="store_const", const="json", dest="format", help="the same as --format json"
    )


def execute(options: Namespace, console: Console) -> int:
    """Runs the checks, and prints what they find."""
    from shlo.diagnosis.diagnose import diagnose
    from shlo.diagnosis.report import data_of, lines_of
    from shlo.runner.arguments.call import entry_function

    module = read_module(options.file)
    function = entry_function(module, options.entry)
    arguments = arguments_of(module, function, options, partial(console.message, "note"))

    def show(output: ProgramOutput) -> None:
        console.note(str(output))

    folders = [os.path.dirname(options.file) or "."]
    try:
        diagnosis = diagnose(module, arguments, run_options_of(options, output=show), folders)
    except ExecutionError as error:
        console.report(failure_lines(module.source, error))
        return FINDINGS
    if options.format == "json":
        import json

        console.print(json.dumps(data_of(diagnosis)))
    else:
        for line in lines_of(diagnosis):
            console.print(line)
    if diagnosis:
        return FINDINGS
    return FINE if diagnosis.looked_at else COULD_NOT
