"""Our verdict on a program beside the oracle's, in processes of their own."""

from __future__ import annotations

import re

from tests.conformance.text import NEWER, UNKNOWN_OPERATION
from tests.conformance.verdicts import our_errors
from tests.oracle import Oracle, OracleCrashed, OracleError

OPERATION = re.compile(r'"((?:stablehlo|chlo)\.[\w.-]+)"')

_oracle: list[Oracle] = []


def start() -> None:
    """Starts the oracle of a process."""
    _oracle.append(Oracle(timeout=60))


def compare(text: str) -> tuple[str, str, str]:
    """Returns the operation, the outcome, and what is known about it."""
    name = next((name for name in OPERATION.findall(text) if name != "stablehlo.constant"), "?")
    try:
        verdict = _oracle[0].accepts(text, unregistered=True)
    except (OracleCrashed, OracleError):
        return name, "oracle crashed", ""
    if NEWER.search(text) or any(
        UNKNOWN_OPERATION.search(finding.message) for finding in verdict.diagnostics
    ):
        return name, "oracle too old", ""
    try:
        found = our_errors(text)
    except Exception as error:
        return name, "raised", f"{type(error).__name__}: {error}"
    if verdict.accepted:
        return name, "false reject" if found else "both accept", str(found[:2])
    return name, "both reject" if found else "false accept", str([d.message for d in verdict.diagnostics[:1]])
