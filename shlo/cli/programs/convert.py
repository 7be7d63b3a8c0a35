"""`shlo convert`: programs between text, MLIR bytecode and portable artifacts."""

from __future__ import annotations

import io
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, BinaryIO

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINDINGS, FINE
from shlo.command_line.options import add_flag, add_unregistered, describe, refuse_unregistered, whole
from shlo.command_line.outputs import add_output
from shlo.command_line.scripts import add_program
from shlo.runner.bytecode_view import step_line
from shlo.runner.conversion import (
    FORMS,
    SHOWN_AT_MOST,
    Form,
    OutputForm,
    form_of_name,
    is_artifact,
    obstacle_text,
    write_program,
)
from shlo.runner.errors import RequestError
from shlo.runner.files import open_valid, replace_file
from shlo.text.numbers import plural

if TYPE_CHECKING:
    from shlo.ir.diagnostics import Diagnostic
    from shlo.ir.operations import Module
    from shlo_bytecode import Obstacle


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo convert`."""
    describe(
        parser,
        "Convert a program between MLIR text, MLIR bytecode and StableHLO's portable artifacts.\n"
        "What the input is, its content says; what the output is to be, an option or the file's suffix\n"
        "(.mlir: text; .mlirbc and .bc: bytecode, with --target an artifact).",
        ("shlo convert model.mlir -o model.mlirbc", "to bytecode"),
        ("shlo convert model.mlir -o model.bc --target 1.4.0", "to an artifact that StableHLO 1.4.0 reads"),
        ("shlo convert model.mlir -o model.mlirbc --for jaxlib==0.10.2", "bytecode that this jaxlib reads"),
        ("shlo convert model.mlirbc", "the text of bytecode or an artifact"),
        ("shlo convert old.bc -o new.bc --target 1.20.0", "an artifact for another version"),
        ("shlo convert --from-mhlo old.mlir", "XLA's MHLO as StableHLO"),
        ("shlo convert model.mlir -o model.mlirbc --trace", "each attribute and type as it is written"),
    )
    add_program(parser, metavar="IN")
    add_output(
        parser,
        "-o",
        lambda options: "MLIR text" if _output(options).form == "text" else "bytecode",
        dest="output",
        metavar="OUT",
        default="-",
        help="the file to write (default: -)",
    )
    parser.add_argument("--emit", choices=FORMS, help="what to write")
    parser.add_argument(
        "--target", metavar="VERSION", help="write an artifact for this version of StableHLO, as 1.4.0"
    )
    parser.add_argument(
        "--for",
        dest="consumer",
        metavar="CONSUMER",
        help="write what this reads: jaxlib==0.10.2, stablehlo==1.4.0, or FILE for what wrote that file of "
        "bytecode; with --emit artifact an artifact",
    )
    parser.add_argument(
        "--bytecode-version",
        type=whole(0, 6),
        metavar="N",
        help="of bytecode, from 0 to 6 (default: 4, which every jaxlib since 0.4.34 reads, or 6 where 4 "
        "cannot hold the program)",
    )
    parser.add_argument(
        "--producer", default="shlo", metavar="TEXT", help="what bytecode names as its producer"
    )
    add_flag(parser, "--from-mhlo", help="read operations of the mhlo dialect as StableHLO's")
    add_flag(parser, "--strip-locations", help="leave out where operations came from")
    add_flag(parser, "--trace", help="list attributes and types as they are written (standard error)")
    add_flag(parser, "--debug-info", help="print locations in text")
    add_flag(parser, "--generic", help="print MLIR's generic form")
    add_unregistered(parser, "they are allowed")


def execute(options: Namespace, console: Console) -> int:
    """Writes the program in its new form; 1 where that cannot hold it, with the reasons."""
    from shlo_bytecode import EncodingError

    output = _output(options)
    if options.trace and output.form == "text":
        raise RequestError("--trace tells what is written in binary", "shlo inspect --trace: what is read")
    module = open_valid(options.file, options.from_mhlo)
    refuse_unregistered(options, module)
    if module.source is None:
        report_unknown(console, module.diagnostics, options.file)
    if output.form == "artifact":
        module = _without_chlo(module, console)
    try:
        _write(options, console, output, module)
    except EncodingError as error:
        report(console, error.obstacles, options.file)
        return FINDINGS
    return FINE


def _without_chlo(module: Module, console: Console) -> Module:
    """Returns the program with StableHLO's operations in place of chlo's, which artifacts cannot hold."""
    count = sum(operation.name.startswith("chlo.") for operation, _ in module.walk())
    if not count:
        return module
    from shlo.transforms.compatibility import without_chlo

    console.message(
        "note",
        f"replaced {plural(count, 'operation')} of chlo by StableHLO's, as artifacts hold "
        "none (shlo opt --pass chlo-legalize-to-stablehlo shows the program)",
    )
    return without_chlo(module)


def report(console: Console, obstacles: Sequence[Obstacle], name: str) -> None:
    """Says what keeps a program from a form."""
    for obstacle in obstacles[:SHOWN_AT_MOST]:
        console.message("error", obstacle_text(obstacle), obstacle.place or name)
    if len(obstacles) > SHOWN_AT_MOST:
        console.note(f"... and {len(obstacles) - SHOWN_AT_MOST} more")


def report_unknown(console: Console, findings: Sequence[Diagnostic], name: str) -> None:
    """Says which operations of a binary file are not known, and what to do about it."""
    for finding in findings:
        console.message("warning", finding.message, name)
        if finding.help:
            console.message("help", finding.help)


def _output(options: Namespace) -> OutputForm:
    if options.emit is not None:
        form: Form = options.emit
    elif options.consumer is not None and is_artifact(options.consumer):
        form = "artifact"
    elif options.output == "-" and options.target is None:
        form = "text"
    else:
        form = form_of_name(options.output, options.target)
    return OutputForm(
        form,
        options.target,
        options.bytecode_version,
        options.producer,
        options.debug_info if form == "text" else not options.strip_locations,
        options.generic,
        options.consumer,
    )


def _write(options: Namespace, console: Console, output: OutputForm, module: Module) -> None:
    if options.output == "-" and output.form == "text":
        console.print_program(module.to_text(generic=output.generic, locations=output.locations))
    elif options.trace:
        from shlo_bytecode.inspection import written

        file = io.BytesIO()
        write_program(file, module, output)
        data = file.getvalue()
        _save(options.output, lambda file: file.write(data))
        for step in written(data):
            console.note(f"wrote {step_line(step, data)}")
    else:
        _save(options.output, lambda file: write_program(file, module, output))


def _save(path: str, write: Callable[[BinaryIO], object]) -> None:
    if path != "-":
        replace_file(path, write)
        return
    if sys.stdout.isatty():
        raise RequestError("bytecode is nothing for a terminal", "name a file with -o")
    write(sys.stdout.buffer)
    sys.stdout.buffer.flush()
