"""Parsing and printing against the oracle: what it parses we parse, and what we print it reads as the same
module."""

from __future__ import annotations

from shlo.syntax import parse
from tests.conformance.suite import Chunk
from tests.fuzz_parser import is_syntax_error
from tests.oracle import Oracle, OracleCrashed, OracleError


def judge(oracle: Oracle, chunk: Chunk) -> tuple[str, str]:
    """A verdict in a word or two, and the reason where it is a failure (its word then starts with `FAIL`)."""
    try:
        verdict = oracle.accepts(chunk.text, unregistered=True)
    except OracleCrashed:
        return "oracle crashed", ""
    try:
        module, diagnostics = parse(chunk.text, chunk.path)
    except Exception as error:
        return "FAIL raised", f"{type(error).__name__}: {error}"
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]
    if not verdict.accepted:
        if is_syntax_error(verdict) and not errors:
            return "FAIL accepted", verdict.diagnostics[0].message if verdict.diagnostics else "?"
        return "refused" if errors else "left to the verifier", ""
    if errors:
        assert module.source
        place = module.source.position(errors[0].span.start)
        return "FAIL refused", f"{chunk.first_line + place.line - 1}:{place.column}: {errors[0].message}"
    for generic in (False, True):
        problem = _reads_back(oracle, chunk.text, generic, module)
        if problem:
            return f"FAIL {'generic' if generic else 'pretty'} print", problem
    return "same", ""


def _reads_back(oracle: Oracle, text: str, generic: bool, module: object) -> str:
    try:
        printed = module.to_text(generic=generic)  # type: ignore[attr-defined]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    try:
        if oracle.same_module(text, printed, unregistered=True):
            return ""
        return _first_difference(
            oracle.generic(text, unregistered=True), oracle.generic(printed, unregistered=True)
        )
    except OracleError as error:
        return f"the oracle refuses what is printed: {str(error)[:300]}"


def _first_difference(expected: str, actual: str) -> str:
    for left, right in zip(expected.splitlines(), actual.splitlines()):
        if left != right:
            return f"expected {left.strip()[:150]!r}, printed {right.strip()[:150]!r}"
    return "one text is longer"
