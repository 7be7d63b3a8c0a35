"""Which lines of the kernels no test of theirs runs: a table, and exit code 1 where they are too many.

pytest tests/ops tests/kernels --cov=shlo/interpreter/kernels && python -m tests.kernel_coverage
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from coverage import Coverage

LEAST = 90.0
"""The percentage of its lines that must run, for every module (guideline G2 of the interpreter's design)."""


def main() -> int:
    """Prints a line for each module, with the numbers of the lines that did not run."""
    measured = Coverage()
    measured.load()
    shares = [_show(measured, file) for file in sorted(measured.get_data().measured_files())]
    low = sum(share < LEAST for share in shares)
    print(f"{len(shares)} modules, {low} of them below {LEAST:.0f} %")
    return 1 if low or not shares else 0


def _show(measured: Coverage, file: str) -> float:
    _, statements, _, missing, text = measured.analysis2(file)
    share = 100.0 * (1 - len(missing) / len(statements)) if statements else 100.0
    print(f"{share:5.1f} %  {os.path.relpath(file, Path.cwd())}  {text}".rstrip())
    return share


if __name__ == "__main__":
    sys.exit(main())
