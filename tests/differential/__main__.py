"""Compares random instances of operations with XLA and with loops over the specification's formulas.

    python -m tests.differential --count 20000 --seed 1

Each instance runs twice here: with the specification's semantics, whose results the formula judges, and with
XLA's, whose results XLA judges. Prints a table by operation; exit code 1 where anything differs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor

from tests.differential.batches import FINE, compare_batch

BATCH = 50


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.differential",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="families whose name contains this, such as `gather`")
    parser.add_argument("--show", type=int, default=20, help="how many differences are shown")
    parser.add_argument("-j", dest="workers", type=int, default=2, help="processes")
    options = parser.parse_args()
    batches = -(-options.count // BATCH)
    table, shown = defaultdict[str, Counter[str]](Counter), 0
    with ProcessPoolExecutor(options.workers, multiprocessing.get_context("spawn")) as pool:
        seeds = [options.seed * 1_000_000 + batch for batch in range(batches)]
        for found in pool.map(compare_batch, seeds, [BATCH] * batches, [options.only] * batches):
            for name, text, comparison in found:
                judge = "by XLA" if comparison.judged_by_xla else "by the formula alone"
                table[name][
                    f"{comparison.verdict}, {judge}" if comparison.verdict == "same" else comparison.verdict
                ] += 1
                if comparison.verdict not in FINE and shown < options.show:
                    shown += 1
                    print(f"--- {comparison.verdict}: {comparison.reason}\n{text}")
    total = sum(table.values(), Counter[str]())
    for name, row in sorted(table.items()):
        print(f"{name:36}", dict(row))
    print(f"{'all':36}", dict(total))
    return int(any(total[verdict] for verdict in total if not verdict.startswith(FINE)))


if __name__ == "__main__":
    sys.exit(main())
