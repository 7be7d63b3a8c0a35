"""marimo, which has no widgets of ipywidgets: what is displayed is HTML, and the stepper a saved one."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

from markupsafe import Markup

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
_FRAME: Final = Markup(
    "<style>iframe + .shlo-still {{ display: none; }}</style>"
    '<iframe title="shlo" style="border:0;width:100%;height:{}" srcdoc="{}"></iframe>'
    '<div class="shlo-still"><pre>{}</pre>'
    "<small>As it was when the notebook was saved; run the cell for the view.</small></div>"
)
"""The page in the output itself, as marimo saves no other; and a text, as marimo shows no frames of a
notebook that is opened again before a cell runs."""
_STYLE: Final = "body { font: 14px system-ui, sans-serif; margin: 0; }"


def marimo_here() -> Any:
    """Returns marimo where a notebook of it runs, else None."""
    marimo = sys.modules.get("marimo")
    return marimo if marimo is not None and marimo.running_in_notebook() else None


def show_bundle(marimo: Any, bundle: Mapping[str, str], height: str = _SMALL) -> None:
    """Displays the HTML of a bundle; a view in a frame, as marimo runs scripts nowhere else."""
    html = bundle["text/html"]
    if "<shlo-" in html:
        html = _FRAME.format(height, page_html("shlo", _STYLE, html), bundle["text/plain"])
    marimo.output.append(marimo.Html(html))


def debug(marimo: Any, launch: Launch) -> None:
    """Displays the first steps of a program, MOST_STEPS at most; of one that cannot run ahead, its place."""
    session = launch.start()
    place = where_text(session)
    replay = replay_ahead(session, MOST_STEPS, AHEAD_S)
    still = f"<pre>{text_html(place)}</pre>"
    html = replay_html(page_data(replay), replay.tensors) if replay else still
    bundle = {"text/plain": place, "text/html": f"<p><small>{_NOTE}</small></p>{html}"}
    show_bundle(marimo, bundle, _LARGE)
