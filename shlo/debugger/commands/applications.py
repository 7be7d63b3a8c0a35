"""The command that shows how a region made one element."""

from __future__ import annotations

from typing import Final

from shlo.debugger.commands.inspect import read_element
from shlo.debugger.commands.registry import DebuggerCommand
from shlo.debugger.inspect.applications import Application
from shlo.debugger.session import Session
from shlo.debugger.tensors.summaries import summary_of
from shlo.runner.statistics import is_finite
from shlo.text.numbers import plural

MOST_SHOWN: Final = 30
"""How many applications are shown: the first, the last, and the first whose result is not finite."""


def _combine(session: Session, text: str) -> str:
    name, index = read_element(text)
    every = list(session.inspector.applications(name, index, session.selected_frame))
    shown = {
        *range(min(len(every), MOST_SHOWN // 2)),
        *range(max(0, len(every) - MOST_SHOWN // 2), len(every)),
    }
    broken = next(
        (number for number, application in enumerate(every) if not is_finite(application.results)), None
    )
    if broken is not None:
        shown.update(range(max(0, broken - 1), min(len(every), broken + 2)))
    lines = [plural(len(every), "application", "no")]
    last = -1
    for number in sorted(shown):
        if number > last + 1:
            lines.append(f"  ... {number - last - 1} more ...")
        mark = "  first that is not finite" if number == broken else ""
        lines.append(f"  {_line(every[number])}{mark}")
        last = number
    return "\n".join(lines)


def _line(application: Application) -> str:
    arguments, results = (
        ", ".join(summary_of(value) for value in values)
        for values in (application.arguments, application.results)
    )
    return f"[{', '.join(map(str, application.index))}]: ({arguments}) -> {results}"


APPLICATION_COMMANDS: Final = (
    DebuggerCommand(
        ("applications", "combine"),
        "%VALUE[INDEX]",
        "show how the region of a reduce, reduce_window, scatter or map made one element",
        _combine,
        "value",
    ),
)
