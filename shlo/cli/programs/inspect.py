"""`shlo inspect`: what is in a file of bytecode, even in a damaged one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import asdict

from shlo.cli.programs.convert import report, report_unknown
from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINDINGS, FINE
from shlo.command_line.options import add_flag, add_format, describe
from shlo.command_line.scripts import add_program
from shlo.runner.bytecode_view import export_data, export_lines, inspection_lines, piece_lines, step_line
from shlo.runner.errors import RequestError
from shlo.runner.files import open_bytes, parsed_program

if TYPE_CHECKING:
    from shlo.support.files import Data
    from shlo_bytecode import Obstacle
    from shlo_bytecode.exported.exported import Exported
    from shlo_bytecode.inspection import Inspection, TraceStep

_CAPTURE: Final = "this is a capture: `shlo fmt` prints its program, `shlo why` and `shlo run` run it"
_BEGINNING: Final = 4096
"""Bytes that decide the kind of a file."""


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo inspect`."""
    describe(
        parser,
        "Show what is in a file of MLIR bytecode, a portable artifact or a file of jax.export, as far as it\n"
        "is not damaged. Offsets in the artifact of a file of jax.export count from where that starts.",
        ("shlo inspect model.mlirbc", "versions, sections, operations, constants, what is stored as text"),
        ("shlo inspect model.mlirbc --trace", "each attribute and type in the order of reading"),
        ("shlo inspect model.mlirbc --hex", "every byte, and what it is"),
        ("shlo inspect model.mlir --why 1.0.0", "what keeps a program from a version of StableHLO"),
        ("shlo inspect model.mlir --shardings", "which device holds which part of a program's tensors"),
    )
    add_program(parser, help="a file, - for standard input")
    shown = parser.add_mutually_exclusive_group()
    add_flag(
        shown,
        "--trace",
        help="list attributes and types as they are read (shlo convert --trace: as they are written)",
    )
    add_flag(shown, "--hex", help="show the bytes with what they are")
    shown.add_argument("--why", metavar="VERSION", help="what an artifact for VERSION could not hold")
    add_flag(shown, "--shardings", help="which device holds which part of values with a sharding")
    add_format(parser)


def execute(options: Namespace, console: Console) -> int:
    """Shows the file; 1 where it is damaged, or `--why` finds something."""
    if options.why is not None:
        return _why(options, console)
    if options.shardings:
        return _shardings(options, console)
    data = open_bytes(options.file)
    from shlo_bytecode import BytecodeError, is_bytecode
    from shlo_bytecode.exported.exported import is_exported, read_exported

    show = _hex if options.hex else _inspect
    if is_bytecode(data):
        return show(options, console, data)
    if not is_exported(data):
        from shlo.runner.capture import program_of_capture
        from shlo.syntax import decode
        from shlo.syntax.parser.foreign_files import foreign_file_help

        raise RequestError(
            f"{options.file} is no MLIR bytecode: it does not start with 4D 4C EF 52",
            (_CAPTURE if program_of_capture(data, options.file) else "")
            or foreign_file_help(decode(bytes(data[:_BEGINNING])))
            or "a text is shown by shlo fmt or shlo check",
        )
    try:
        exported = read_exported(data)
    except BytecodeError as error:
        return _damage(options, console, error)
    return show(options, console, data[exported.start : exported.end], exported)


# -- what is in it -------------------------------------------------------------------------------------------


def _inspect(options: Namespace, console: Console, data: Data, exported: Exported | None = None) -> int:
    from shlo_bytecode.inspection import inspect
    from shlo_bytecode.vhlo.upgrade import unknown_operations

    if exported is not None and options.format == "text":
        console.print("\n".join([*export_lines(exported), ""]))
    steps: list[TraceStep] = []
    if options.trace and options.format == "text":
        inspection = inspect(data, lambda step: console.print(f"read {step_line(step, data)}"))
    else:
        inspection = inspect(data, steps.append if options.trace else None)
        if options.format == "json":
            facts = {} if exported is None else {"export": export_data(exported)}
            console.print_json({**facts, **_data(inspection, steps if options.trace else None)})
        else:
            console.print("\n".join(inspection_lines(inspection)))
    report_unknown(console, unknown_operations(inspection.operations, inspection.producer), options.file)
    return _damage(options, console, inspection.damage, exported)


def _damage(options: Namespace, console: Console, damage: Any, exported: Exported | None = None) -> int:
    if damage is None:
        return FINE
    start = 0 if exported is None else exported.start
    console.message("error", damage.message, f"{options.file}: byte {start + damage.offset}")
    return FINDINGS


def _data(inspection: Inspection, steps: list[TraceStep] | None) -> dict[str, Any]:
    """What is found, for `--format json`."""
    data: dict[str, Any] = asdict(inspection)
    data["bytecode_version"] = data.pop("version")
    data["sections"] = [section._asdict() for section in inspection.sections]
    data["constants"] = [constant._asdict() for constant in inspection.constants]
    data["dialects"] = {
        name: dict(zip(("operations", "attributes", "types"), counts, strict=True))
        for name, counts in inspection.dialects.items()
    }
    data["texts"] = [
        {"dialect": dialect, "text": text, "count": count}
        for (dialect, text), count in inspection.texts.items()
    ]
    damage = inspection.damage
    data["damage"] = {"offset": damage.offset, "message": damage.message} if damage else None
    if steps is not None:
        data["trace"] = [step._asdict() for step in steps]
    return data


# -- bytes ---------------------------------------------------------------------------------------------------


def _hex(options: Namespace, console: Console, data: Data, exported: Exported | None = None) -> int:
    from shlo_bytecode.inspection import pieces

    shown, damage = pieces(data)
    if options.format == "json":
        console.print_json({"pieces": [piece._asdict() for piece in shown]})
    else:
        for piece in shown:
            console.print("\n".join(piece_lines(piece, data)))
    return _damage(options, console, damage, exported)


# -- shardings -----------------------------------------------------------------------------------------------


def _shardings(options: Namespace, console: Console) -> int:
    from shlo.shardings import sharded_values
    from shlo.shardings.report import report_data, report_lines

    values = list(sharded_values(parsed_program(options.file)))
    if options.format == "json":
        console.print_json({"values": report_data(values)})
    else:
        console.print("\n".join(report_lines(values)) if values else "no value has a sharding")
    return FINE


# -- versions ------------------------------------------------------------------------------------------------


def _why(options: Namespace, console: Console) -> int:
    from shlo_bytecode import EncodingError, write_artifact
    from shlo_bytecode.writer.module import first_version

    module = parsed_program(options.file)
    obstacles: Sequence[Obstacle] = ()
    first: str | None = options.why
    try:
        write_artifact(module, options.why)
    except ValueError as error:
        raise RequestError(str(error)) from None
    except EncodingError as error:
        obstacles, first = error.obstacles, first_version(module)
    if options.format == "json":
        listed = [obstacle._asdict() for obstacle in obstacles]
        console.print_json({"target": options.why, "obstacles": listed, "first": first})
    elif obstacles:
        report(console, obstacles, options.file)
        console.print(f"the first version that can hold it: {first or 'none'}")
    else:
        console.print(f"an artifact for {options.why} can hold it")
    return FINDINGS if obstacles else FINE
