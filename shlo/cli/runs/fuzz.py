"""`shlo fuzz`: random programs on the interpreter and on another engine."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from shlo.command_line.console import Console, ProgressBar
from shlo.command_line.exit_codes import COULD_NOT, FINE, exit_code_of
from shlo.command_line.options import (
    add_engine,
    add_flag,
    add_format,
    add_platform,
    describe,
    engine_of_options,
    natural,
    seconds,
)
from shlo.command_line.outputs import add_output
from shlo.engines import DEFAULT, takes_devices
from shlo.runner.errors import RequestError
from shlo.text.escape import sanitized
from shlo.text.numbers import plural

if TYPE_CHECKING:
    from shlo.fuzzing.session import FuzzOptions, FuzzReport, Written

MOST_SHOWN: Final = 20
"""How many messages of an engine are shown."""


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo fuzz`."""
    describe(
        parser,
        "Write random valid programs, run them with the interpreter and with another engine, take them\n"
        "through text, bytecode, artifacts and the formatter, and show what differs. A program that shows\n"
        "a difference is reduced, and written into the folder of -o with its arguments. The same seed\n"
        "writes the same programs. Exit code 1 where something differs, 2 where nothing does but not all\n"
        "programs could be compared. Ctrl-C ends the run with a report.",
        ("shlo fuzz --count 1000 --seed 1 -o differences", "a thousand programs"),
        ("shlo fuzz --time 600 -o differences", "ten minutes"),
        ("shlo fuzz --ops 'gather' --ops 'dynamic_*slice'", "programs with some of these operations"),
        ("shlo fuzz --seed 1 --first 4711 --count 1", "one program of a run again"),
        ("shlo fuzz --count 100 --export programs", "programs as cases of `shlo conform --cases`"),
        ("shlo fuzz --list", "the operations that are written"),
    )
    add_engine(parser, "xla")
    add_platform(parser)
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="of which programs (default: 0)")
    parser.add_argument(
        "--count", type=natural, metavar="N", help="how many programs (default: 1000; any number with --time)"
    )
    parser.add_argument("--time", type=seconds, metavar="S", help="stop after S seconds")
    parser.add_argument(
        "--ops",
        action="append",
        default=[],
        metavar="PATTERN",
        help="operations that each program has, with or without their dialect (default: any)",
    )
    parser.add_argument(
        "--size",
        type=natural,
        default=8,
        metavar="N",
        help="about how many operations a program has (default: 8)",
    )
    parser.add_argument(
        "--first", type=natural, default=0, metavar="N", help="the number of the first program (default: 0)"
    )
    add_output(
        parser,
        "-o",
        "folder",
        dest="output",
        metavar="DIR",
        help="write reduced programs that show differences into a folder",
    )
    add_output(
        parser,
        "--export",
        "folder",
        metavar="DIR",
        help="write programs with exact results as files for `shlo conform --cases`, and compare none",
    )
    add_flag(parser, "--no-reduce", help="write programs as they are")
    add_flag(parser, "--list", help="list the operations that are written, and exit")
    add_format(parser)


def execute(options: Namespace, console: Console) -> int:
    """Compares random programs; 1 where something differs."""
    from shlo.fuzzing.programs import matching
    from shlo.fuzzing.session import DEVICES, FuzzOptions, FuzzReport, data_of, fuzz

    if options.list:
        return _list(options, console)
    if options.platform is not None and options.engine == DEFAULT:
        raise RequestError(f"expected no --platform with --engine {DEFAULT}, which runs without devices")
    try:
        matching(options.ops)
    except ValueError as error:
        raise RequestError(str(error)) from None
    count = options.count
    chosen = FuzzOptions(
        seed=options.seed,
        count=1000 if count is None and options.time is None else count,
        seconds=options.time,
        size=options.size,
        only=options.ops,
        folder=None if options.output is None else Path(options.output),
        first=options.first,
        reduces=not options.no_reduce,
    )
    if options.export is not None:
        return _export(chosen, Path(options.export), console)
    if options.devices is None and takes_devices(options.engine):
        options.devices = DEVICES
    engine = engine_of_options(options, is_separate=True)
    engine.start()
    report = FuzzReport()
    show = partial(_show, console if options.format == "text" else None)
    try:
        with ProgressBar(console, "programs") as progress:
            fuzz(chosen, engine, report, show, progress if progress.is_visible else None)
    except KeyboardInterrupt:
        report.is_interrupted = True
    if options.format == "json":
        console.print_json(data_of(report))
    else:
        _print_report(report, console)
    return exit_code_of(report.conclusion)


def _export(chosen: FuzzOptions, folder: Path, console: Console) -> int:
    """Writes programs as files."""
    from shlo.engines.command.case_files import require_empty
    from shlo.fuzzing.exporting import export_programs

    require_empty(folder, "--export")
    if chosen.count is None:
        raise RequestError("expected --count with --export, without --time")
    with ProgressBar(console, "programs") as progress:
        count = export_programs(chosen, folder, progress if progress.is_visible else None)
    console.print(f"{folder}: {plural(count, 'program')}")
    return FINE if count else COULD_NOT


def _show(console: Console | None, written: Written) -> None:
    """Prints a difference, where there is a console to print on."""
    if console is None:
        return
    difference = written.difference
    console.print(sanitized(f"program {difference.number}: {difference.key}"))
    console.print(f"  {sanitized(difference.text)}")
    if written.path is not None:
        console.print(f"  {written.path}: {plural(written.operations, 'operation')}")


def _print_report(report: FuzzReport, console: Console) -> None:
    for message, count in report.refused.most_common(MOST_SHOWN):
        console.print(sanitized(f"not run by the engine: {plural(count, 'program')}: {message}"))
    for name, count in report.known.most_common():
        console.print(f"known: {name}: {plural(count, 'time')}")
    for key, written in report.differences.items():
        if written.count > 1:
            console.print(sanitized(f"{plural(written.count, 'time')}: {key}"))
    refused = report.refused.total()
    refusals = f", {plural(refused, 'program')} not run" if refused else ""
    rate = f"{report.programs / report.seconds:.1f} a second" if report.seconds else "no time"
    interrupted = ", interrupted" if report.is_interrupted else ""
    outcome = report.conclusion.text or f": {plural(len(report.differences), 'difference')}"
    console.print(
        f"{plural(report.programs, 'program')} with {report.operations:,} operations of "
        f"{plural(len(report.counts), 'kind')} compared, {rate}{refusals}{interrupted}"
        f"{outcome}"
    )


def _list(options: Namespace, console: Console) -> int:
    """Prints which operations are written, and why others are not."""
    from shlo.fuzzing.programs import not_written, written_names

    reasons = {op_def.name: reason for op_def, reason in not_written()}
    if options.format == "json":
        console.print_json({"written": written_names(), "not_written": reasons})
        return FINE
    for name in written_names():
        console.print(name)
    for name, reason in reasons.items():
        console.print(f"not {name}: {reason}")
    return FINE
