"""Runs the conformance suite and prints a table; exit code 1 where a chunk fails that is no known
exception."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path

from tests.conformance import text
from tests.conformance.suite import chunks
from tests.oracle import Oracle

EXCEPTIONS = Path(__file__).with_name("exceptions.txt")


def known_exceptions() -> dict[str, str]:
    """The chunks that are known to fail, with the reason: lines of `key: reason`."""
    lines = EXCEPTIONS.read_text().splitlines() if EXCEPTIONS.exists() else []
    pairs = (line.partition(": ") for line in lines if line.strip() and not line.startswith("//"))
    return {key: reason for key, _, reason in pairs}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("suite", type=Path, help="a checkout of the StableHLO repository")
    parser.add_argument("--only", default="", help="files whose path contains this")
    options = parser.parse_args()
    known, table, failures = known_exceptions(), defaultdict[str, Counter[str]](Counter), list[str]()
    with Oracle(timeout=60) as oracle:
        for chunk in chunks(options.suite, options.only):
            verdict, reason = text.judge(oracle, chunk)
            if verdict.startswith("FAIL") and chunk.key in known:
                verdict = "known exception"
            table[chunk.folder][verdict] += 1
            if verdict.startswith("FAIL"):
                failures.append(f"{chunk.key} (line {chunk.first_line}): {verdict}: {reason}")
    print("\n".join(failures))
    columns = sorted({verdict for row in table.values() for verdict in row})
    print("| folder | " + " | ".join(columns) + " |")
    for folder, row in sorted(table.items()):
        print(f"| {folder} | " + " | ".join(str(row[column]) for column in columns) + " |")
    print(f"{len(failures)} new failures, {len(known)} known exceptions")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
