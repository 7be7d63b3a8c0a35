"""`shlo test`: runs test programs, which check their own results."""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import closing
from functools import partial

from shlo.command_line.console import Console, Style
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE
from shlo.command_line.options import add_semantics, add_stubs, describe, natural, stubs_of
from shlo.runner.errors import RequestError
from shlo.runner.files import replace_file
from shlo.runner.test_programs import Outcome, Verdict, find_programs, run_tests

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
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a program's file, or a folder of them")
    parser.add_argument(
        "-k", dest="keyword", default="", metavar="WORD", help="tests whose name contains WORD"
    )
    parser.add_argument("-x", dest="stop", action="store_true", help="stop after the first failure")
    parser.add_argument("-v", dest="verbose", action="store_true", help="a line for each test")
    parser.add_argument("-j", dest="workers", type=int, default=1, metavar="N", help="run in N processes")
    parser.add_argument("--max-steps", type=natural, metavar="N", help="stop a test after N operations")
    add_stubs(parser)
    add_semantics(parser)
    parser.add_argument("--junit", metavar="FILE", help="write the outcomes as JUnit XML")


def execute(options: Namespace, console: Console) -> int:
    """Runs the tests and reports them."""
    started = time.perf_counter()
    try:
        outcomes = _run(options, console)
        if options.junit:
            from shlo.runner.junit import write_junit

            replace_file(options.junit, partial(write_junit, outcomes=outcomes))
    except RequestError as error:
        console.message("error", str(error))
        return COULD_NOT
    bad = [outcome for outcome in outcomes if outcome.verdict != "passed"]
    _print_failures(console, bad)
    _print_summary(console, outcomes, time.perf_counter() - started)
    if not outcomes:
        return COULD_NOT
    return FINDINGS if bad else FINE


def _run(options: Namespace, console: Console) -> list[Outcome]:
    from shlo.interpreter import RunOptions

    outcomes: list[Outcome] = []
    workers = max(1, min(options.workers, os.cpu_count() or 1))
    with closing(
        run_tests(
            find_programs(options.paths),
            options.keyword,
            workers,
            RunOptions(max_steps=options.max_steps, stubs=stubs_of(options), semantics=options.semantics),
        )
    ) as tests:
        for file, new in tests:
            outcomes += new
            _print_progress(console, file, new, options.verbose)
            if options.stop and any(outcome.verdict != "passed" for outcome in new):
                break
    return outcomes


def _print_progress(console: Console, file: str, outcomes: Sequence[Outcome], verbose: bool) -> None:
    if verbose:
        for outcome in outcomes:
            style: Style = "green" if outcome.verdict == "passed" else "red"
            console.print_styled(f"{outcome.name} {outcome.verdict.upper()}", style)
    elif outcomes:
        marks = "".join(MARKS[outcome.verdict] for outcome in outcomes)
        for start in range(0, len(marks), MARKS_IN_LINE):
            console.print(f"{file} {marks[start : start + MARKS_IN_LINE]}")


def _print_failures(console: Console, bad: Sequence[Outcome]) -> None:
    if bad:
        console.print()
    for outcome in bad:
        place = f"{outcome.place}: " if outcome.place else ""
        console.print_styled(f"{outcome.verdict.upper()} {outcome.name}", "red")
        console.print(f"  {place}{outcome.message}")


def _print_summary(console: Console, outcomes: Sequence[Outcome], seconds: float) -> None:
    if not outcomes:
        console.message("error", "there are no tests: no public function without arguments was found")
        return
    counts = {verdict: sum(outcome.verdict == verdict for outcome in outcomes) for verdict in MARKS}
    wrong = counts["failed"] + counts["error"]
    console.print_styled(
        f"\n{counts['passed']} passed, {wrong} failed in {seconds:.2f} s", "red" if wrong else "green"
    )
