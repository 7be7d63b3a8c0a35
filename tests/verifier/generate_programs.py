"""Makes programs that break one constraint each, by changing valid ones: `python -m
tests.verifier.generate_programs`.

For each label without a program in `programs/` it looks for the shortest mutant of the operation's check
program that is reported first under that label, and adds it. Prints the labels for which none was found.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.source import Source
from shlo.runner.validity import findings_of
from shlo.syntax import parse
from tests.conformance.suite import split
from tests.verifier.labels import PROGRAMS, VALID, codes, implied, stated
from tests.verifier.mutants import Program, mutant, programs_of
from tests.verifier.test_programs import expected_of

OPERATIONS = Path(__file__).parents[1] / "ops"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.verifier.generate_programs", description=__doc__)
    parser.add_argument("names", nargs="*", help="operations (default: all of the specification)")
    parser.add_argument("--count", type=int, default=2000, help="mutants of each operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--from", dest="sources", type=Path, nargs="*", default=[], help="further valid programs"
    )
    options = parser.parse_args()
    for name in options.names or stated():
        wanted = set(codes(name).values()) - expected_codes(name) - implied().keys()
        if not wanted:
            continue
        found = search(name, wanted, options.count, random.Random(options.seed), options.sources)
        add(name, found)
        left = sorted(wanted - found.keys())
        print(name, f"found {len(found)}", *left, flush=True)
    return 0


def expected_codes(name: str) -> set[str]:
    """Returns the codes for which there are programs."""
    path = PROGRAMS / f"{name}.mlir"
    return {code for _, code, _ in expected_of(path)} if path.exists() else set()


def search(
    name: str, wanted: set[str], count: int, rng: random.Random, sources: Sequence[Path]
) -> dict[str, str]:
    """Returns the shortest programs that are reported first under the codes."""
    found: dict[str, str] = {}
    programs = list(valid_programs(name, sources))
    for _ in range(count if programs else 0):
        changed = mutant(rng.choice(programs), rng)
        while changed is not None and rng.random() < 0.4:
            changed = mutant(changed, rng)
        text = _text(changed) if changed else None
        finding = first_finding(text) if text else None
        if text and finding and finding.code in wanted:
            marked = with_expectation(text, finding)
            if finding.code not in found or len(marked) < len(found[finding.code]):
                found[finding.code] = marked
    return found


def _text(program: Program) -> str | None:
    try:
        return program.text()
    except (ValueError, TypeError):  # a change that has no text
        return None


def valid_programs(name: str, sources: Sequence[Path]) -> Iterator[Program]:
    """Yields the operation in its check program, and in others."""
    for path in (OPERATIONS / f"{name}.mlir", VALID, *sources):
        chunks = split(path.read_text()) if path.exists() else []
        for program in (program for _, text in chunks for program in programs_of(parse(text)[0])):
            if program.operation.name == f"stablehlo.{name}":
                yield program
                if program.constants:
                    yield _with_arguments(program)


def _with_arguments(program: Program) -> Program:
    """Returns the program with arguments in place of constants, whose types can be changed."""
    values = [value for constant in program.constants for value in constant.results]
    return program._replace(arguments=(*program.arguments, *values), constants=())


def first_finding(text: str) -> Diagnostic | None:
    """Returns what is reported first; None where the text is none that can be read."""
    findings = [each for each in findings_of(Source(text))[1] if each.severity != "hint"]
    return findings[0] if findings and findings[0].code not in ("syntax", "type-mismatch") else None


def with_expectation(text: str, finding: Diagnostic) -> str:
    """Returns the program with a comment above the operation that is wrong."""
    assert finding.operation
    lines = text.rstrip("\n").split("\n")
    number = Source(text).line_of(finding.operation.start) - 1
    indent = " " * (len(lines[number]) - len(lines[number].lstrip()))
    lines.insert(number, f"{indent}// expect: {finding.code}")
    return "\n".join(lines) + "\n"


def add(name: str, found: dict[str, str]) -> None:
    """Adds programs to the file of an operation."""
    path = PROGRAMS / f"{name}.mlir"
    old = [path.read_text()] if path.exists() else []
    if found:
        PROGRAMS.mkdir(exist_ok=True)
        path.write_text("// -----\n".join([*old, *(found[code] for code in sorted(found))]))


if __name__ == "__main__":
    sys.exit(main())
