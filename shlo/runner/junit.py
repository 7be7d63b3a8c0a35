"""Outcomes of tests as JUnit XML, which build servers read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import BinaryIO
from xml.etree import ElementTree

from shlo.runner.test_programs import Outcome

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(file: BinaryIO, outcomes: Sequence[Outcome]) -> None:
    """Writes a test suite of all outcomes."""
    count = {
        verdict: sum(outcome.verdict == verdict for outcome in outcomes) for verdict in ("failed", "error")
    }
    suite = ElementTree.Element(
        "testsuite",
        name="shlo",
        tests=str(len(outcomes)),
        failures=str(count["failed"]),
        errors=str(count["error"]),
        time=f"{sum(outcome.seconds for outcome in outcomes):.3f}",
    )
    for outcome in outcomes:
        path, _, function = outcome.name.rpartition("::")
        case = ElementTree.SubElement(
            suite, "testcase", classname=_text(path), name=_text(function), time=f"{outcome.seconds:.3f}"
        )
        if outcome.verdict != "passed":
            tag = "failure" if outcome.verdict == "failed" else "error"
            detail = ElementTree.SubElement(case, tag, message=_text(outcome.message))
            detail.text = _text(outcome.place or "")
    ElementTree.ElementTree(suite).write(file, "utf-8", xml_declaration=True)


def _text(text: str) -> str:
    return FORBIDDEN.sub("\ufffd", text)
