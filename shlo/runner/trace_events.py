"""Timelines of runs in the trace event format, which Perfetto and Chrome show: a track for each process.

Name scopes are slices around those of their operations; waits are slices of their own. Times are microseconds
from the first operation on.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from shlo.ir.operations import Operation
from shlo.places.origins import Origin
from shlo.runner.files import replace_file
from shlo.text.escape import escaped

if TYPE_CHECKING:
    from shlo.interpreter.runtime.profile import OperationRun

MOST_EVENTS: Final = 1_000_000
"""How many slices are kept; what comes later is left out."""

_MICROSECONDS: Final = 1e6


class _Track(Struct):
    """A process: what messages call it, the scopes that are open with their starts, the end of the last
    slice."""

    label: str
    scopes: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    end: float = 0.0


class TraceEvents:
    """Collects slices, and writes them."""

    def __init__(self) -> None:
        self._tracks: dict[int, _Track] = {}
        self._slices: list[dict[str, Any]] = []
        self.left_out = 0

    def add(self, run: OperationRun, scope: tuple[str, ...], origin: Origin) -> None:
        """Adds an operation that ran, or a wait, in a name scope."""
        if len(self._slices) >= MOST_EVENTS:
            self.left_out += 1
            return
        track = self._tracks.get(run.process)
        if track is None:
            track = self._tracks[run.process] = _Track(run.label or "main")
        same = 0
        while same < min(len(scope), len(track.scopes)) and scope[same] == track.scopes[same][0]:
            same += 1
        self._close(run.process, track, same)
        track.scopes += ((part, run.start) for part in scope[same:])
        name, category = (f"wait: {run.name}", "wait") if run.is_wait else (run.name, "operation")
        arguments = _arguments(run.path[-1], origin)
        self._slice(run.process, name, category, run.start, run.start + run.seconds, arguments)
        track.end = run.start + run.seconds

    def write(self, path: str) -> None:
        """Writes the trace; raises RequestError."""
        for number, track in self._tracks.items():
            self._close(number, track, 0)
        start = min((each["ts"] for each in self._slices), default=0.0)
        events: list[dict[str, Any]] = [_metadata("process_name", 0, {"name": "shlo run"})]
        for number, track in sorted(self._tracks.items()):
            events.append(_metadata("thread_name", number, {"name": escaped(track.label)}))
            events.append(_metadata("thread_sort_index", number, {"sort_index": number}))
        for each in sorted(self._slices, key=lambda each: (each["ts"], -each["dur"])):
            events.append({**each, "ts": round(each["ts"] - start, 3), "dur": round(each["dur"], 3)})
        data = json.dumps({"traceEvents": events, "displayTimeUnit": "ns"}).encode()
        replace_file(path, lambda file: file.write(data))

    def _close(self, number: int, track: _Track, kept: int) -> None:
        """Ends the scopes that are open, but for the outer ones that are kept."""
        while len(track.scopes) > kept:
            part, start = track.scopes.pop()
            self._slice(number, part, "scope", start, track.end, {})

    def _slice(
        self, number: int, name: str, category: str, start: float, end: float, arguments: dict[str, Any]
    ) -> None:
        self._slices.append(
            {
                "ph": "X",
                "name": escaped(name),
                "cat": category,
                "ts": start * _MICROSECONDS,
                "dur": (end - start) * _MICROSECONDS,
                "pid": 0,
                "tid": number,
                "args": arguments,
            }
        )


def _metadata(name: str, number: int, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"ph": "M", "name": name, "pid": 0, "tid": number, "args": arguments}


def _arguments(operation: Operation, origin: Origin) -> dict[str, Any]:
    """Returns what is shown beside a slice."""
    found = {
        "operands": ", ".join(map(str, operation.operand_types)),
        "results": ", ".join(map(str, operation.result_types)),
    }
    if origin.line is not None:
        found["python"] = f"{origin.line.file}:{origin.line.line}"
    return {name: escaped(text) for name, text in found.items()}
