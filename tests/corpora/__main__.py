"""Reads, verifies, prints and runs programs of public projects beside jaxlib and XLA.

    python -m tests.corpora DIR [--part texts|verdicts|values|artifacts] [--only PATH]

DIR holds checkouts, a folder each: `xla`, `shardy`, `iree`, `enzyme-jax`, `tt-mlir`, ... whose `.mlir` and
Markdown files are read, `stablehlo`, whose programs are left out, as `make conformance` judges them, `jax`,
whose back-compatibility artifacts run, and `jax-history` with those that JAX has removed (artifacts.py says
where it comes from). Prints a table for each part; exit code 1 where something fails that is no known
exception (exceptions.txt), or a known exception does not fail any more.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.conformance.__main__ import Table, known_exceptions, print_table
from tests.conformance.programs import Result, compare_with_known
from tests.corpora import artifacts, workers
from tests.corpora.discovery import chunks

EXCEPTIONS = Path(__file__).with_name("exceptions.txt")
PARTS = (*workers.PARTS, "artifacts")


def report(found: Iterable[tuple[str, Result]], parts: Sequence[str]) -> list[str]:
    """Prints a table for each part; returns what is new."""
    news: list[str] = []
    exceptions = known_exceptions(EXCEPTIONS)
    results = list(found)
    for part in parts:
        known = {
            key.removeprefix(f"{part} "): reason
            for key, reason in exceptions.items()
            if key.startswith(f"{part} ")
        }
        marked, new = compare_with_known([result for its, result in results if its == part], known)
        table = Table(Counter)
        for result in marked:
            table[result.key.partition("/")[0]][result.verdict] += 1
        print(f"\n{part}")
        print_table(table)
        news += [f"{part} {line}" for line in new]
    return news


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.corpora",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder of checkouts")
    parser.add_argument("--only", default="", help="files whose path in DIR contains this")
    parser.add_argument("--part", choices=PARTS, action="append", help="this table only; may be repeated")
    parser.add_argument("-j", dest="workers", type=int, default=2, help="processes")
    options = parser.parse_args()
    parts = options.part or PARTS
    found: list[tuple[str, Result]] = []
    of_chunks = [part for part in workers.PARTS if part in parts]
    if of_chunks:
        found += workers.judge_all(chunks(options.folder, options.only), of_chunks, options.workers)
    if "artifacts" in parts:
        found += [("artifacts", result) for result in artifacts.run(options.folder / "jax", options.only)]
    if not found:
        parser.error(f"expected checkouts with programs in {options.folder}, got none")
    news = report(found, parts)
    print("\n".join(["", *news, f"{len(news)} news"]))
    return 1 if news else 0


if __name__ == "__main__":
    sys.exit(main())
