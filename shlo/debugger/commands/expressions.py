"""Commands that take an expression: show it, once or at every stop, and stop where it changes."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from shlo.debugger.commands.breakpoints import place_breakpoint, split_condition, with_message
from shlo.debugger.commands.registry import DebuggerCommand
from shlo.debugger.commands.shadow import shadow_lines
from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.errors import DebuggerError
from shlo.debugger.expressions.watches import Evaluation
from shlo.debugger.session import Session
from shlo.debugger.text.format import breakpoint_text, histogram_text, statistics_text, watch_text
from shlo.debugger.text.format_expressions import evaluation_text, plot_text
from shlo.runner.statistics import histogram_of, statistics_of

_LOG = re.compile(r'(?P<place>.+?)\s+"(?P<message>.*)"', re.DOTALL)


def _evaluate(session: Session, text: str) -> Evaluation:
    return session.watches.evaluate(text, session.selected_frame)


def _tensor(session: Session, text: str) -> object:
    value = _evaluate(session, text).value
    return np.asarray(value) if isinstance(value, (int, float)) else value


def _display(session: Session, text: str) -> str:
    if text:
        session.watches.add(text)
    frame = session.selected_frame
    lines = (f"{watch.number}: {watch_text(session, watch, frame)}" for watch in session.watches)
    return "\n".join(lines) or "nothing is displayed"


def _undisplay(session: Session, text: str) -> str:
    return f"{session.watches.remove(text).expression} is displayed no more"


def _watch(session: Session, text: str) -> str:
    return f"breakpoint {breakpoint_text(with_message(session, text, _break_on_change))}"


def _break_on_change(session: Session, text: str) -> Breakpoint:
    expression, process, condition = split_condition(session, text)
    return session.breakpoints.on_change(expression, condition, process)


def _log(session: Session, text: str) -> str:
    match = _LOG.fullmatch(text)
    if match is None:
        raise DebuggerError('write log PLACE "text {EXPRESSION}", with PLACE as for break')
    point = place_breakpoint(session, f'{match["place"]} log "{match["message"]}"')
    return f"breakpoint {breakpoint_text(point)}"


EXPRESSION_COMMANDS: Final = (
    DebuggerCommand(
        ("print", "p"),
        "EXPRESSION",
        "show a value, a part or what is computed: print %x[0, :, 3], print abs(%x).max()",
        lambda session, text: evaluation_text(_evaluate(session, text)) + shadow_lines(session, text),
        "expression",
    ),
    DebuggerCommand(
        ("stats",),
        "EXPRESSION",
        "a tensor in a few numbers",
        lambda session, text: statistics_text(statistics_of(_tensor(session, text))),
        "expression",
    ),
    DebuggerCommand(
        ("hist",),
        "EXPRESSION",
        "how the elements of a tensor are spread",
        lambda session, text: histogram_text(histogram_of(_tensor(session, text))),
        "expression",
    ),
    DebuggerCommand(
        ("plot",),
        "EXPRESSION",
        "show a vector as a line of bars",
        lambda session, text: plot_text(_evaluate(session, text).value),
        "expression",
    ),
    DebuggerCommand(
        ("display",),
        "[EXPRESSION]",
        "show an expression wherever the session stops",
        _display,
        "expression",
    ),
    DebuggerCommand(("undisplay",), "EXPRESSION | N", "show it no more", _undisplay, "expression"),
    DebuggerCommand(
        ("watch",),
        'EXPRESSION [process N] [if CONDITION] [log "TEXT"]',
        "stop where the value of an expression changes, or a condition becomes true: watch %i if > 10",
        _watch,
        "expression",
    ),
    DebuggerCommand(
        ("log",),
        'PLACE "text {EXPRESSION}"',
        "say something at a place, as for break, without stopping there",
        _log,
        "point",
    ),
)
