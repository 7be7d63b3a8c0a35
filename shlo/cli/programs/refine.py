"""`shlo refine`: a program of unknown sizes for arguments of known ones."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINDINGS, FINE
from shlo.command_line.options import add_entry, add_transform, describe, program_of
from shlo.ir.diagnostics import RefinementError
from shlo.runner.arguments.call import Parameter, entry_function, parameters_of, read_argument, type_named
from shlo.runner.errors import RequestError
from shlo.text.numbers import plural


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo refine`."""
    describe(
        parser,
        "Make a program of unknown sizes one of known sizes, for arguments of given types. What computes\n"
        "shapes is computed; assertions of sizes are checked and left out.",
        ("shlo refine model.mlir 3x4xf32 4x5xf32", "for two arguments of these types"),
        ("shlo refine model.mlir 'tensor<3x4xf32>' _", "the second argument's type stays as it is"),
        ("shlo refine model.mlir 3 3x4xf32", "the first argument, a size, is 3 and left out"),
        ("shlo refine model.mlir 3x4xf32 -o static.mlir", "into a file"),
    )
    add_transform(parser)
    parser.add_argument(
        "arguments", nargs="*", metavar="ARG", default=[], help="a type, _ for the declared one, or integers"
    )
    add_entry(parser, "the function (default: main)")


def execute(options: Namespace, console: Console) -> int:
    """Prints or saves the refined program."""
    from shlo.text.diagnostics import failure_lines
    from shlo.transforms import refine

    module = program_of(options)
    parameters = parameters_of(entry_function(module, options.entry))
    if (count := len(options.arguments)) != len(parameters):
        words = ", ".join(str(parameter.type) for parameter in parameters) or "none"
        raise RequestError(
            f"expected {plural(len(parameters), 'argument')} of @{options.entry}, got {count}",
            f"its arguments are {words}",
        )
    try:
        arguments = [_argument(*pair) for pair in zip(parameters, options.arguments)]
        text = refine(module, arguments, entry=options.entry).to_text(generic=options.generic)
    except RefinementError as error:
        if error.place is None:
            raise RequestError(error.message) from None
        console.report(failure_lines(module.source, error))
        return FINDINGS
    console.print_program(text, options.output)
    return FINE


def _argument(parameter: Parameter, text: str) -> Any:
    """Returns a type, None for the declared one, or an array."""
    if text == "_":
        return None
    type_ = type_named(text)
    if type_ is not None:
        return type_
    try:
        return read_argument(parameter, text)
    except RequestError as error:
        hint = "give a type, such as 3x4xf32, _ for the declared one, or a value: a literal or a .npy file"
        raise RequestError(str(error), hint) from None
