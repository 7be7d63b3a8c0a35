"""Which programs got slower between two runs of benchmarks/corpus.py.

    python benchmarks/compare.py OLD NEW [--limit 1.15]

OLD and NEW are files that `corpus.py --save` wrote. A program is slower where its CPU time and its ratio to
XLA's both grew by more than the limit: one of them alone may be the machine's mood. The exit code is 1 if any
is.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import measure
from corpus_figures import slower, summary


def main() -> int:
    """Prints what got slower and the means of both runs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", type=Path, metavar="OLD")
    parser.add_argument("new", type=Path, metavar="NEW")
    parser.add_argument("--limit", type=float, default=1.15, help="the factor that counts (default 1.15)")
    options = parser.parse_args()
    old, new = (
        json.loads(path.read_text(encoding="utf-8"))["programs"] for path in (options.old, options.new)
    )
    common = [name for name in new if name in old]
    if not common:
        parser.error("expected two runs with programs in common")
    found = slower(old, new, options.limit)
    measure.table(
        ("slower", "run", "factor"), [(name, what, f"{factor:.2f}") for name, what, factor in found]
    )
    means = [summary({name: run[name] for name in common}) for run in (old, new)]
    rows = [(what, f"{means[0][what]:.3f}", f"{means[1][what]:.3f}") for what in means[0]]
    measure.table((f"means of {len(common)} programs", "old", "new"), rows)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
