"""Compares our verdict on mutated programs with the oracle's.

    python -m tests.verifier --count 20000 --seed 1 PATH...

PATHs are programs or folders of them, whose operations are taken out one by one. Prints a table by operation
and the differences; exit code 1 where there is a false accept, or more than one false reject in a thousand.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from shlo.ir.operations import Module
from shlo.syntax import parse
from tests.conformance.suite import split
from tests.conformance.verdicts import our_errors
from tests.verifier.judges import compare, start
from tests.verifier.mutants import mutants, programs_of

LARGEST = 100_000
"""Bytes of a file whose operations are taken out."""


def modules(paths: list[Path], only: str) -> Iterator[Module]:
    """Yields the valid programs of files and folders."""
    for path in paths:
        for file in sorted(path.rglob("*.mlir")) if path.is_dir() else [path]:
            if file.stat().st_size > LARGEST:
                continue
            for _, text in split(file.read_text("utf-8", "surrogateescape")):
                if only in text and not our_errors(text):
                    yield parse(text)[0]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.verifier", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--op", default="", help="only operations whose name contains this")
    parser.add_argument("--show", type=int, default=20, help="how many differences are shown")
    options = parser.parse_args()
    programs = [
        program
        for module in modules(options.paths, options.op)
        for program in programs_of(module)
        if options.op in program.operation.name
    ]
    texts = list(mutants(programs, options.count, options.seed))
    table, shown = defaultdict[str, Counter[str]](Counter), 0
    with multiprocessing.get_context("spawn").Pool(2, start) as pool:
        for text, (name, outcome, reason) in zip(texts, pool.imap(compare, texts, chunksize=16)):
            table[name][outcome] += 1
            if outcome in ("false accept", "false reject", "raised") and shown < options.show:
                shown += 1
                print(f"--- {outcome}: {reason}\n{text}")
    return report(table)


def report(table: dict[str, Counter[str]]) -> int:
    """Prints the outcomes by operation, the worst ones first; the exit code."""
    total = sum(table.values(), Counter[str]())
    wrong = ("false accept", "false reject", "raised")
    for name, row in sorted(table.items(), key=lambda pair: -sum(pair[1][outcome] for outcome in wrong)):
        print(f"{name:32}", dict(row))
    print(f"{'all':32}", dict(total))
    return int(bool(total["false accept"] or total["raised"] or total["false reject"] * 1000 > total.total()))


if __name__ == "__main__":
    sys.exit(main())
