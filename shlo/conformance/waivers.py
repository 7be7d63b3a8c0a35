"""Waivers: what an engine may differ in, and why.

A file of waivers is a list in JSON: `[{"op": "add", "type": "i1", "reason": "...", "link": "..."}]`; `op`,
`type` and `case`, a part of the case's name such as `subnormals`, are patterns. `aspects` and `elements` ask
for more, so that another fault of the operation is not waived. Those of the folder `shipped` are known by
name.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from shlo.conformance.cases import ConformanceCase
from shlo.conformance.traits import Traits
from shlo.dialects.constraints import short_name
from shlo.runner.errors import RequestError
from shlo.support.files import open_input


class Waiver(Struct, frozen=True, forbid_unknown_fields=True):
    """An operation, a type and a kind of case in which an engine may differ, with the reason and where one
    can read of it.

    Args:
        op: the operation, a pattern as are all others.
        reason: why.
        type: of elements.
        case: the kind of case.
        link: where one can read of it.
        aspects: what must be so about the operation, each: `start_indices: beyond`.
        elements: what operands and right results may be where the engine is wrong: `*, large: *`.
    """

    op: str
    reason: str
    type: str = "*"
    case: str = "*"
    link: str = ""
    aspects: tuple[str, ...] = ()
    elements: tuple[str, ...] = ()

    def covers(self, case: ConformanceCase, traits: Traits) -> bool:
        """Returns whether it is for a case with some traits."""
        kind = case.name.removeprefix(f"{case.short}-{case.type}-").rpartition("-")[0]
        pairs = ((case.short, short_name(self.op)), (case.type, self.type), (kind, self.case))
        if not all(fnmatchcase(text, pattern) for text, pattern in pairs):
            return False
        if self.elements and not traits.elements:
            return False
        return all(_any_matches(traits.aspects, [pattern]) for pattern in self.aspects) and all(
            _any_matches([element], self.elements or "*") for element in traits.elements
        )


def _any_matches(texts: Sequence[str], patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(text, pattern) for text in texts for pattern in patterns)


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


def waiver_of(waivers: Sequence[Waiver], case: ConformanceCase, traits: Traits) -> Waiver | None:
    """Returns the first waiver for a case with some traits."""
    return next((waiver for waiver in waivers if waiver.covers(case, traits)), None)
