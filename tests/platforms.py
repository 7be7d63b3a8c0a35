"""The core of the suite on other interpreters and libraries: `python -m tests.platforms PYTHON ... [--record]`.

Each PYTHON has shlo and what its tests need installed, jaxlib not among it; it may be a script that starts an emulator
(`exec chroot FOLDER env -C THIS_FOLDER python3 "$@"` in a folder that mmdebstrap made, with this one and /tmp bound
into it and qemu-user known to the kernel; `exec wine python.exe "$@"`), which `--note` says. What was seen is printed,
and with `--record` written to tests/platforms.json, which docs/how-we-know.md shows.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

ROOT: Final = Path(__file__).parents[1]
FIGURES: Final = Path(__file__).with_name("platforms.json")
CORE: Final = ("tests/syntax", "tests/ops", "tests/kernels")
MARKS: Final = "not oracle and not screen and not slow"
MOST_NAMES: Final = 5
"""How many failing tests are named."""

FACTS: Final = """
import json, platform, sys
from importlib.metadata import version
print(json.dumps({
    "system": f"{platform.system()} {platform.machine()}",
    "python": platform.python_version() + ("t" if not getattr(sys, "_is_gil_enabled", lambda: True)() else ""),
    **{name: version(name) for name in ("numpy", "ml_dtypes", "scipy")},
}))
"""
THREADS: Final = """
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import shlo
module = shlo.load("examples/transformer.mlir")
with np.load("examples/transformer.npz") as archive:
    inputs = [archive[name] for name in archive.files]
def run(_):
    return [np.asarray(result).tobytes() for result in shlo.run(module, *inputs)]
expected = run(0)
with ThreadPoolExecutor(8) as pool:
    print(all(result == expected for result in pool.map(run, range(32))))
"""
"""Runs of a transformer's loss and gradient by 8 threads, which are to have the same bits."""


def seen_on(python: str, note: str = "") -> dict[str, Any]:
    """Returns the versions of an interpreter and its libraries, and what became of the core on it."""
    facts = json.loads(_said([python, "-c", FACTS]))
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        words = [
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--short",
            "-m",
            MARKS,
            f"--junitxml={report}",
        ]
        subprocess.run([python, *words, *CORE], cwd=ROOT, check=False, stdout=sys.stderr)
        suite = ElementTree.parse(report).getroot()[0]
    failing = [
        f"{case.get('classname')}::{case.get('name')}"
        for case in suite.iter("testcase")
        if case.find("failure") is not None or case.find("error") is not None
    ]
    skipped, count = int(suite.get("skipped", 0)), int(suite.get("tests", 0))
    return facts | {
        "passed": count - skipped - len(failing),
        "failed": len(failing),
        "failing": sorted(failing)[:MOST_NAMES],
        "threads": _said([python, "-c", THREADS]).strip().endswith("True"),
        "date": datetime.date.today().isoformat(),
        "commit": _said(["git", "rev-parse", "--short", "HEAD"]).strip(),
        "note": note,
    }


def _said(words: list[str]) -> str:
    return subprocess.run(words, cwd=ROOT, check=False, capture_output=True, text=True).stdout


def main() -> int:
    """Looks at each interpreter; returns 1 where a test fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.platforms", description=__doc__)
    parser.add_argument("pythons", nargs="+", metavar="PYTHON", help="an interpreter's path")
    parser.add_argument("--record", action="store_true", help=f"write what was seen to {FIGURES.name}")
    parser.add_argument("--note", default="", help="what emulates the system, or was changed for it to run")
    options = parser.parse_args()
    failures = 0
    for python in options.pythons:
        row = seen_on(python, options.note)
        failures += row["failed"] + (not row["threads"])
        print(json.dumps(row), flush=True)
        if options.record:
            name = " ".join(row[part] for part in ("system", "python", "numpy", "ml_dtypes"))
            former = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
            FIGURES.write_text(json.dumps(former | {name: row}, indent=2) + "\n", "utf-8", newline="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
