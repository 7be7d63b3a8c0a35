"""Waivers: what an engine may differ in, and why.

A file of waivers is a list in JSON: `[{"op": "add", "type": "i1", "reason": "...", "link": "..."}]`; `op`,
`type` and `case`, a part of the case's name such as `subnormals`, are patterns. Those of the folder
`shipped` are known by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from shlo.conformance.cases import ConformanceCase
from shlo.runner.errors import RequestError
from shlo.support.files import open_input


class Waiver(Struct, frozen=True, forbid_unknown_fields=True):
    """An operation, a type and a kind of case in which an engine may differ, with the reason and where one
    can read of it."""

    op: str
    reason: str
    type: str = "*"
    case: str = "*"
    link: str = ""

    def covers(self, case: ConformanceCase) -> bool:
        """Returns whether it is for a case."""
        kind = case.name.removeprefix(f"{case.short}-{case.type}-").rpartition("-")[0]
        pairs = ((case.short, self.op.removeprefix("stablehlo.")), (case.type, self.type), (kind, self.case))
        return all(fnmatchcase(text, pattern) for text, pattern in pairs)


SHIPPED: Final = Path(__file__).parent / "shipped"


def shipped_names() -> list[str]:
    """Returns the names of the waivers that come with shlo."""
    return sorted(path.stem for path in SHIPPED.glob("*.json"))


def read_waivers(name: str) -> list[Waiver]:
    """Reads the waivers of a name, or of a file; raises RequestError."""
    path = str(SHIPPED / f"{name}.json") if name in shipped_names() else name
    try:
        with open_input(path) as file:
            return msgspec.json.decode(file.read(), type=list[Waiver])
    except (OSError, msgspec.DecodeError) as error:
        known = ", ".join(shipped_names())
        raise RequestError(f"cannot read waivers from {path}: {error}; known by name: {known}") from error


def waiver_of(waivers: Sequence[Waiver], case: ConformanceCase) -> Waiver | None:
    """Returns the first waiver for a case."""
    return next((waiver for waiver in waivers if waiver.covers(case)), None)
