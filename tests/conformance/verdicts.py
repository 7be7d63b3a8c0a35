"""Which programs are valid: our verdict beside the oracle's, and the lines of what is wrong.

Where the oracle does not know an operation or crashes, the suite's own `expected-error` annotations judge.
"""

from __future__ import annotations

from shlo.ir.source import Source
from shlo.runner.validity import findings_of
from shlo.verifier.expectations import expectations_of, said_of
from tests.conformance.checks import generic_checks
from tests.conformance.suite import Chunk
from tests.conformance.text import NEWER, UNKNOWN_OPERATION, Judgement
from tests.oracle import Oracle, OracleCrashed


def judge(oracle: Oracle, chunk: Chunk) -> Judgement:
    """Our verdict on a chunk beside the one that counts."""
    wanted, judge_name = _wanted(oracle, chunk)
    try:
        found = our_errors(chunk.text)
    except Exception as error:
        return Judgement("FAIL raised", f"{type(error).__name__}: {error}")
    if not wanted:
        return (
            Judgement("FAIL false reject", _shown(found))
            if found
            else Judgement(f"both accept ({judge_name})")
        )
    lines = ", ".join(f"{line}: {message}" for line, message in sorted(wanted.items()))
    if not found:
        return Judgement("FAIL false accept", lines)
    if 0 not in wanted and not wanted.keys() <= _lines(chunk.text):
        return Judgement("FAIL other line", f"{_shown(found)}; wanted {lines}")
    return Judgement(f"both reject ({judge_name})")


def our_errors(text: str) -> list[tuple[int, str]]:
    """Returns the lines and words of what is wrong with a text."""
    source = Source(text)
    return [
        (source.line_of(finding.span.start), f"[{finding.code}] {finding.message}")
        for finding in findings_of(source)[1]
        if finding.severity == "error"
    ]


def _lines(text: str) -> set[int]:
    """Returns the lines that stand for what is wrong with a text: those of its findings and of the operations
    that they are about.
    """
    source = Source(text)
    module, findings = findings_of(source)
    return {
        line for said in said_of(source, module, findings) for line in said.lines if said.severity == "error"
    }


def _wanted(oracle: Oracle, chunk: Chunk) -> tuple[dict[int, str], str]:
    """Returns the lines where something is wrong, with what, and who says so."""
    text = generic_checks(chunk.text)
    try:
        verdict = oracle.accepts(text, unregistered=True)
    except OracleCrashed:
        return annotated(chunk.text), "annotations"
    if NEWER.search(text) or any(
        UNKNOWN_OPERATION.search(finding.message) for finding in verdict.diagnostics
    ):
        return annotated(chunk.text), "annotations"
    if verdict.accepted:
        return {}, "oracle"
    return {finding.line: finding.message for finding in verdict.diagnostics} or {0: "?"}, "oracle"


def annotated(text: str) -> dict[int, str]:
    """Returns the lines that annotations in a text say are wrong, with their words."""
    return {
        expected.line or 0: expected.words
        for expected in expectations_of(Source(text))
        if expected.severity == "error"
    }


def _shown(found: list[tuple[int, str]]) -> str:
    return "; ".join(f"{line}: {message}" for line, message in found[:3])
