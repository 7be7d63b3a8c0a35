"""Verdicts and texts of programs beside jaxlib's.

A program is judged where it is in scope, a StableHLO program with nothing but the dialects beside StableHLO
that shlo has definitions of, and where jaxlib knows all of its operations. Elsewhere nothing but our own
conduct is judged: every program must be read, verified and printed without an exception, within a time limit.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from shlo.ir.source import Source
from shlo.runner.validity import findings_of
from tests.conformance import text, verdicts
from tests.conformance.suite import Chunk
from tests.conformance.text import Judgement
from tests.corpora.time_limit import TimeLimitReached, time_limit
from tests.oracle import Oracle, OracleCrashed, Verdict

SECONDS = 60

DIALECTS = {
    "stablehlo",
    "chlo",
    "sdy",
    "vhlo",
    "check",
    "func",
    "builtin",
    "quant",
    "shape",
    "arith",
    "tensor",
}
"""The dialects whose operations a program in scope may have."""

CORE = {"stablehlo", "chlo", "sdy", "vhlo", "check"}
"""The dialects that make a program with operations of `shape`, `arith` and `tensor` one in scope."""

OPERATION = re.compile(
    r'(?:^|=)[ \t]*(?:"([A-Za-z_]\w*)\.[\w.$-]+"[ \t]*\(|([A-Za-z_]\w*)\.[\w.$-]+)', re.MULTILINE
)
"""An operation where a line or a right-hand side begins, with its dialect."""

UNKNOWN = re.compile(
    r"custom op '[^']+' is unknown|Dialect `[^']+' not found|unregistered operation '"
    r"|unknown (?:stablehlo|builtin|sdy|chlo|mhlo) (?:type|attribute)|created with unregistered dialect"
    r"|operation being parsed with an unregistered dialect|unsupported memory space Attribute"
)
"""What jaxlib says of operations and dialects that it does not know."""

Judge = Callable[[Oracle, Chunk], Judgement]
PARTS: dict[str, Judge] = {"texts": text.judge, "verdicts": verdicts.judge}


def judge(oracle: Oracle, chunk: Chunk) -> dict[str, Judgement]:
    """Returns a judgement for each of PARTS."""
    verdict = (
        _verdict(oracle, chunk.text) if is_in_scope(chunk.text) else Judgement("not judged: out of scope")
    )
    if isinstance(verdict, Judgement):
        conduct = _conduct(chunk, verdict)
        return dict.fromkeys(PARTS, conduct)
    return {part: _limited(PARTS[part], oracle, chunk) for part in PARTS}


def is_in_scope(program: str) -> bool:
    """Returns whether a program has operations of DIALECTS only, and is one of CORE if it is of any but
    `func`.
    """
    dialects = {quoted or bare for quoted, bare in OPERATION.findall(program)}
    return dialects <= DIALECTS and (bool(dialects & CORE) or dialects <= {"func", "builtin"})


def _verdict(oracle: Oracle, program: str) -> Verdict | Judgement:
    """Returns the verdict of jaxlib, or why there is none that counts."""
    try:
        verdict = oracle.accepts(program, unregistered=True)
    except OracleCrashed:
        return Judgement("not judged: jaxlib crashes")
    if any(UNKNOWN.search(finding.message) for finding in verdict.diagnostics):
        return Judgement("not judged: jaxlib does not know it")
    return verdict


def _conduct(chunk: Chunk, otherwise: Judgement) -> Judgement:
    try:
        with time_limit(SECONDS):
            findings_of(Source(chunk.text))[0].to_text()
    except TimeLimitReached as error:
        return Judgement("FAIL hang", str(error))
    except Exception as error:
        return Judgement("FAIL raised", f"{type(error).__name__}: {error}")
    return otherwise


def _limited(judge_part: Judge, oracle: Oracle, chunk: Chunk) -> Judgement:
    try:
        with time_limit(SECONDS):
            return judge_part(oracle, chunk)
    except TimeLimitReached as error:
        oracle.close()  # an answer may be on its way
        return Judgement("FAIL hang", str(error))
