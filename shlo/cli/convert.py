"""`shlo convert`: programs between text, MLIR bytecode and portable artifacts."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, Literal

from shlo.cli.console import Console
from shlo.cli.exit_codes import FINDINGS, FINE
from shlo.cli.options import describe
from shlo.runner.errors import RequestError
from shlo.runner.files import open_program, replace_file

if TYPE_CHECKING:
    from shlo.ir.operations import Module
    from shlo_bytecode import EncodingError

Form = Literal["text", "bytecode", "artifact"]
FORMS: tuple[Form, ...] = ("text", "bytecode", "artifact")

SUFFIXES: dict[str, Form] = {".mlir": "text", ".txt": "text", ".mlirbc": "bytecode", ".bc": "bytecode"}
"""What a file of that name is to hold, where no option says it."""

SHOWN_AT_MOST = 20
"""How many reasons of a refusal are shown."""


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo convert`."""
    describe(
        parser,
        "Convert a program between MLIR text, MLIR bytecode and StableHLO's portable artifacts.\n"
        "What the input is, its content says; what the output is to be, an option or the file's suffix\n"
        "(.mlir: text; .mlirbc and .bc: bytecode, with --target an artifact).",
        ("shlo convert model.mlir -o model.mlirbc", "to bytecode"),
        ("shlo convert model.mlir -o model.bc --target 1.4.0", "to an artifact that StableHLO 1.4.0 reads"),
        ("shlo convert model.mlirbc", "the text of bytecode or an artifact"),
        ("shlo convert old.bc -o new.bc --target 1.20.0", "an artifact for another version"),
    )
    parser.add_argument("file", metavar="IN", help="a program's file, - for standard input")
    parser.add_argument(
        "-o", dest="output", metavar="OUT", default="-", help="the file to write (default: -)"
    )
    parser.add_argument("--emit", choices=FORMS, help="what to write")
    parser.add_argument(
        "--target", metavar="VERSION", help="write an artifact for this version of StableHLO, as 1.4.0"
    )
    parser.add_argument(
        "--bytecode-version", type=int, default=6, metavar="N", help="of bytecode, from 0 to 6 (default: 6)"
    )
    parser.add_argument(
        "--producer", default="shlo", metavar="TEXT", help="what bytecode names as its producer"
    )
    parser.add_argument("--strip-locations", action="store_true", help="leave out where operations came from")
    parser.add_argument("--debug-info", action="store_true", help="print locations in text")
    parser.add_argument("--generic", action="store_true", help="print MLIR's generic form")


def execute(options: Namespace, console: Console) -> int:
    """Writes the program in its new form; 1 where that cannot hold it, with the reasons."""
    from shlo_bytecode import EncodingError

    form = _form(options)
    if form == "artifact" and options.target is None:
        raise RequestError("an artifact is for a version of StableHLO", "such as --target 1.4.0")
    if form != "artifact" and options.target is not None:
        raise RequestError(f"--target is for artifacts, not for {form}")
    module = _read(options.file)
    try:
        _write(options, console, form, module)
    except EncodingError as error:
        report(console, error, options.file)
        return FINDINGS
    except ValueError as error:
        raise RequestError(str(error)) from None
    return FINE


def report(console: Console, error: EncodingError, name: str) -> None:
    """Says what keeps a program from a form."""
    for obstacle in error.obstacles[:SHOWN_AT_MOST]:
        since = f"; version {obstacle.first} first has it" if obstacle.first else ""
        console.message("error", f"{obstacle.operation}: {obstacle.reason}{since}", obstacle.place or name)
    if len(error.obstacles) > SHOWN_AT_MOST:
        console.note(f"... and {len(error.obstacles) - SHOWN_AT_MOST} more")


def _form(options: Namespace) -> Form:
    if options.emit is not None:
        return options.emit
    if options.target is not None:
        return "artifact"
    if options.output == "-":
        return "text"
    for suffix, form in SUFFIXES.items():
        if options.output.endswith(suffix):
            return form
    raise RequestError(
        f"the name {options.output} does not say what to write",
        f"--emit {', --emit '.join(FORMS)}, or one of the suffixes {', '.join(SUFFIXES)}",
    )


def _read(path: str) -> Module:
    """The program; a text must be valid, bytecode is what a tool has written."""
    from shlo.ir.source import Source
    from shlo.runner.validity import valid_program

    program = open_program(path)
    return valid_program(program) if isinstance(program, Source) else program


def _write(options: Namespace, console: Console, form: Form, module: Module) -> None:
    import shlo_bytecode

    kept = not options.strip_locations
    if form == "text":
        text = module.to_text(generic=options.generic, locations=options.debug_info)
        if options.output == "-":
            console.print_program(text)
        else:
            replace_file(options.output, lambda file: file.write(text.encode("utf-8", "surrogateescape")))
    elif form == "bytecode":
        version, producer = options.bytecode_version, options.producer
        _save(
            options.output,
            lambda file: shlo_bytecode.save(file, module, version, producer=producer, locations=kept),
        )
    else:
        _save(
            options.output,
            lambda file: shlo_bytecode.save_artifact(file, module, options.target, locations=kept),
        )


def _save(path: str, save: Callable[[BinaryIO], None]) -> None:
    if path != "-":
        replace_file(path, save)
        return
    if sys.stdout.isatty():
        raise RequestError("bytecode is nothing for a terminal", "name a file with -o")
    save(sys.stdout.buffer)
    sys.stdout.buffer.flush()
