"""`shlo test`: runs test programs, which check their own results."""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Generator, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from shlo.command_line.console import Console, Style
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE
from shlo.command_line.options import (
    add_engine,
    add_flag,
    add_format,
    add_platform,
    add_sanitize,
    add_semantics,
    add_stubs,
    describe,
    natural,
    selection_of,
    stubs_of,
    whole,
)
from shlo.command_line.outputs import add_output
from shlo.engines import DEFAULT, Placement
from shlo.runner.errors import RequestError
from shlo.runner.files import replace_file
from shlo.runner.test_programs import (
    Coverage,
    CoveredOperation,
    TestOutcome,
    Verdict,
    find_programs,
    list_tests,
    none_text,
    not_executed_text,
    run_file,
    run_tests,
    write_junit,
)
from shlo.text.numbers import plural

if TYPE_CHECKING:
    from shlo.interpreter import RunOptions

MARKS: dict[Verdict, str] = {"passed": ".", "failed": "F", "error": "E"}
MARKS_IN_LINE = 60


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo test`."""
    describe(
        parser,
        "Run test programs: every public function without arguments, which checks its own results.",
        ("shlo test tests/", "all .mlir files in a folder"),
        ("shlo test add.mlir -k int", "tests whose name contains a word"),
        ("shlo test tests/ -j 4 --junit out.xml", "in four processes, with a report for a build server"),
        ("shlo test tests/ --engine-command './backend {program} {arguments} {results}'", "on your back end"),
        ("shlo test --list tests/", "the names of the tests, without running them"),
        ("shlo test --coverage tests/", "and which operations no test executed"),
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a program's file, or a folder of them")
    parser.add_argument(
        "-k", dest="keyword", default="", metavar="WORD", help="tests whose name contains WORD"
    )
    add_flag(parser, "-x", help="stop after the first failure", dest="stop")
    add_flag(parser, "-v", help="a line for each test", dest="verbose")
    parser.add_argument(
        "-j", dest="workers", type=whole(1), default=1, metavar="N", help="run in N processes"
    )
    parser.add_argument("--max-steps", type=natural, metavar="N", help="stop a test after N operations")
    add_stubs(parser)
    add_engine(parser)
    add_platform(parser)
    add_semantics(parser)
    add_output(parser, "--junit", "XML", metavar="FILE", help="write the outcomes as JUnit XML")
    add_flag(
        parser,
        "--coverage",
        help="count how often operations are executed, in one process; in JSON, a line for each file",
    )
    add_sanitize(parser, "a test fails at")
    add_flag(
        parser,
        "--allow-none",
        help="no tests, or none that -k matches, are no error; else the exit code is 2",
    )
    add_flag(parser, "--list", help="name the tests and run none")
    how = "how to write the output; json: a line for each test, as soon as it is known (default: text)"
    add_format(parser, help=how)


def execute(options: Namespace, console: Console) -> int:
    """Runs the tests and reports them."""
    if options.list:
        return _list(options, console)
    started = time.perf_counter()
    try:
        covered: dict[str, list[CoveredOperation]] = {}
        outcomes = _run(options, console, covered)
        if options.junit:
            replace_file(options.junit, partial(write_junit, outcomes=outcomes))
    except RequestError as error:
        console.message("error", str(error))
        return COULD_NOT
    bad = [outcome for outcome in outcomes if outcome.verdict != "passed"]
    if not outcomes:
        return _report_none(options, console)
    if options.format == "text":
        _print_failures(console, bad)
        _print_summary(console, outcomes, time.perf_counter() - started)
        _print_coverage(console, covered)
    return FINDINGS if bad else FINE


def _report_none(options: Namespace, console: Console) -> int:
    """Says why there was no test; returns the exit code."""
    text = none_text(find_programs(options.paths), options.keyword)
    console.message("note" if options.allow_none else "error", text)
    return FINE if options.allow_none else COULD_NOT


def _list(options: Namespace, console: Console) -> int:
    """Names the tests, and reports each file that cannot be read."""
    code, is_empty = FINE, True
    try:
        for file in find_programs(options.paths):
            try:
                tests = list_tests(file, options.keyword)
            except RequestError as error:
                code = COULD_NOT
                console.message("error", f"{file}: {error}")
                continue
            for test in tests:
                is_empty = False
                if options.format == "json":
                    console.print_json(asdict(test), indent=None)
                else:
                    console.print(test.name)
    except RequestError as error:
        console.message("error", str(error))
        return COULD_NOT
    return _report_none(options, console) if is_empty and code == FINE else code


def _run(
    options: Namespace, console: Console, covered: dict[str, list[CoveredOperation]]
) -> list[TestOutcome]:
    """Runs the tests; with --coverage, `covered` gets the operations of each file."""
    from shlo.interpreter import RunOptions

    outcomes: list[TestOutcome] = []
    workers = max(1, min(options.workers, os.cpu_count() or 1))
    files = find_programs(options.paths)
    run = RunOptions(max_steps=options.max_steps, stubs=stubs_of(options), semantics=options.semantics)
    selection, execute = selection_of(options), None
    if selection is not None and options.coverage:
        raise RequestError("expected --sanitize or --coverage, got both")
    if options.engine != DEFAULT:
        if selection is not None or options.coverage:
            raise RequestError("expected the interpreter for --sanitize and --coverage, got another engine")
        from shlo.runner.engine_tests import execute_on_engine

        placement = Placement(options.platform, options.devices)
        execute = partial(execute_on_engine, engine=options.engine, placement=placement)
    if selection is not None:
        from shlo.sanitizer.run import execute_strictly

        execute = partial(execute_strictly, selection=selection)
    tests = (
        _run_covered(files, options.keyword, run, covered)
        if options.coverage
        else run_tests(
            files, partial(run_file, keyword=options.keyword, options=run, execute=execute), workers
        )
    )
    with closing(tests):
        for file, new in tests:
            outcomes += new
            if options.format == "json":
                _print_lines(console, new)
                if file in covered:
                    console.print_json({"file": file, "coverage": covered[file]}, indent=None)
                    console.stdout.flush()
            else:
                _print_progress(console, file, new, options.verbose)
            if options.stop and any(outcome.verdict != "passed" for outcome in new):
                break
    return outcomes


def _run_covered(
    files: Sequence[str], keyword: str, options: RunOptions, covered: dict[str, list[CoveredOperation]]
) -> Generator[tuple[str, list[TestOutcome]], None, None]:
    for file in files:
        coverage = Coverage()
        outcomes = run_file(file, keyword, options, coverage)
        covered[file] = coverage.operations()
        yield file, outcomes


def _print_coverage(console: Console, covered: dict[str, list[CoveredOperation]]) -> None:
    for file, operations in covered.items():
        executed, lines = sum(1 for operation in operations if operation.times), not_executed_text(operations)
        share = f" ({executed / len(operations):.0%})" if operations else ""
        missing = f"; not executed: line {lines}" if lines else ""
        console.print(
            f"{file}: {executed} of {plural(len(operations), 'operation')} executed{share}{missing}"
        )


def _print_lines(console: Console, outcomes: Sequence[TestOutcome]) -> None:
    for outcome in outcomes:
        console.print_json(asdict(outcome), indent=None)
    console.stdout.flush()


def _print_progress(console: Console, file: str, outcomes: Sequence[TestOutcome], verbose: bool) -> None:
    if verbose:
        for outcome in outcomes:
            style: Style = "green" if outcome.verdict == "passed" else "red"
            console.print_styled(f"{outcome.name} {outcome.verdict.upper()}", style)
    elif outcomes:
        marks = "".join(MARKS[outcome.verdict] for outcome in outcomes)
        for start in range(0, len(marks), MARKS_IN_LINE):
            console.print(f"{file} {marks[start : start + MARKS_IN_LINE]}")


def _print_failures(console: Console, bad: Sequence[TestOutcome]) -> None:
    if bad:
        console.print()
    for outcome in bad:
        prefix = f"{outcome.place}: " if outcome.place else ""
        console.print_styled(f"{outcome.verdict.upper()} {outcome.name}", "red")
        console.print(f"  {prefix}{outcome.message}")


def _print_summary(console: Console, outcomes: Sequence[TestOutcome], seconds: float) -> None:
    counts = {verdict: sum(outcome.verdict == verdict for outcome in outcomes) for verdict in MARKS}
    wrong = counts["failed"] + counts["error"]
    console.print_styled(
        f"\n{counts['passed']} passed, {wrong} failed in {seconds:.2f} s", "red" if wrong else "green"
    )
