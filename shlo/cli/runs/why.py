"""`shlo why`: finds why a program gives NaN, infinities, wrong numbers, or nothing at all."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE
from shlo.command_line.options import (
    add_call,
    add_format,
    add_grid,
    arguments_of,
    describe,
    grid_call_of,
    refuse_without_grid,
    run_options_of,
)
from shlo.ir.diagnostics import ExecutionError
from shlo.runner.files import read_module
from shlo.text.diagnostics import failure_lines

if TYPE_CHECKING:
    from shlo.diagnosis.report import Diagnosis
    from shlo.interpreter import RunOptions
    from shlo.interpreter.runtime.program_output import ProgramOutput
    from shlo.ir.source import Source

Diagnose: TypeAlias = "Callable[[Sequence[str]], Diagnosis]"
"""Diagnoses a run, with folders where lines of Python may be read."""
SourceOf: TypeAlias = "Callable[[str | None], Source | None]"
"""Gives the text that a place `file:line:column` is in."""


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo why`."""
    describe(
        parser,
        "Find why a program gives NaN, infinities, wrong numbers or nothing. One command runs it with all\n"
        "checks, and prints the causes, the likeliest in full: what happened, at which line of Python,\n"
        "out of which elements, and what helps. Exit code 1 where a cause was found.",
        ("shlo why train.py:step --args train.py:batch", "a function of a script, on what another returns"),
        ("shlo why model.mlir x.npy", "a program with its arguments"),
        ("shlo why model.mlir --grid 2x4 'x{process}.npy'", "on 2 replicas of 4 partitions"),
        ("shlo why train.py:step --args train.py:batch --format json", "all causes as data"),
    )
    add_call(parser)
    add_grid(parser)
    add_format(parser)
    parser.add_argument(
        "--json", action="store_const", const="json", dest="format", help="the same as --format json"
    )


def execute(options: Namespace, console: Console) -> int:
    """Runs the checks, and prints what they find."""
    from shlo.diagnosis.report import data_of, lines_of

    diagnose, source_of = (_call if options.grid is None else _grid_call)(options, console)
    try:
        diagnosis = diagnose([os.path.dirname(options.file) or "."])
    except ExecutionError as error:
        console.report(failure_lines(source_of(error.place), error))
        return FINDINGS
    if options.format == "json":
        console.print_json(data_of(diagnosis))
    else:
        for line in lines_of(diagnosis):
            console.print(line)
    if diagnosis:
        return FINDINGS
    return FINE if diagnosis.looked_at else COULD_NOT


def _call(options: Namespace, console: Console) -> tuple[Diagnose, SourceOf]:
    """Returns what diagnoses a run of one process, and whose text the places of its errors are in."""
    from shlo.diagnosis.diagnose import diagnose
    from shlo.runner.arguments.call import entry_function

    refuse_without_grid(options)
    module = read_module(options.file)
    function = entry_function(module, options.entry)
    arguments = arguments_of(module, function, options, partial(console.message, "note"))
    chosen = run_options_of(options, output=partial(_show, console))
    return partial(diagnose, [module], [arguments], lambda: chosen), lambda place: module.source


def _grid_call(options: Namespace, console: Console) -> tuple[Diagnose, SourceOf]:
    """Returns as `_call`, for a grid."""
    from shlo.diagnosis.diagnose import diagnose

    call = grid_call_of(options, partial(console.message, "note"))

    def new_options() -> RunOptions:
        return run_options_of(options, output=partial(_show, console), **call.keywords())

    return partial(diagnose, call.modules, call.inputs, new_options), call.source_of


def _show(console: Console, output: ProgramOutput) -> None:
    console.note(str(output))
