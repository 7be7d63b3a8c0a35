"""`shlo fmt`: tidies a program's text, or prints it as MLIR does."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE
from shlo.command_line.options import add_flag, add_unregistered, describe, refuse_unregistered
from shlo.command_line.scripts import add_program
from shlo.ir.diagnostics import ParseError
from shlo.ir.operations import Module
from shlo.ir.source import Source
from shlo.runner.errors import RequestError
from shlo.runner.files import open_program
from shlo.runner.folders import expanded
from shlo.support.suffixes import TEXT_SUFFIXES
from shlo.text.diagnostics import parse_error_lines


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo fmt`."""
    describe(
        parser,
        "Tidy a program's text: names, aliases and comments stay. A program with errors is left alone.",
        ("shlo fmt model.mlir", "tidy text on standard output"),
        ("shlo fmt --in-place *.mlir", "tidy files"),
        ("shlo fmt --check programs", "name the files of a folder that are not tidy; exit code 1 if any"),
        ("shlo fmt --generic model.mlir", "MLIR's generic form"),
        ("shlo fmt model.mlirbc", "bytecode or a portable artifact as text"),
    )
    add_program(
        parser,
        "files",
        nargs="+",
        help="a program's file, - for standard input; with --check or --in-place a folder for its texts",
    )
    form = parser.add_mutually_exclusive_group()
    add_flag(form, "--canonical", help="MLIR's own text, without comments")
    add_flag(form, "--generic", help="MLIR's generic form, without comments")
    add_flag(parser, "--debug-info", help="with locations (with --canonical or --generic)")
    add_unregistered(parser, "they are allowed")
    target = parser.add_mutually_exclusive_group()
    add_flag(target, "-i", "--in-place", help="replace the files")
    add_flag(target, "--check", help="change nothing; exit code 1 if a file would change")


def execute(options: Namespace, console: Console) -> int:
    """Formats each file; the exit code is the worst of all."""
    _check_options(options)
    if not (options.check or options.in_place):
        return _print(options.files[0], options, console)
    code = FINE
    for path in expanded(options.files, TEXT_SUFFIXES):
        try:
            code = max(code, _tidy(path, options, console))
        except ParseError as error:
            console.report(parse_error_lines(error))
            code = max(code, FINDINGS)
        except RequestError as error:
            console.message("error", error.with_hint)
            code = COULD_NOT
    return code


def _print(path: str, options: Namespace, console: Console) -> int:
    source = open_program(path)
    if isinstance(source, Module):
        refuse_unregistered(options, source)
        console.print_program(source.to_text(generic=options.generic, locations=options.debug_info))
    else:
        console.print_program(formatted(source, options))
    return FINE


def _tidy(path: str, options: Namespace, console: Console) -> int:
    """Replaces a file, or says with `--check` that it would."""
    source = open_program(path)
    if isinstance(source, Module):
        raise RequestError(f"{path} is bytecode, which has no form to tidy", "shlo fmt prints it as text")
    text = formatted(source, options)
    if text == source.text:
        return FINE
    if options.check:
        console.print(f"{source.name} is not formatted")
        return FINDINGS
    console.print_program(text, path)
    return FINE


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
