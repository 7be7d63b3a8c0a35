"""`shlo conform`: what an engine does with each operation of each type."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, Final

from shlo.command_line.console import Console, ProgressBar
from shlo.command_line.exit_codes import FINDINGS, FINE, exit_code_of
from shlo.command_line.options import add_engine, add_format, describe, engine_of_options, natural
from shlo.command_line.outputs import add_output
from shlo.runner.errors import RequestError
from shlo.support.files import open_input, write_atomically

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
    )
    add_engine(parser)
    parser.add_argument(
        "--platform", metavar="NAME", help="with --engine xla the devices: cpu, gpu, tpu, cuda, rocm"
    )
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
        "--waivers",
        metavar="FILE",
        help="JSON: what the engine may differ in, with reasons (docs/conformance.md)",
    )
    parser.add_argument(
        "--baseline", metavar="FILE", help="JSON of an earlier run: only failures that are new count"
    )
    add_output(
        parser,
        "-o",
        "folder",
        dest="output",
        metavar="DIR",
        help="write index.html, report.json and junit.xml",
    )
    add_output(parser, "--export", "folder", metavar="DIR", help="write the cases as files, and run none")
    add_format(parser)


def execute(options: Namespace, console: Console) -> int:
    """Judges an engine; 1 where it is wrong."""
    from shlo.conformance.cases import make_cases, operation_names
    from shlo.conformance.judge import JudgedCase, Scorecard, judge_cases
    from shlo.conformance.report import data_of, export_suite, new_failures, summary_lines
    from shlo.conformance.waivers import read_waivers

    try:
        names = operation_names(options.ops)
    except ValueError as error:
        raise RequestError(str(error)) from None
    types = [word for word in options.types.split(",") if word]
    cases = list(make_cases(names, options.level, options.seed, types))
    if options.export is not None:
        count = export_suite(cases, Path(options.export))
        console.print(f"{options.export}: {count} cases")
        return FINE if count else exit_code_of(Scorecard("").conclusion)
    waivers = read_waivers(options.waivers) if options.waivers else []
    baseline = _baseline(options.baseline) if options.baseline else None
    engine = engine_of_options(options, is_separate=True)
    engine.start()
    scorecard = Scorecard(engine.name)
    try:
        with ProgressBar(console, "cases") as progress:

            def count_case(judged: JudgedCase) -> None:
                if progress.is_visible:
                    progress(len(scorecard.judged), len(cases))

            judge_cases(cases, engine, scorecard, waivers, count_case)
    except KeyboardInterrupt:
        scorecard.is_interrupted = True
    if options.output is not None:
        _write(scorecard, Path(options.output))
    if options.format == "json":
        console.print_json(data_of(scorecard))
    else:
        for line in summary_lines(scorecard):
            console.print(line)
    if baseline is None or not scorecard.conclusion.looked_at:
        return exit_code_of(scorecard.conclusion)
    return FINDINGS if new_failures(scorecard, baseline) else FINE


def _baseline(path: str) -> list[dict[str, Any]]:
    try:
        with open_input(path) as file:
            cases = json.loads(file.read(MOST_BASELINE_BYTES))["cases"]
        return [case for case in cases if isinstance(case, dict)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RequestError(f"cannot read a baseline from {path}: {error}") from error


def _write(scorecard: Any, folder: Path) -> None:
    from shlo.conformance.report import data_of, page_of, write_junit

    folder.mkdir(parents=True, exist_ok=True)
    page, data = page_of(scorecard), json.dumps(data_of(scorecard), indent=1)
    write_atomically(str(folder / "index.html"), lambda file: file.write(page.encode()))
    write_atomically(str(folder / "report.json"), lambda file: file.write(data.encode()))
    write_atomically(str(folder / "junit.xml"), lambda file: write_junit(file, scorecard))
