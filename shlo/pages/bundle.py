"""Scripts of the views, built from `web/` (part of the wheel; else `make web`), and their data."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, get_args

View = Literal["tensor_view", "graph_view", "source_view", "timeline_view", "report_view", "replay_view"]
VIEWS: Final[tuple[View, ...]] = get_args(View)

BUILT: Final = (Path(__file__).parent / "assets", Path(__file__).parents[2] / "web" / "dist")
"""Where the scripts may be: in an installed package, in a source tree."""

NOT_BUILT: Final = (
    "a picture without its script, which this install has not: install a wheel; or in the clone, with Node: "
    "make web && pip install --force-reinstall --no-deps ."
)


@cache
def view_script(view: View) -> str | None:
    """Returns the script of a view, safe inside `<script>`; None in a source tree where it is not built."""
    for folder in BUILT:
        path = folder / f"{view}.js"
        if path.is_file():
            return (
                path.read_text(encoding="utf-8").replace("</script", "<\\/script").replace("<!--", "<\\!--")
            )
    return None


def script_html(view: View) -> str:
    """Returns the element that loads a view; where it is not built, a line that says so."""
    script = view_script(view)
    return f"<script>{script}</script>" if script else f"<div><small>{NOT_BUILT}</small></div>"


def packed(data: Any) -> str:
    """Returns data as text for the views' scripts: JSON, deflated, in Base64, which no string of a program
    can break out of.
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return b64encode(zlib.compress(text.encode(), 6)).decode("ascii")
