"""JUnit XML, which systems for continuous integration read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import BinaryIO, Final, Literal

from msgspec import Struct

_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class JunitCase(Struct, frozen=True):
    """A case of a suite.

    Args:
        group: what it belongs to: a file, an operation.
        name: its name.
        kind: what it is where it is not passed.
        message: why it is not.
        detail: further text, such as a place.
        seconds: how long it took.
    """

    group: str
    name: str
    kind: Literal["", "failure", "error", "skipped"] = ""
    message: str = ""
    detail: str = ""
    seconds: float = 0.0


def write_junit_suite(file: BinaryIO, name: str, cases: Sequence[JunitCase]) -> None:
    """Writes a suite; characters that XML cannot have are replaced."""
    from xml.etree import ElementTree

    kinds = Counter(case.kind for case in cases)
    suite = ElementTree.Element(
        "testsuite",
        name=name,
        tests=str(len(cases)),
        failures=str(kinds["failure"]),
        errors=str(kinds["error"]),
        skipped=str(kinds["skipped"]),
        time=f"{sum(case.seconds for case in cases):.3f}",
    )
    for case in cases:
        time = f"{case.seconds:.3f}"
        names = {"classname": _text(case.group), "name": _text(case.name), "time": time}
        element = ElementTree.SubElement(suite, "testcase", names)
        if case.kind:
            told = ElementTree.SubElement(element, case.kind, message=_text(case.message))
            told.text = _text(case.detail)
    ElementTree.ElementTree(suite).write(file, "utf-8", xml_declaration=True)


def _text(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
