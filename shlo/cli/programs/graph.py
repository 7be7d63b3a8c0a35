"""`shlo graph`: a program's operations by function, name scope and region, to look at."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from shlo.command_line.console import Console, json_text
from shlo.command_line.exit_codes import FINDINGS, FINE
from shlo.command_line.options import (
    add_call,
    add_flag,
    add_result,
    arguments_of,
    describe,
    natural,
    run_options_of,
)
from shlo.command_line.outputs import REPORTS
from shlo.jax_programs.kinds import script_of
from shlo.runner.errors import RequestError
from shlo.text.escape import escaped

if TYPE_CHECKING:
    from shlo.ir.diagnostics import ExecutionError
    from shlo.ir.operations import Module
    from shlo.runner.observed import Observed

FORMATS: Final = ("html", "text", "json", "model-explorer")
OBSERVED_S: Final = 30.0
"""For how many seconds a run is looked at."""


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo graph`."""
    describe(
        parser,
        "Draw a program: operations grouped by function, name scope and region, with the values between\n"
        "them. The page needs no other file and no network.",
        ("shlo graph model.mlir -o model.html", "a page to open in a browser"),
        ("shlo graph model.mlir --text", "an outline by scope, with counts"),
        ("shlo graph model.mlir --run x.npy -o model.html", "with values, and NaN in colour"),
        ("shlo graph model.mlir --format model-explorer -o model.json", "for Google's Model Explorer"),
    )
    add_call(parser)
    add_result(parser, lambda options: REPORTS[options.format or "html"])
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--format", choices=FORMATS, help="default: html where -o is given, else text")
    form.add_argument("--text", dest="format", action="store_const", const="text", help="the outline")
    parser.add_argument("--depth", type=natural, metavar="N", help="levels of the outline (default: all)")
    add_flag(parser, "--run", help="run the program, and show what values it had")


def execute(options: Namespace, console: Console) -> int:
    """Writes the graph."""
    from shlo.graph.build import cost_measures, graph_of
    from shlo.runner.files import open_valid

    if options.arguments and not options.run and script_of(options.file) is None:
        raise RequestError("arguments are for a run", "add --run")
    module = open_valid(options.file)
    values, failure = _observed(module, options, console) if options.run else ({}, None)
    name = "" if options.file == "-" else Path(options.file).name
    graph = graph_of(module, name, values, cost_measures(module, options.entry))
    form = options.format or ("html" if options.output else "text")
    if form == "text":
        from shlo.graph.formats import outline_lines

        text = escaped("".join(f"{line}\n" for line in outline_lines(graph, options.depth)))
    elif form == "html":
        from shlo.pages.bundle import NOT_BUILT, view_script
        from shlo.pages.graph import graph_page

        if view_script("graph_view") is None:
            console.note(f"the page has the outline alone: {NOT_BUILT}")
        text = graph_page(graph)
    else:
        import json

        from shlo.graph.formats import graph_data, model_explorer_json

        is_foreign = form == "model-explorer"
        text = json.dumps(model_explorer_json(graph)) if is_foreign else json_text(graph_data(graph), None)
        text += "\n"
    console.print_program(text, options.output)
    if failure is None:
        return FINE
    from shlo.text.diagnostics import failure_lines

    console.report(failure_lines(module.source, failure))
    return FINDINGS


def _observed(
    module: Module, options: Namespace, console: Console
) -> tuple[dict[int, Observed], ExecutionError | None]:
    """Returns what a run saw by where operations start, also of a run that fails, and its failure."""
    from shlo.ir.diagnostics import ExecutionError
    from shlo.runner.arguments.call import entry_function
    from shlo.runner.observed import Observations, observed_run

    function = entry_function(module, options.entry)
    arguments = arguments_of(module, function, options, console.note)
    seen: Observations = {}
    failure = None
    try:
        observed_run(module, arguments, run_options_of(options), OBSERVED_S, seen)
    except ExecutionError as error:
        failure = error
    return {observed.offset: observed for observed in seen.values()}, failure
