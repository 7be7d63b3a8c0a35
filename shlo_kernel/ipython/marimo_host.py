"""marimo, which has no widgets of ipywidgets: what is displayed is HTML, and the stepper a saved one."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

from shlo.debugger.launch import Launch
from shlo.debugger.text.format import where_text
from shlo.debugger.views.replay import MOST_STEPS, page_data, replay_ahead
from shlo.pages.replay import replay_html
from shlo.text.html import page_html, text_html

AHEAD_S: Final = 3.0
"""For how many seconds a program runs whose steps are displayed."""
_LARGE, _SMALL = "840px", "520px"
_NOTE: Final = (
    "marimo cannot ask the debugger: these are the first steps. In Jupyter, or on a terminal, there are all."
)
_STYLE: Final = "body { font: 14px system-ui, sans-serif; margin: 0; }"


def marimo_here() -> Any:
    """Returns marimo where a notebook of it runs, else None."""
    marimo = sys.modules.get("marimo")
    return marimo if marimo is not None and marimo.running_in_notebook() else None


def show_bundle(marimo: Any, bundle: Mapping[str, str], height: str = _SMALL) -> None:
    """Displays the HTML of a bundle; a view in a frame, as marimo runs scripts nowhere else."""
    html = bundle["text/html"]
    is_view = "<shlo-" in html
    marimo.output.append(
        marimo.iframe(page_html("shlo", _STYLE, html), height=height) if is_view else marimo.Html(html)
    )


def debug(marimo: Any, launch: Launch) -> None:
    """Displays the first steps of a program, MOST_STEPS at most; of one that cannot run ahead, its place."""
    session = launch.start()
    replay = replay_ahead(session, MOST_STEPS, AHEAD_S)
    note = f"<p><small>{_NOTE}</small></p>"
    if replay is None:
        show_bundle(marimo, {"text/html": f"{note}<pre>{text_html(where_text(session))}</pre>"})
        return
    show_bundle(marimo, {"text/html": note + replay_html(page_data(replay), replay.tensors)}, _LARGE)
