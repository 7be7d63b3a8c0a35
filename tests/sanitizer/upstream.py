"""Runs the upstream suite's programs with the sanitizer, and prints what it finds that no exception is for; exit
code 1 where there is something, or an exception is not needed any more.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter
from functools import partial
from pathlib import Path

from shlo.interpreter import RunOptions
from shlo.ir.operations import Module
from shlo.runner.test_programs import run_file
from shlo.sanitizer.run import Sanitizer
from tests.conformance.__main__ import known_exceptions
from tests.conformance.drivers import driver_for
from tests.conformance.programs import Result, compare_with_known, programs

EXCEPTIONS = Path(__file__).with_name("upstream_exceptions.txt")


def run_program(suite: Path, path: str) -> list[Result]:
    """Returns what the sanitizer finds in the programs of a file: a result of the key `path::finding::operation`
    for each.
    """
    found: Counter[str] = Counter()
    ran = 0

    def execute(module: Module, arguments: tuple[()], options: RunOptions) -> object:
        nonlocal ran
        ran += 1
        sanitizer = Sanitizer()
        try:
            return sanitizer.execute(module, arguments, options)
        finally:
            for finding in sanitizer.findings:
                found[f"{finding.check.name}::{finding.operation.name.removeprefix('stablehlo.')}"] += 1

    file = suite / path
    if driver_for(file.read_text("utf-8")) is not None:
        return []
    run_file(str(file), execute=execute)
    findings = [Result(f"{path}::{key}", "failed", f"{count} findings") for key, count in found.items()]
    return findings or [Result(path, "nothing found" if ran else "nothing to run", "")]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sanitizer.upstream", description=__doc__)
    parser.add_argument("suite", type=Path, help="a checkout of the StableHLO repository")
    parser.add_argument("--only", default="", help="files whose path contains this")
    parser.add_argument("-j", dest="workers", type=int, default=2, help="processes that run programs")
    options = parser.parse_args()
    files = list(programs(options.suite, options.only))
    with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        parts = pool.imap(partial(run_program, options.suite), files, chunksize=16)
        results = [result for part in parts for result in part]
    marked, news = compare_with_known(results, known_exceptions(EXCEPTIONS))
    for verdict, count in Counter(result.verdict for result in marked).items():
        print(f"{verdict}: {count}")
    print("\n".join(news))
    print(f"{len(news)} news")
    return 1 if news else 0


if __name__ == "__main__":
    sys.exit(main())
