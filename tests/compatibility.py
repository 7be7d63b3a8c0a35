"""Writes docs/compatibility.json and docs/compatibility.md: what shlo and releases of jaxlib read of one another.

    python -m tests.compatibility --jaxlib 0.4.34=/path/to/venv/bin/python --jaxlib 0.12.0.1=...

Without `--jaxlib` the page is made from the figures that there are.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import shlo
import shlo_bytecode

ROOT = Path(__file__).resolve().parents[1]
FIGURES, PAGE = ROOT / "docs" / "compatibility.json", ROOT / "docs" / "compatibility.md"
WORKER = ROOT / "tests" / "compatibility_worker.py"
COLUMNS = {
    "text": "text that shlo prints",
    "plain": "bytecode that shlo writes",
    "plain6": "version 6, `--for`",
    "plain-text": "its bytecode, read by shlo",
    "artifact": "artifacts that shlo writes, `--for`",
    "artifact-text": "its artifacts, read by shlo",
}
REASONS: dict[str, str] = {}
"""Why a cell is below 100 %, by `version column`."""
INTRODUCTION = """# Compatibility

What shlo and releases of jaxlib read of one another: {count} programs, those of `tests/programs` and `examples` that
the release itself reads. A cell counts programs that arrive as they were: the release prints the same generic form of what
it reads and of the original. An artifact is compared with what the release makes of its own.

"""
END = """
Bytecode without a version is version 4, which names attributes: all these releases read it. Version 6 has layouts that
depend on the library that reads it. `shlo convert --for jaxlib==0.10.2` and `consumer="jaxlib==0.10.2"` in
`shlo_bytecode.write` write what a release reads (see [commands](commands.md)); an artifact is then for its version of
StableHLO. Without `--for`, `shlo_bytecode.write_artifact` writes version 1.20.0, which jaxlib reads from 0.11.2 on.

The page is made by `python -m tests.compatibility --jaxlib VERSION=PYTHON ...`; the figures are in `docs/compatibility.json`.
"""


def programs() -> dict[str, str]:
    """Returns the texts by name."""
    from tests.jax_programs import SMALL

    texts = {program.name: program.text() for program in SMALL}
    examples = {
        f"example-{path.stem}": path.read_text() for path in sorted((ROOT / "examples").glob("*.mlir"))
    }
    return texts | {name: text for name, text in examples.items() if "// -----" not in text}


def measured(version: str, python: str, texts: dict[str, str]) -> dict[str, Any]:
    """Returns the counts of one release, and the names of programs that do not arrive, by column."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for program, text in texts.items():
            (folder / f"{program}.mlir").write_text(text)
        subprocess.run([python, WORKER, folder, "write"], check=True)
        asked = _answers(folder, f"jaxlib=={version}")
        run = subprocess.run(
            [python, WORKER, folder, "compare"], check=True, stdout=subprocess.PIPE, text=True
        )
        same = set(json.loads(run.stdout.splitlines()[-1]))
    missing = {
        column: [program for program in sorted(names) if f"{program}.{column}" not in same]
        for column, names in asked.items()
    }
    return {"asked": {column: len(names) for column, names in asked.items()}, "missing": missing}


def _answers(folder: Path, consumer: str) -> dict[str, list[str]]:
    """Writes what shlo makes of each program, and returns the programs by column."""
    (folder / "shlo").mkdir()
    asked: dict[str, list[str]] = {column: [] for column in COLUMNS}
    for path in sorted(folder.glob("*.generic")):
        module = shlo.parse(path.with_suffix(".mlir").read_text())
        makers: dict[str, Callable[[], bytes]] = {
            "text": lambda module=module: module.to_text().encode(),
            "plain": lambda module=module: shlo_bytecode.write(module),
            "plain6": lambda module=module: shlo_bytecode.write(module, 6, consumer=consumer),
            "plain-text": lambda path=path: _text(path.with_suffix(".plain")),
        }
        if path.with_suffix(".artifact-generic").exists():
            makers |= {
                "artifact": lambda module=module: shlo_bytecode.write_artifact(module, consumer=consumer),
                "artifact-text": lambda path=path: _text(path.with_suffix(".artifact")),
            }
        for column, make in makers.items():
            asked[column].append(path.stem)
            try:
                (folder / "shlo" / f"{path.stem}.{column}").write_bytes(make())
            except shlo.ShloError as error:
                print(f"{consumer}: {column} of {path.stem}: {error}")
    return asked


def _text(path: Path) -> bytes:
    return shlo_bytecode.load(path).to_text().encode()


def page(figures: dict[str, Any]) -> str:
    """Returns the page of the figures."""
    lines = ["| jaxlib | " + " | ".join(COLUMNS.values()) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    notes: list[str] = []
    for version, found in figures.items():
        cells = [_cell(version, column, found, notes) for column in COLUMNS]
        lines.append(f"| {version} | " + " | ".join(cells) + " |")
    count = max(found["asked"]["text"] for found in figures.values())
    return (
        INTRODUCTION.format(count=count) + "\n".join([*lines, *([""] if notes else []), *notes]) + "\n" + END
    )


def _cell(version: str, column: str, found: dict[str, Any], notes: list[str]) -> str:
    asked, missing = found["asked"][column], found["missing"][column]
    if missing:
        reason = REASONS[f"{version} {column}"]
        notes.append(
            f"- {version}, {COLUMNS[column]}: {', '.join(f'`{name}`' for name in missing)}: {reason}"
        )
    return f"{asked - len(missing)} of {asked}"


def main() -> None:
    """Measures the releases that are named, and writes figures and page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jaxlib", action="append", default=[], metavar="VERSION=PYTHON")
    options = parser.parse_args()
    figures: dict[str, Any] = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    texts = programs() if options.jaxlib else {}
    for version, _, python in (each.partition("=") for each in options.jaxlib):
        figures[version] = measured(version, python, texts)
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n")
    PAGE.write_text(page(figures))


if __name__ == "__main__":
    main()
