"""Judged cases in a file while a run goes on: the same command goes on where it was interrupted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import ValidationError, convert, to_builtins

from shlo.conformance.cases import ConformanceCase
from shlo.conformance.judge import VERDICTS, JudgedCase, Scorecard, right_results, waived
from shlo.conformance.traits import Traits
from shlo.conformance.waivers import Waiver
from shlo.support.files import write_atomically
from shlo.support.json_objects import json_object

NAME: Final = "unfinished.jsonl"
MOST_BYTES: Final = 1 << 28


class KeptCases:
    """A file in the folder of a report: a line that says of which run it is, and one for each judged case.

    Args:
        folder: the folder, made where it is not there.
        run: what the cases and their verdicts depend on.
        restarts: whether what is there is not gone on with.
    """

    def __init__(self, folder: Path, run: Mapping[str, Any], restarts: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / NAME
        self._rows = {} if restarts else dict(_rows(self._path, run))
        lines = "".join(f"{json.dumps(row)}\n" for row in (run, *self._rows.values()))
        write_atomically(str(self._path), lambda file: file.write(lines.encode()))
        self._file = self._path.open("a", encoding="utf-8", newline="\n")

    def take(
        self, cases: Iterable[ConformanceCase], scorecard: Scorecard, waivers: Sequence[Waiver]
    ) -> list[ConformanceCase]:
        """Adds the cases to a scorecard that are judged already, and returns the others."""
        left: list[ConformanceCase] = []
        for case in cases:
            row = self._rows.get(case.name)
            if row is None:
                left.append(case)
            else:
                verdict, detail, judge = row["verdict"], str(row["detail"]), str(row["judge"])
                expected = () if verdict == "pass" else right_results(case)[1]  # which the page does not show
                traits = _traits(row)
                seconds = row.get("seconds", 0.0)
                judged = JudgedCase(case, verdict, detail, judge, expected, seconds=seconds, traits=traits)
                scorecard.judged.append(waived(judged, waivers))
        return left

    def keep(self, judged: JudgedCase) -> None:
        """Keeps a case."""
        case, verdict = judged.case.name, judged.verdict
        row: dict[str, Any] = {"name": case, "verdict": verdict, "detail": judged.detail}
        row |= {"judge": judged.judge, "seconds": judged.seconds, "traits": to_builtins(judged.traits)}
        self._file.write(json.dumps(row) + "\n")
        self._file.flush()

    def close(self, is_finished: bool) -> None:
        """Ends keeping; the file of a run that is finished is removed."""
        self._file.close()
        if is_finished:
            self._path.unlink(missing_ok=True)


def _traits(row: Mapping[str, Any]) -> Traits:
    try:
        return convert(row.get("traits", {}), Traits)
    except ValidationError:
        return Traits()


def _rows(path: Path, run: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the rows of a file by the names of the cases; none where it is of another run. A line that was
    being written when the run ended is left out."""
    if not path.exists() or path.stat().st_size > MOST_BYTES:
        return
    first, *lines = [json_object(line) for line in path.read_text("utf-8", "replace").splitlines()] or [None]
    for row in lines if first == run else ():
        if row is not None and row.get("verdict") in VERDICTS and {"detail", "judge"} <= row.keys():
            yield str(row.get("name")), row
