"""Parsing and printing against the oracle: what it parses we parse, and what we print it reads as the same
module.

Where the oracle does not know an operation (the check dialect, what came after its version of StableHLO) or
crashes, our own round trip judges: a printed text must be read again, and then print as it was.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from shlo.ir.operations import Module
from shlo.syntax import parse
from tests.conformance.checks import generic_checks, without_defaults
from tests.conformance.suite import Chunk
from tests.fuzz_parser import is_syntax_error
from tests.oracle import Oracle, OracleCrashed, OracleError, Verdict

NEWER = re.compile(
    r"result_tilings|has_dynamic_root|stablehlo\.collective_reduce"
    r"|unreduced=(?:sum|max|min)\b|sdy\.(?:all_reduce|reduce_scatter) (?:sum|max|min)\b"
    r"|sdy\.func_data_flow_edge .*propagation_edges|op_sharding_rule<.*=[0-9]{10}"
)
"""What the oracle's versions of StableHLO and Shardy do not know, and in part pass over without a word."""

NOT_SYNTAX = re.compile(
    r"result (?:element-type|dimension |gather |is |should |at index |quantization)|duplicate (?:sources|targets|expansion)"
    r"|number of output elements|expected (?:group_sizes|both lhs/rhs|output dimension)"
    r"|custom op 'sdy\.mesh' (?:axis size|duplicate axis|device id|axes is|total product|sorted device)"
    r"|expected the type of the|number of block arguments must match|propagation edges have"
)
"""Messages of the oracle's verifier that read like its parser's."""

UNKNOWN_OPERATION = re.compile(
    r"custom op '(?:check|ml_program|stablehlo\.collective_reduce)|Dialect `check' not found"
    r"|unregistered operation 'stablehlo\.|'stablehlo\.collective_broadcast' op requires"
)
"""What the oracle says where its version of a dialect does not know an operation or a form of it."""


RESOURCE = re.compile(r"\bdense_resource<(\w+?)(?:_\d+)?>|^( +)(\w+?)(?:_\d+)?: \"0x", re.MULTILINE)
"""The name of a resource, and its number: the oracle numbers those of all programs that it has read."""


class Judgement(NamedTuple):
    """A verdict in a few words, and the reason where it is a failure (the words then start with `FAIL`)."""

    verdict: str
    reason: str = ""


def judge(oracle: Oracle, chunk: Chunk) -> Judgement:
    """Returns what comes of parsing a chunk and printing it again."""
    text = generic_checks(chunk.text)
    try:
        module, diagnostics = parse(chunk.text, chunk.path)
    except Exception as error:
        return Judgement("FAIL raised", f"{type(error).__name__}: {error}")
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]
    verdict = _verdict(oracle, text)
    if verdict is None or _is_unknown(verdict) or NEWER.search(text):
        return _place(chunk, module) if errors else _alone(module, "own round trip")
    if not verdict.accepted:
        if errors:
            return Judgement("refused by both")
        if is_syntax_error(verdict) and not NOT_SYNTAX.match(verdict.diagnostics[0].message):
            return Judgement("FAIL accepted", verdict.diagnostics[0].message)
        return _alone(module, "left to the verifier", (True,))
    return _place(chunk, module) if errors else _compare(oracle, text, module)


def _verdict(oracle: Oracle, text: str) -> Verdict | None:
    try:
        return oracle.accepts(text, unregistered=True)
    except OracleCrashed:
        return None


def _is_unknown(verdict: Verdict) -> bool:
    return any(UNKNOWN_OPERATION.search(finding.message) for finding in verdict.diagnostics)


def _place(chunk: Chunk, module: Module) -> Judgement:
    first = next(diagnostic for diagnostic in module.diagnostics if diagnostic.severity == "error")
    assert module.source
    place = module.source.position(first.span.start)
    return Judgement("FAIL refused", f"{chunk.first_line + place.line - 1}:{place.column}: {first.message}")


def _compare(oracle: Oracle, text: str, module: Module) -> Judgement:
    """Returns the pretty and the generic text beside the oracle's."""
    is_same_text = True
    for generic in (False, True):
        try:
            printed = generic_checks(module.to_text(generic=generic))
            expected = oracle.pretty(text, unregistered=True, print_generic_op_form=generic)
            if RESOURCE.sub(r"\1\2\3", printed) == RESOURCE.sub(r"\1\2\3", expected):
                continue
            is_same_text = False
            wanted = without_defaults(oracle.generic(text, unregistered=True))
            actual = without_defaults(oracle.generic(printed, unregistered=True))
        except OracleError as error:
            return Judgement(f"FAIL {_form(generic)} print", f"the oracle refuses it: {str(error)[:300]}")
        except Exception as error:
            return Judgement(f"FAIL {_form(generic)} print", f"{type(error).__name__}: {error}")
        if wanted != actual:
            return Judgement(f"FAIL {_form(generic)} print", first_difference(wanted, actual))
    return Judgement("same text" if is_same_text else "same module")


def _alone(module: Module, verdict: str, forms: tuple[bool, ...] = (False, True)) -> Judgement:
    """Our own round trip, through both forms, or only the generic one for what has no meaning."""
    try:
        for form in forms:
            printed = module.to_text(generic=form)
            again, diagnostics = parse(printed)
            errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]
            if errors:
                return Judgement(f"FAIL {_form(form)} read again", f"{errors[0].message} in {printed[:300]}")
            if again.to_text(generic=form) != printed:
                return Judgement(
                    f"FAIL {_form(form)} read again",
                    first_difference(printed, again.to_text(generic=form)),
                )
    except Exception as error:
        return Judgement("FAIL raised", f"{type(error).__name__}: {error}")
    return Judgement(verdict)


def _form(generic: bool) -> str:
    return "generic" if generic else "pretty"


def first_difference(expected: str, actual: str) -> str:
    """Returns the first lines in which two texts differ."""
    for left, right in zip(expected.splitlines(), actual.splitlines()):
        if left != right:
            return f"expected {left.strip()[:200]!r}, printed {right.strip()[:200]!r}"
    return "one text is longer"
