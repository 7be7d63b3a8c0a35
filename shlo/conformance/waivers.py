"""Waivers: what an engine may differ in, and why.

A file of waivers is a list in JSON: `[{"op": "add", "type": "i1", "reason": "...", "link": "..."}]`; `op` and
`type` are patterns.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import msgspec
from msgspec import Struct

from shlo.conformance.cases import ConformanceCase
from shlo.runner.errors import RequestError
from shlo.support.files import open_input


class Waiver(Struct, frozen=True, forbid_unknown_fields=True):
    """An operation and a type in which an engine may differ, with the reason and where one can read of
    it."""

    op: str
    reason: str
    type: str = "*"
    link: str = ""


def read_waivers(path: str) -> list[Waiver]:
    """Reads a file of waivers; raises RequestError."""
    try:
        with open_input(path) as file:
            return msgspec.json.decode(file.read(), type=list[Waiver])
    except (OSError, msgspec.DecodeError) as error:
        raise RequestError(f"cannot read waivers from {path}: {error}") from error


def waiver_of(waivers: Sequence[Waiver], case: ConformanceCase) -> Waiver | None:
    """Returns the waiver for a case."""
    short = case.operation.name.partition(".")[2]
    for waiver in waivers:
        if fnmatchcase(short, waiver.op.removeprefix("stablehlo.")) and fnmatchcase(case.type, waiver.type):
            return waiver
    return None
