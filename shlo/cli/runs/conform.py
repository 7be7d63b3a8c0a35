"""`shlo conform`: what an engine does with each operation of each type."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from shlo.command_line.console import Console, ProgressBar, json_text
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE, exit_code_of
from shlo.command_line.options import (
    add_engine,
    add_flag,
    add_format,
    add_platform,
    describe,
    engine_of_options,
    natural,
    whole,
)
from shlo.command_line.outputs import add_output
from shlo.runner.errors import RequestError
from shlo.support.files import open_input, write_atomically

if TYPE_CHECKING:
    from shlo.conformance.cases import ConformanceCase
    from shlo.conformance.judge import JudgedCase, Scorecard
    from shlo.conformance.waivers import Waiver
    from shlo.engines import Engine

MOST_BASELINE_BYTES: Final = 1 << 28


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo conform`."""
    describe(
        parser,
        "Run a case of each operation and type on an engine, such as a back end of your own, and judge the\n"
        "results by the reference: the specification's sentences as code. A case is a program of one\n"
        "operation; the same seed makes the same cases. Exit code 1 where one is wrong, 2 where none is but\n"
        "not all could be compared.",
        ("shlo conform --engine-command './backend {program} {arguments} {results}'", "your back end"),
        ("shlo conform --engine xla --level full -o report", "XLA, with a page, JSON and JUnit XML"),
        ("shlo conform --ops add --ops 'dynamic_*' --types f32,bf16", "some operations and types"),
        ("shlo conform --export suite", "the cases as files, for engines without Python"),
        ("shlo conform --cases units --engine xla", "the operations of a model, which `shlo split` wrote"),
    )
    add_engine(parser)
    add_platform(parser)
    parser.add_argument(
        "--ops", action="append", default=[], metavar="PATTERN", help="operations (default: all of StableHLO)"
    )
    parser.add_argument(
        "--types", default="", metavar="T,...", help="element types, such as f32,bf16 (default: all)"
    )
    parser.add_argument(
        "--level", choices=("smoke", "full"), default="smoke", help="few cases, or many (default: smoke)"
    )
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="of which cases (default: 0)")
    parser.add_argument(
        "-j",
        dest="jobs",
        type=whole(1),
        default=os.cpu_count() or 1,
        metavar="N",
        help="how many processes of the engine run side by side (default: as many as there are cores)",
    )
    parser.add_argument(
        "--waivers",
        metavar="NAME|FILE",
        help="what the engine may differ in, with reasons: xla-cpu, iree, or a file in JSON "
        "(docs/conformance.md)",
    )
    parser.add_argument(
        "--baseline",
        metavar="FILE",
        help="JSON of an earlier run: only failures and refusals that are new count",
    )
    add_output(
        parser,
        "-o",
        "folder",
        dest="output",
        metavar="DIR",
        help="write index.html, report.json and junit.xml; the same command goes on with a run that was "
        "interrupted",
    )
    parser.add_argument(
        "--restart", action="store_true", help="judge all cases again where a run was interrupted"
    )
    add_flag(
        parser,
        "--reduce",
        help="reduce failing programs, each for 20 seconds at most, alike ones of an operation once",
    )
    parser.add_argument(
        "--cases",
        action="append",
        default=[],
        metavar="DIR",
        help="judge the cases of a folder, which --export or `shlo split` wrote, by the results in it, "
        "whatever --level and --seed say",
    )
    add_output(parser, "--export", "folder", metavar="DIR", help="write the cases as files, and run none")
    add_format(parser)


def execute(options: Namespace, console: Console) -> int:
    """Judges an engine; 1 where it is wrong."""
    from shlo.conformance.case_folders import read_cases
    from shlo.conformance.cases import make_cases
    from shlo.conformance.judge import Scorecard, has_grid
    from shlo.conformance.report import new_failures, newly_refused
    from shlo.conformance.waivers import read_waivers

    types = _types(options.types)
    waivers = read_waivers(options.waivers) if options.waivers else []
    baseline = _baseline(options.baseline) if options.baseline else None
    if options.export is not None:
        return _export(options, types, console)
    folders = list(map(Path, options.cases))
    cases = read_cases(folders, options.ops, types) if folders else None
    if cases is None:
        _names(options)  # before an engine starts
    engine = _engine(options)
    scorecard = Scorecard(engine.name)
    if cases is None:
        names = _names(options, has_grid(engine))
        cases = list(make_cases(names, options.level, options.seed, types))
    _judge(cases, engine, scorecard, waivers, options, console)
    _show(scorecard, baseline or (), options, console)
    if not folders and options.level == "smoke" and exit_code_of(scorecard.conclusion) == FINE:
        console.message("hint", "few cases of four types; --level full has all types and more shapes")
    if baseline is None or not scorecard.conclusion.looked_at:
        return exit_code_of(scorecard.conclusion)
    if new_failures(scorecard, baseline):
        return FINDINGS
    return COULD_NOT if newly_refused(scorecard, baseline) else FINE


