"""`shlo fmt`: tidies a program's text, or prints it as MLIR does."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINDINGS, FINE
from shlo.command_line.options import add_flag, add_unregistered, describe, refuse_unregistered
from shlo.command_line.scripts import add_program
from shlo.ir.operations import Module
from shlo.ir.source import Source
from shlo.runner.errors import RequestError
from shlo.runner.files import open_program


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo fmt`."""
    describe(
        parser,
        "Tidy a program's text: names, aliases and comments stay. A program with errors is left alone.",
        ("shlo fmt model.mlir", "tidy text on standard output"),
        ("shlo fmt --in-place *.mlir", "tidy files"),
        ("shlo fmt --check *.mlir", "name the files that are not tidy; exit code 1 if any"),
        ("shlo fmt --generic model.mlir", "MLIR's generic form"),
        ("shlo fmt model.mlirbc", "bytecode or a portable artifact as text"),
    )
    add_program(parser, "files", nargs="+")
    form = parser.add_mutually_exclusive_group()
    add_flag(form, "--canonical", help="MLIR's own text, without comments")
    add_flag(form, "--generic", help="MLIR's generic form, without comments")
    add_flag(parser, "--debug-info", help="with locations (with --canonical or --generic)")
    add_unregistered(parser, "they are allowed")
    target = parser.add_mutually_exclusive_group()
    add_flag(target, "-i", "--in-place", help="replace the files")
    add_flag(target, "--check", help="change nothing; exit code 1 if a file would change")


def execute(options: Namespace, console: Console) -> int:
    """Formats each file."""
    _check_options(options)
    code = FINE
    for path in options.files:
        source = open_program(path)
        if isinstance(source, Module):
            refuse_unregistered(options, source)
            if options.check or options.in_place:
                what = f"{path} is bytecode, which has no form to tidy"
                raise RequestError(what, "shlo fmt prints it as text")
            console.print_program(source.to_text(generic=options.generic, locations=options.debug_info))
            continue
        text = formatted(source, options)
        if options.check:
            if text != source.text:
                console.print(f"{source.name} is not formatted")
                code = FINDINGS
        elif options.in_place:
            if text != source.text:
                console.print_program(text, path)
        else:
            console.print_program(text)
    return code


def formatted(source: Source, options: Namespace) -> str:
    """Returns the text in the form that was asked for; raises ParseError."""
    from shlo.api import parse

    if options.allow_unregistered_dialect is False:
        refuse_unregistered(options, parse(source))
    if options.canonical or options.generic:
        return parse(source).to_text(generic=options.generic, locations=options.debug_info)
    from shlo.syntax import format_text

    return format_text(source)


def _check_options(options: Namespace) -> None:
    if options.debug_info and not (options.canonical or options.generic):
        raise RequestError(
            "--debug-info needs --canonical or --generic", "tidy text keeps the locations it has"
        )
    if options.in_place and "-" in options.files:
        raise RequestError("standard input cannot be formatted in place")
    if len(options.files) > 1 and not (options.check or options.in_place):
        raise RequestError(
            "only one file can be written to standard output", "use --in-place or --check for several"
        )
