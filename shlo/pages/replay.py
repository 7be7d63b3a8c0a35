"""A saved stepper as HTML: a bounded part of a session that is stepped through in the browser, offline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from shlo.ir.dtypes import Array
from shlo.pages.bundle import packed, script_html
from shlo.pages.tensor import NamedTensor, embedded_tensor
from shlo.text.html import page_html, text_html

_STYLE: Final = """\
body { font: 14px system-ui, sans-serif; margin: 1em auto; padding: 0 1em; max-width: 90em; }
h1 { font-size: 18px; }"""


def replay_html(replay: Mapping[str, Any], tensors: Sequence[tuple[str, str, Array]], still: str = "") -> str:
    """Returns a saved stepper as HTML that needs no other file; without scripts, where the session is.

    Args:
        replay: what the page steps through (`Replay` of web/src/replay_model.ts, without `tensors`).
        tensors: names, types and elements of values, by the numbers that steps have for them.
        still: HTML for readers without scripts; by default where the session is, in words.
    """
    embedded = [embedded_tensor(NamedTensor(*tensor)) for tensor in tensors]
    data = packed({**replay, "tensors": embedded})
    still = still or f"<pre>{text_html(replay['text'])}</pre>"
    element = f'<div>{still}</div><script type="application/json">{data}</script>'
    return f"<shlo-replay-view>{element}</shlo-replay-view>{script_html('replay_view')}"


def replay_page(replay: Mapping[str, Any], tensors: Sequence[tuple[str, str, Array]], title: str) -> str:
    """Returns a page with a saved stepper; the arguments are those of `replay_html`, and what to call it."""
    return page_html(title, _STYLE, f"<h1>{text_html(title)}</h1>{replay_html(replay, tensors)}")
