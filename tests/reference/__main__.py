"""Compares the interpreter with the reference on random instances of operations.

    python -m tests.reference --count 100000 --seed 1

Prints a table by operation: how many are the same, not valid, or refused by the reference; exit code 1 where
anything differs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor

from tests.reference.instances import DIFFERS, compare_batch

BATCH = 100


def main() -> int:
    """Compares, and prints a table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.reference",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="families whose name contains this, such as `gather`")
    parser.add_argument("-j", dest="workers", type=int, default=2, help="processes")
    options = parser.parse_args()
    batches = -(-options.count // BATCH)
    seeds = [options.seed * 1_000_000 + batch for batch in range(batches)]
    table = defaultdict[str, Counter[str]](Counter)
    with ProcessPoolExecutor(options.workers, multiprocessing.get_context("spawn")) as pool:
        for batch in pool.map(compare_batch, seeds, [BATCH] * batches, [options.only] * batches):
            for name, verdict, reason, text in batch:
                table[name][verdict] += 1
                if verdict == DIFFERS:
                    print(f"--- {reason}\n{text}", flush=True)
    total = sum(table.values(), Counter[str]())
    for name, row in sorted(table.items()):
        print(f"{name:36}", dict(row))
    print(f"{'all':36}", dict(total))
    return int(total[DIFFERS] > 0)


if __name__ == "__main__":
    sys.exit(main())
