"""The suite's programs, run by our interpreter and judged by their own checks."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import NamedTuple

from shlo.runner.test_programs import TestOutcome, run_file
from tests.conformance.drivers import driver_for

FOLDERS = (
    ("stablehlo/testdata", "*.mlir"),
    ("stablehlo/testdata/quantized", "*.mlir"),
    ("stablehlo/tests/interpret", "**/*.mlir"),
    ("stablehlo/tests/math", "*.mlir"),
)
"""Where programs stand that check themselves."""

DISABLED = "RUN-DISABLED"
FAILURES = ("failed", "error")


class Result(NamedTuple):
    """What became of one function of a program. `key` is `path#chunk::function`."""

    key: str
    verdict: str
    reason: str

    @property
    def folder(self) -> str:
        """The part of the suite that a table counts it under."""
        return "/".join(self.key.partition("#")[0].split("/")[1:-1])

    @property
    def fails(self) -> bool:
        return self.verdict in FAILURES


def programs(suite: Path, only: str = "") -> Iterator[str]:
    """Yields the paths of the files whose programs run, in the suite; `only` must be part of them."""
    for folder, pattern in FOLDERS:
        for path in sorted((suite / folder).glob(pattern)):
            relative = path.relative_to(suite).as_posix()
            if only in relative:
                yield relative


def run_programs(suite: Path, only: str = "", workers: int = 2) -> list[Result]:
    """Returns every program's results, in the order of the files."""
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        parts = pool.imap(partial(run_program, suite), list(programs(suite, only)), chunksize=16)
        return [result for part in parts for result in part]


def run_program(suite: Path, path: str) -> list[Result]:
    """Returns the results of one file; an exception that is none of the interpreter's own counts as an error."""
    try:
        text = (suite / path).read_text("utf-8")
        run = driver_for(text) or run_file
        outcomes = run(str(suite / path))
    except Exception as error:
        return [Result(f"{path}#0", "error", f"{type(error).__name__}: {error}")]
    if not outcomes:
        return [Result(f"{path}#0", "nothing to run", "")]
    is_disabled = DISABLED in text
    return [_result(suite, path, outcome, is_disabled) for outcome in outcomes]


def _result(suite: Path, path: str, outcome: TestOutcome, is_disabled: bool) -> Result:
    rest = outcome.name.removeprefix(str(suite / path))
    key = path + (rest if rest.startswith("#") else f"#0{rest}")
    verdict = f"{outcome.verdict}, disabled upstream" if is_disabled else outcome.verdict
    return Result(key, verdict, outcome.message)


def compare_with_known(results: Iterable[Result], known: Mapping[str, str]) -> tuple[list[Result], list[str]]:
    """Returns the results with known exceptions marked as such, and what is new: failures that are not on the
    list, and entries whose programs ran but do not fail any more. Entries are keys in which `*` stands for
    anything.
    """
    marked, news = list[Result](), list[str]()
    seen, needed = set[str](), set[str]()
    for result in results:
        entries = [entry for entry in known if fnmatchcase(result.key, entry)]
        seen.update(entries)
        if result.fails:
            needed.update(entries)
            if entries:
                result = result._replace(verdict="known exception")
            else:
                news.append(f"{result.key}: {result.verdict}: {result.reason}")
        marked.append(result)
    news += [f"{entry}: no exception any more; take it off the list" for entry in sorted(seen - needed)]
    return marked, news
