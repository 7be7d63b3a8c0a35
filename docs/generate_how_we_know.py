"""Writes docs/how-we-know.md: what is compared with what, with figures.

python -m docs.generate_how_we_know
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from docs.differences.topics import TOPICS
from shlo.conformance.judge import FAILURES
from shlo.dialects import all_op_defs
from tests.conform.faults import BUGS

ROOT: Final = Path(__file__).parent
PAGE: Final = ROOT / "how-we-know.md"
FIGURES: Final = ROOT.parent / "tests" / "hardening" / "figures.json"
SOAKS: Final = FIGURES.with_name("soaks.json")
PLATFORMS: Final = ROOT.parent / "tests" / "platforms.json"


ROWS: Final = (
    (
        "the interpreter",
        "the reference: the specification's sentences in code",
        "[`shlo conform`](conformance.md): every combination of special values of each type",
    ),
    ("the reference", "the specification's examples; mpmath at high precision", "`tests/reference`"),
    ("the interpreter", "XLA on CPUs", "[`shlo fuzz`](fuzz.md); the programs of `tests/programs`"),
    (
        "the verifier",
        "the {constraints} constraints of the specification, by label; jaxlib's MLIR",
        "[constraints](constraints.md)",
    ),
    ("texts, bytecode", "what jaxlib prints and writes, byte for byte", "`make conformance SUITE=DIR`"),
    ("machine code, generated Python", "the stepper", "the same bits in each tier"),
    (
        "`shlo conform`",
        "{bugs} engines with one bug each; the interpreter, which has none",
        "`tests/conform`: each is found, and its operation named",
    ),
)
"""What, what it is compared with, and how."""


def page() -> str:
    """Returns the page."""
    figures = {
        "constraints": sum(len(op.constraints) for op in all_op_defs() if op.dialect == "stablehlo"),
        "bugs": len(BUGS),
    }
    rows = (" | ".join(cell.format(**figures) for cell in row) for row in ROWS)
    cards = json.loads((ROOT / "scorecards.json").read_text("utf-8"))
    parts = [
        "# How we know that it is right",
        "Each part is compared with something that was written independently of it. Where two sides part on",
        "purpose, a row of [differences](differences.md) says so, "
        f"{sum(len(topic.differences) for topic in TOPICS)} in all.",
        "\n| what | is compared with | how |\n|---|---|---|",
        *(f"| {row} |" for row in rows),
        "\nWhat `shlo conform` says of engines that others wrote ([scorecards](scorecards.md)); a waiver",
        "has the reason of a difference that was looked at:",
        "\n| engine | cases | pass | waived | refused | wrong |\n|---|---|---|---|---|---|",
        *(_verdicts(name, card) for name, card in cards.items()),
        *_hostile_input(),
        *_soaks(),
        *_platforms(),
        "\nWhat this does not show: that programs are right which no test is like. A difference that you",
        "find is an issue that we want.",
    ]
    return "\n".join(parts).replace("right\nEach", "right\n\nEach") + "\n"


def _hostile_input() -> list[str]:
    """Returns what `make fuzz` has given to what reads files and messages, as its runs wrote down."""
    figures = json.loads(FIGURES.read_text("utf-8"))
    rows = (
        f"| {name} | {row['inputs']:,} | {row['outcomes']} | {row['failures']} | {row['longest_s']} s "
        f"| {row['memory_mib']} MiB | {row['date']} |"
        for name, row in figures.items()
    )
    return [
        "\nHostile input ([what is promised](../SECURITY.md)): `make fuzz` changes valid files and messages",
        "at random. What is read must print, parse and encode again as the same program, the rest must be",
        "refused with a message. Inputs, how many different outcomes they had, failures, the longest CPU",
        "time of one, the most memory of a process, and the day:",
        "\n| input | changed | outcomes | failures | longest | memory | on |\n|---|---|---|---|---|---|---|",
        *rows,
    ]


def _soaks() -> list[str]:
    """Returns what soaks and faults of the machine have lost, as their last runs wrote down."""
    rows = json.loads(SOAKS.read_text("utf-8")).values()
    return [
        "\nWhat lasts long, comes all at once, or meets a machine that fails (`make soak`). Lost is an",
        "answer that is missing or wrong, a command that hangs or ends with a traceback, half a file:",
        "\n| what | how many | lost | on |\n|---|---|---|---|",
        *(f"| {row['what']} | {row['count']:,} | {row['lost']} | {row['date']} |" for row in rows),
    ]


def _platforms() -> list[str]:
    """Returns on which systems and libraries the core of the suite was run, and what was seen."""
    rows = json.loads(PLATFORMS.read_text("utf-8")).values()
    return [
        "\nThe core of the suite (syntax, operations, kernels; without jaxlib as oracle) on systems, Pythons",
        "and libraries beside the one of development (`python -m tests.platforms`), and one program that 8",
        "threads run at a time. A t at a version is a Python without the global lock; tests that need JAX or",
        "llvmlite are left out where there is none:",
        "\n| system | Python | NumPy | ml_dtypes | passed | failed | 8 threads | on | by |",
        "|---|---|---|---|---|---|---|---|---|",
        *(
            f"| {row['system']} | {row['python']} | {row['numpy']} | {row['ml_dtypes']} | {row['passed']:,} "
            f"| {_failed(row)} | {'the same bits' if row['threads'] else 'other bits'} | {row['date']} "
            f"| {row.get('note', '')} |"
            for row in rows
        ),
        "\nNot run: Python 3.14 without the lock and a Python on musl (neither could be had",
        "there, and ml_dtypes has no wheel for musl), and macOS, Windows and big-endian machines themselves.",
    ]


def _failed(row: dict[str, Any]) -> str:
    names = ", ".join(f"`{name}`" for name in row["failing"])
    return f"{row['failed']}: {names}" if names else "0"


def _verdicts(name: str, card: dict[str, Any]) -> str:
    """Returns the row of an engine."""
    counts = card["counts"]
    wrong = sum(counts[verdict] for verdict in FAILURES)
    numbers = (counts["pass"], counts["waived"], counts["refused"], wrong)
    return f"| {name} | {sum(counts.values())} ({card['level']}) | {' | '.join(map(str, numbers))} |"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
