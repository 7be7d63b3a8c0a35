"""Feeds damaged programs to the parser and to the oracle: `python -m tests.fuzz_parser --count 100000 --seed
1`.

The parser must never raise and never take over two seconds, and must find an error where the oracle finds
one of syntax. What the oracle's verifier finds (its messages start with the name of an op) is not counted.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from shlo.syntax import parse
from tests.mutations import mutants
from tests.oracle import Oracle, OracleError, Verdict

SYNTAX = re.compile(
    r"expected |custom op (?!.* op attribute)|use of |redefinition of |undefined |unregistered operation|unknown |"
    r"unbalanced|reference to |operation location alias|invalid (?!properties)|integer |hexadecimal|duplicate |"
    r"elements hex|parsed |unexpected |inferred shape of elements literal|cannot name |floating point |number of |"
    r"block (?!with no terminator)|unable to parse|found |string |attempting to parse|type (?!of return)|literal |too many |result "
)
MAX_SECONDS = 2.0


@dataclass
class Tally:
    """What a run has seen: how many mutants, the ones at fault with the reason, and the slowest."""

    count: int = 0
    slowest: float = 0.0
    faults: list[tuple[str, str]] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    left_to_verifier: Counter[str] = field(default_factory=Counter)

    def fault(self, reason: str, text: str) -> None:
        self.faults.append((reason, text))


def is_syntax_error(verdict: Verdict) -> bool:
    """Returns whether the oracle's parser, not its verifier, refused the text."""
    return any(SYNTAX.match(finding.message) for finding in verdict.diagnostics)


def check_text(oracle: Oracle, text: str, tally: Tally) -> None:
    """Parses one text and compares with the oracle."""
    started = time.perf_counter()
    try:
        _, diagnostics = parse(text)
    except Exception as error:
        tally.fault(f"raised {type(error).__name__}: {error}", text)
        return
    seconds = time.perf_counter() - started
    tally.slowest = max(tally.slowest, seconds)
    if seconds > MAX_SECONDS:
        tally.fault(f"took {seconds:.1f} s", text)
    refused = any(
        diagnostic.severity == "error" or diagnostic.code == "spelling" for diagnostic in diagnostics
    )
    try:
        verdict = oracle.accepts(text, unregistered=True)
    except OracleError:
        tally.kinds["oracle failed"] += 1
        return
    tally.kinds[
        f"oracle {'accepts' if verdict.accepted else 'refuses'}, parser {'refuses' if refused else 'accepts'}"
    ] += 1
    if verdict.accepted or refused:
        return
    message = verdict.diagnostics[0].message if verdict.diagnostics else "nothing"
    if is_syntax_error(verdict):
        tally.fault(f"the oracle finds: {message}", text)
    else:
        tally.left_to_verifier[_without_details(message)] += 1


def run(texts: Sequence[str], count: int, seed: int, progress: Iterable[int] = ()) -> Tally:
    """Checks `count` mutants of the texts."""
    tally, marks = Tally(), set(progress)
    with Oracle(timeout=20) as oracle:
        for text in mutants(texts, count, seed):
            check_text(oracle, text, tally)
            tally.count += 1
            if tally.count in marks:
                print(
                    f"{tally.count} mutants, {len(tally.faults)} faults, slowest {tally.slowest:.2f} s",
                    file=sys.stderr,
                )
    return tally


def programs(limit: int = 12_000) -> list[str]:
    """Returns the corpus's programs that are not long, pretty, generic and with debug info."""
    from tests.jax_programs import RUNNABLE

    forms = [{}, {"generic": True}, {"debug_info": True}]
    texts = [program.text(**form) for program in RUNNABLE for form in forms]
    return [text for text in texts if len(text) <= limit]


def _save(folder: Path, tally: Tally) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, (reason, text) in enumerate(tally.faults):
        content = f"{text}\n// {reason}\n"
        (folder / f"{number}.mlir").write_text(content, "utf-8", "surrogateescape")


def _without_details(message: str) -> str:
    return re.sub(r"'[^']*'|\d+", "_", message)[:100]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--count", type=int, default=100_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--show", type=int, default=20, help="how many faults to print")
    arguments.add_argument("--save", metavar="FOLDER", help="write the mutants at fault to files")
    options = arguments.parse_args()
    tally = run(programs(), options.count, options.seed, range(0, options.count, 2000))
    if options.save:
        _save(Path(options.save), tally)
    for reason, text in tally.faults[: options.show]:
        print(f"--- {reason}\n{text[:3000]}")
    for message, number in tally.left_to_verifier.most_common():
        print(f"{number:6} left to the verifier: {message}")
    reasons = Counter(_without_details(reason) for reason, _ in tally.faults)
    for reason, number in reasons.most_common(60):
        print(f"{number:6} {reason}")
    for kind, number in sorted(tally.kinds.items()):
        print(f"{number:6} {kind}")
    print(f"{tally.count} mutants, {len(tally.faults)} faults, slowest {tally.slowest:.2f} s")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
