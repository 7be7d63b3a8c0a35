"""`shlo opt`: passes over a program, one after the other."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE
from shlo.command_line.options import add_flag, add_format, add_result, describe, read_other_options
from shlo.command_line.scripts import add_program
from shlo.ir.diagnostics import PassError
from shlo.runner.errors import RequestError
from shlo.runner.files import read_program, split_program

if TYPE_CHECKING:
    from shlo.ir.operations import Module
    from shlo.ir.source import Source
    from shlo.transforms.passes import PassStep

SEPARATOR = "\n// -----\n\n"
"""What is between the programs of a file."""
SHOWN_AT_MOST = 20
"""How many operations are listed that a pass has kept."""


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo opt`."""
    describe(
        parser,
        "Transform a program by passes, which have the names that stablehlo-opt gives them. Each program of\n"
        "a file (between lines // -----) is transformed by itself.",
        ("shlo opt --list", "the passes and their options"),
        ("shlo opt --pass chlo-legalize-to-stablehlo model.mlir", "chlo's operations as StableHLO's"),
        ("shlo opt --pass NAME,NAME - < model.mlir", "one pass after the other, from standard input"),
        ("shlo opt --pass 'NAME{option=value}' model.mlir -o new.mlir", "with an option, into a file"),
        ("shlo opt --inline --cse model.mlir", "passes as options of their own, as stablehlo-opt takes them"),
    )
    read_other_options(parser, _as_pass, _names)
    add_program(parser, nargs="?")
    parser.add_argument(
        "--pass",
        dest="passes",
        action="append",
        default=[],
        metavar="NAME[,NAME...]",
        help="the passes to run, in order; may be given more than once",
    )
    add_flag(
        parser,
        "--print-after-all",
        help="print the program after each pass that changes it, to standard error",
    )
    add_flag(parser, "--list", help="list the passes")
    add_format(parser, help="of --list (default: text)")
    add_result(parser)
    add_flag(parser, "--generic", help="print MLIR's generic form")
    add_flag(parser, "--debug-info", help="print locations")


def _names() -> Iterable[str]:
    from shlo.transforms.passes import all_passes

    return all_passes()


def _as_pass(word: str) -> str:
    """Returns `--pass=NAME{options}` for `--NAME=options` where that is a pass; else the word."""
    name, _, options = word.removeprefix("--").partition("=")
    if not word.startswith("--") or name not in _names():
        return word
    return f"--pass={name}" + (f"{{{options}}}" if options else "")


def execute(options: Namespace, console: Console) -> int:
    """Prints or saves the transformed program; 1 where the program or what a pass makes of it is wrong, 2
    where a pass has kept operations that it should have replaced.
    """
    from shlo.text.diagnostics import failure_lines
    from shlo.transforms.passes import PipelineError, read_pipeline

    if options.list:
        _list(console, options.format)
        return FINE
    if options.file is None or not options.passes:
        raise RequestError("expected a file and --pass NAME", "shlo opt --list names the passes")
    try:
        steps = read_pipeline(",".join(options.passes))
    except PipelineError as error:
        raise RequestError(str(error), "shlo opt --list names the passes and their options") from None
    source = read_program(options.file)
    left_over = Counter[str]()
    try:
        texts = [_transformed(part, steps, options, console, left_over) for part in split_program(source)]
    except PassError as error:
        console.report(failure_lines(source, error))
        return FINDINGS
    text = SEPARATOR.join(texts)
    console.print_program(text, options.output)
    return COULD_NOT if left_over.total() else FINE


def _transformed(
    source: Source, steps: list[PassStep], options: Namespace, console: Console, left_over: Counter[str]
) -> str:
    from shlo.runner.validity import refuse_invalid, verified_program

    def printed(module: Module) -> str:
        return module.to_text(generic=options.generic, locations=options.debug_info)

    module = verified_program(source)
    text = printed(module) if options.print_after_all else ""
    for step in steps:
        module = step(module)
        if options.print_after_all:
            before, text = text, printed(module)
            _print_after(step.transform.name, before, text, console)
        left_over[step.transform.name] += _report_kept(module, step, console)
    refuse_invalid(module, source.name)
    return text or printed(module)


def _print_after(name: str, before: str, after: str, console: Console) -> None:
    """Writes the program as a pass has left it to standard error, if the pass has changed it."""
    from shlo.text.styled import styled

    if before == after:
        console.report([styled(f"// {name} has changed nothing", "dim")])
    else:
        console.report([styled(f"// after {name}", "bold"), *map(styled, after.splitlines())])


def _report_kept(module: Module, step: PassStep, console: Console) -> int:
    """Lists the operations that a pass could not replace; returns how many there are."""
    from shlo.transforms.passes import kept_operations

    left_over = kept_operations(module, step.transform)
    for location, name in left_over[:SHOWN_AT_MOST]:
        console.message("note", f"{step.transform.name} has kept {name}", location)
    if len(left_over) > SHOWN_AT_MOST:
        console.note(f"... and {len(left_over) - SHOWN_AT_MOST} more")
    return len(left_over)


def _list(console: Console, form: str) -> None:
    from shlo.transforms.passes import all_passes

    passes = sorted(all_passes().values(), key=lambda transform: transform.name)
    if form == "json":
        listed = [
            {
                "name": transform.name,
                "summary": transform.summary,
                "options": [
                    {"name": option.name, "kind": option.kind, "summary": option.summary}
                    for option in transform.options
                ],
            }
            for transform in passes
        ]
        return console.print_json({"passes": listed})
    for transform in passes:
        console.print(f"{transform.name}\n    {transform.summary}")
        for option in transform.options:
            console.print(f"    {option.name}=<{option.kind}>: {option.summary}")
    return None
