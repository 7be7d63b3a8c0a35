"""Runs the conformance suite and prints its tables (texts, verdicts, bytecode, programs, programs of unknown
sizes, passes); exit code 1 where something fails that is no known exception, or a known exception does not
fail any more.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path

from tests.conformance.dynamic import run_dynamic
from tests.conformance.passes import run_passes
from tests.conformance.programs import Result, compare_with_known, run_programs
from tests.conformance.suite import Chunk, chunks
from tests.conformance.workers import judge_all

EXCEPTIONS = Path(__file__).with_name("exceptions.txt")
VERDICT_EXCEPTIONS = Path(__file__).with_name("verdict_exceptions.txt")

PARTS = ("texts", "verdicts", "bytecode", "programs", "dynamic", "passes")
Table = defaultdict[str, Counter[str]]


def known_exceptions(path: Path = EXCEPTIONS) -> dict[str, str]:
    """Returns the chunks and programs that are known to fail, with the reason: lines of `key: reason`."""
    lines = path.read_text().splitlines() if path.exists() else []
    pairs = (line.partition(": ") for line in lines if line.strip() and not line.startswith("//"))
    return {key: reason for key, _, reason in pairs}


def print_table(table: Table, counted: str = "chunks") -> None:
    """The verdicts by folder, as a Markdown table."""
    columns = sorted({verdict for row in table.values() for verdict in row})
    table["all"] = sum(table.values(), Counter())
    print("| folder | " + " | ".join(columns) + f" | {counted} |")
    print("|---" * (len(columns) + 2) + "|")
    for folder, row in table.items():
        cells = [str(row[column] or "") for column in columns]
        print(f"| {folder} | {' | '.join(cells)} | {row.total()} |")


def judge_chunks(part: str, suite: Path, only: str, known: dict[str, str]) -> list[str]:
    """Judges every chunk beside the oracle, its text or its validity, and prints the table; gives what is
    new.
    """
    table, news = Table(Counter), list[str]()
    for chunk, (verdict, reason) in judge_all(part, list(chunks(suite, only))):
        fails, key = verdict.startswith("FAIL"), _key(part, chunk)
        if fails and key in known:
            verdict = "known exception"
        elif fails:
            news.append(f"{key} (line {chunk.first_line}): {verdict}: {reason}")
        elif key in known:
            news.append(f"{key}: no exception any more ({verdict}); take it off the list")
        table[chunk.folder][verdict] += 1
    print_table(table)
    return news


def _key(part: str, chunk: Chunk) -> str:
    """Returns what a chunk is called in the list of exceptions: those of bytecode are not those of texts."""
    return f"{part} {chunk.key}" if part == "bytecode" else chunk.key


def judge_results(found: list[Result], known: dict[str, str]) -> list[str]:
    """Prints the table of what became of programs; gives what is new."""
    table = Table(Counter)
    results, news = compare_with_known(found, {key: known[key] for key in known if "::" in key})
    for result in results:
        table[result.folder][result.verdict] += 1
    print_table(table, "functions")
    for result in results:
        if result.verdict == "failed, disabled upstream":
            print(f"{result.key}: {result.verdict}: {result.reason}")
    return news


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("suite", type=Path, help="a checkout of the StableHLO repository")
    parser.add_argument("--only", default="", help="files whose path contains this")
    parser.add_argument("--part", choices=PARTS, help="one of the tables only")
    parser.add_argument("-j", dest="workers", type=int, default=2, help="processes that run programs")
    options = parser.parse_args()
    known, news = known_exceptions(), list[str]()
    for part in ("texts", "verdicts", "bytecode"):
        if options.part in (None, part):
            exceptions = known_exceptions(VERDICT_EXCEPTIONS) if part == "verdicts" else known
            news += judge_chunks(part, options.suite, options.only, exceptions)
    if options.part in (None, "programs"):
        news += judge_results(run_programs(options.suite, options.only, options.workers), known)
    if options.part in (None, "dynamic"):
        news += judge_results(run_dynamic(options.suite, options.only, options.workers), known)
    if options.part in (None, "passes"):
        news += judge_results(run_passes(options.suite, options.only), known)
    print("\n".join(news))
    print(f"{len(news)} news")
    return 1 if news else 0


if __name__ == "__main__":
    sys.exit(main())
