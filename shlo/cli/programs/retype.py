"""`shlo retype`: a program for arguments of other types, with all that follows."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINDINGS, FINE
from shlo.command_line.options import (
    add_entry,
    add_flag,
    add_result,
    add_unregistered,
    describe,
    refuse_unregistered,
)
from shlo.command_line.scripts import add_program
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import Function
from shlo.ir.source import Source
from shlo.ir.types import Type
from shlo.runner.arguments.call import entry_function, parameters_of, type_named
from shlo.runner.errors import RequestError
from shlo.text.diagnostics import diagnostic_lines
from shlo.text.numbers import plural


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo retype`."""
    describe(
        parser,
        "Give the arguments of a function other types, and let everything follow: types, the shapes in\n"
        "attributes, loops, functions that are called. What cannot follow stays as it is and is reported;\n"
        "so are the numbers that count elements, such as what a mean divides by.",
        ("shlo retype model.mlir 12x16xf32 _ -o out.mlir", "another batch; the second argument follows"),
        ("shlo retype model.mlir 12x16xbf16 16x4xbf16 --diff", "show what would change"),
    )
    add_program(parser)
    parser.add_argument(
        "types", nargs="+", metavar="TYPE", help="the type of an argument, _ for one that follows"
    )
    add_result(parser)
    add_entry(parser, "the function (default: main)")
    add_flag(parser, "--diff", help="show the changes, write nothing")
    add_unregistered(parser, "they are allowed")


def execute(options: Namespace, console: Console) -> int:
    """Prints or saves the program; 1 where something cannot follow."""
    from shlo.language.refactor.following import follow
    from shlo.runner.files import read_program
    from shlo.runner.validity import verified_program
    from shlo.transforms.propagation import ChangedType, PropagationError

    source = read_program(options.file)
    module = verified_program(source)
    refuse_unregistered(options, module)
    function = entry_function(module, options.entry)
    types = _types(function, options.types)
    arguments = function.body.blocks[0].arguments if function.body else ()
    changes = [
        ChangedType(function.name, value, type_)
        for value, type_ in zip(arguments, types)
        if type_ is not None
    ]
    try:
        following = follow(source.text, module, changes)
    except PropagationError as error:
        raise RequestError(str(error)) from None
    written = Source(following.text, source.name)
    findings = [*following.findings, *_others(written, following.stops)]
    if options.diff:
        console.print_diff(source.name, source.text, following.text)
    else:
        console.print_program(following.text, options.output)
    console.report(diagnostic_lines([(written, finding) for finding in findings]))
    return FINDINGS if any(finding.severity == "error" for finding in findings) else FINE


def _types(function: Function, texts: Sequence[str]) -> list[Type | None]:
    """Returns the types that a user wrote for arguments, None for one that follows; raises RequestError."""
    parameters = parameters_of(function)
    if len(texts) != len(parameters):
        words = ", ".join(str(parameter.type) for parameter in parameters) or "none"
        raise RequestError(
            f"expected {plural(len(parameters), 'type')} for @{function.name}, got {len(texts)}",
            f"its arguments are {words}; _ is one that follows",
        )
    return [None if text == "_" else _type(text) for text in texts]


def _type(text: str) -> Type:
    type_ = type_named(text)
    if type_ is None:
        raise RequestError(
            f"expected a type, got {text}", "such as 3x4xf32, tensor<f32>, or _ for one that follows"
        )
    return type_


def _others(source: Source, stops: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Returns what is wrong with the text that no stop says."""
    from shlo.runner.validity import findings_of

    lines = {source.position(stop.span.start)[0] for stop in stops}
    _, findings = findings_of(source)
    return [finding for finding in findings if source.position(finding.span.start)[0] not in lines]