def _export(options: Namespace, types: Sequence[str], console: Console) -> int:
    """Writes the cases of a suite as files."""
    from shlo.conformance.cases import make_cases
    from shlo.conformance.report import export_suite
    from shlo.engines.command.case_files import require_empty

    if options.cases:
        raise RequestError("expected --export without --cases, which are files already")
    folder = Path(options.export)
    require_empty(folder, "--export")
    count = export_suite(make_cases(_names(options), options.level, options.seed, types), folder)
    console.print(f"{options.export}: {count} cases")
    return FINE if count else COULD_NOT


def _names(options: Namespace, has_grid: bool = False) -> list[str]:
    """Returns the names of the operations that have cases; raises RequestError where a pattern names none."""
    from shlo.conformance.cases import operation_names

    try:
        return operation_names(options.ops, has_grid)
    except ValueError as error:
        raise RequestError(str(error)) from None


def _types(text: str) -> list[str]:
    """Returns the names of element types that a list with commas has; raises RequestError."""
    from shlo.engines.command.tensor_files import element_types
    from shlo.text.suggest import did_you_mean

    types = [word for word in text.split(",") if word]
    for name in types:
        if name not in element_types():
            hint = did_you_mean(name, element_types(), otherwise="such as f32, bf16, i32")
            raise RequestError(f"--types: no element type is called {name!r}", hint)
    return types


def _engine(options: Namespace) -> Engine:
    """Returns the engine, several of it where they run in processes of their own; raises EngineError."""
    from shlo.conformance.judge import require_running
    from shlo.engines import takes_devices
    from shlo.engines.engine import EnginePool
    from shlo.fuzzing.session import DEVICES

    is_xla = takes_devices(options.engine)
    if options.devices is None and is_xla:
        options.devices = DEVICES
    is_command = options.engine.startswith("command:")
    if not (is_xla or is_command):
        options.jobs = 1
    engine = EnginePool([engine_of_options(options, is_separate=True) for _ in range(options.jobs)])
    engine.start()
    if is_command:
        require_running(engine)
    return engine


def _judge(
    cases: list[ConformanceCase],
    engine: Engine,
    scorecard: Scorecard,
    waivers: Sequence[Waiver],
    options: Namespace,
    console: Console,
) -> None:
    """Judges the cases; goes on where an interrupted run of the same command stopped."""
    from shlo.conformance.cases import SUITE
    from shlo.conformance.judge import judge_cases
    from shlo.conformance.kept import KeptCases
    from shlo.conformance.reducing import reduce_failures
    from shlo.engines.command.case_files import MANIFEST

    kept, left = None, cases
    if options.output is not None:
        chosen = {name: getattr(options, name) for name in ("engine", "ops", "types", "level", "seed")}
        folders = [[folder, (Path(folder) / MANIFEST).stat().st_mtime_ns] for folder in options.cases]
        run = {"suite": SUITE, **chosen, "cases": folders}
        kept = KeptCases(Path(options.output), run, options.restart)
        left = kept.take(cases, scorecard, waivers)
        if scorecard.judged:
            done = f"{len(scorecard.judged)} of {len(cases)} cases"
            console.note(f"going on after {done} of an interrupted run (--restart begins anew)")
    try:
        with ProgressBar(console, "cases") as progress:

            def count_case(judged: JudgedCase) -> None:
                progress(len(scorecard.judged) + 1, len(cases))
                if kept is not None:
                    kept.keep(judged)

            judge_cases(left, engine, scorecard, waivers, count_case, options.jobs)
        if options.reduce:
            with ProgressBar(console, "failures") as progress:
                reduce_failures(scorecard, engine, jobs=options.jobs, progress=progress)
    except KeyboardInterrupt:
        scorecard.is_interrupted = True
    if kept is not None:
        kept.close(not scorecard.is_interrupted)


def _show(
    scorecard: Scorecard, baseline: Sequence[dict[str, Any]], options: Namespace, console: Console
) -> None:
    from shlo.conformance.report import data_of, summary_lines

    if options.output is not None:
        _write(scorecard, Path(options.output))
    if options.format == "json":
        console.print_json(data_of(scorecard))
    else:
        for line in summary_lines(scorecard, baseline):
            console.print(line)


def _baseline(path: str) -> list[dict[str, Any]]:
    try:
        with open_input(path) as file:
            cases = json.loads(file.read(MOST_BASELINE_BYTES))["cases"]
        return [case for case in cases if isinstance(case, dict)]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise RequestError(f"cannot read a baseline from {path}: {error}") from error


def _write(scorecard: Scorecard, folder: Path) -> None:
    from shlo.conformance.report import data_of, page_of, write_junit

    folder.mkdir(parents=True, exist_ok=True)
    page, data = page_of(scorecard), json_text(data_of(scorecard))
    write_atomically(str(folder / "index.html"), lambda file: file.write(page.encode()))
    write_atomically(str(folder / "report.json"), lambda file: file.write(data.encode()))
    write_atomically(str(folder / "junit.xml"), lambda file: write_junit(file, scorecard))
