"""The command that shows values beside those of the same program in float64."""

from __future__ import annotations

from typing import Final

from shlo.debugger.commands.inspect import read_element, read_value_and_index
from shlo.debugger.commands.registry import DebuggerCommand
from shlo.debugger.errors import DebuggerError
from shlo.debugger.session import Session


def shadow_lines(session: Session, text: str) -> str:
    """Returns the shadow of a value or an element, where shadows are shown, in lines to put below it; empty
    for an expression that is neither, and where nothing is lost.
    """
    from shlo.shadow.report import lacking_text

    if not session.shadow.is_shown:
        return ""
    try:
        name, slices = read_value_and_index(text)
        index = None if slices is None else read_element(text)[1]
        value, shadow = session.shadow.pair(name, session.selected_frame)
    except DebuggerError:
        return ""
    lines = lacking_text(value, shadow, index)
    return f"\n{lines}" if lines else ""


def _shadow(session: Session, text: str) -> str:
    from shlo.shadow.report import lines_of, shadow_text

    if text in ("on", "off"):
        session.shadow.show(text == "on")
        return f"shadows are {'shown' if session.shadow.is_shown else 'not shown'}"
    if not text:
        return "\n".join(lines_of(session.shadow.losses, session.structure.python))
    name, slices = read_value_and_index(text)
    index = None if slices is None else read_element(text)[1]
    if index is not None:
        session.inspector.part(name, index, session.selected_frame)  # says what is wrong with the index
    return shadow_text(name, *session.shadow.pair(name, session.selected_frame), index)


SHADOW_COMMANDS: Final = (
    DebuggerCommand(
        ("shadow",),
        "[%NAME[INDEX] | on | off]",
        "show a value beside that of the same program in float64, or which operations have lost digits so"
        " far; on: values say what they lack",
        _shadow,
        "value",
    ),
)
