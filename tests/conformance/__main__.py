"""Runs the conformance suite and prints its tables (texts, programs); exit code 1 where something fails
that is no known exception, or a known exception does not fail any more."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path

from tests.conformance.programs import compare_with_known, run_programs
from tests.conformance.suite import chunks
from tests.conformance.workers import judge_all

EXCEPTIONS = Path(__file__).with_name("exceptions.txt")

Table = defaultdict[str, Counter[str]]


def known_exceptions() -> dict[str, str]:
    """The chunks and programs that are known to fail, with the reason: lines of `key: reason`."""
    lines = EXCEPTIONS.read_text().splitlines() if EXCEPTIONS.exists() else []
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


def judge_texts(suite: Path, only: str, known: dict[str, str]) -> list[str]:
    """Parses and prints every chunk beside the oracle, and prints the table; gives what is new."""
    table, news = Table(Counter), list[str]()
    for chunk, (verdict, reason) in judge_all(list(chunks(suite, only))):
        fails = verdict.startswith("FAIL")
        if fails and chunk.key in known:
            verdict = "known exception"
        elif fails:
            news.append(f"{chunk.key} (line {chunk.first_line}): {verdict}: {reason}")
        elif chunk.key in known:
            news.append(f"{chunk.key}: no exception any more ({verdict}); take it off the list")
        table[chunk.folder][verdict] += 1
    print_table(table)
    return news


def judge_programs(suite: Path, only: str, known: dict[str, str], workers: int) -> list[str]:
    """Runs every program and prints the table; gives what is new."""
    table = Table(Counter)
    results, news = compare_with_known(run_programs(suite, only, workers), known)
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
    parser.add_argument("--part", choices=("texts", "programs"), help="one of the two tables only")
    parser.add_argument("-j", dest="workers", type=int, default=2, help="processes that run programs")
    options = parser.parse_args()
    known, news = known_exceptions(), list[str]()
    if options.part != "programs":
        news += judge_texts(options.suite, options.only, known)
    if options.part != "texts":
        news += judge_programs(options.suite, options.only, known, options.workers)
    print("\n".join(news))
    print(f"{len(news)} news, {len(known)} known exceptions")
    return 1 if news else 0


if __name__ == "__main__":
    sys.exit(main())
