"""What the status line says when the session has arrived somewhere."""

from __future__ import annotations

import os

from shlo.debugger import Origin, Snapshot
from shlo.debugger.text.format import REASONS
from shlo_tui.session.view_model import label_of

Spans = list[tuple[str, str]]
"""Texts, each with the name of its style."""


def status_spans(snapshot: Snapshot, text: str, failed: bool) -> Spans:
    """Returns what a command said, or what happened on the last step."""
    if failed:
        return [(text, "alarm")]
    if snapshot.error:
        return [("fails here: ", "alarm"), (snapshot.error, "text")]
    news = text.split("\n")[0]
    if news and not news.startswith("["):  # an answer that begins with a position tells no news
        return [(news, "text")]
    return [*_reason(snapshot), *_step(snapshot)]


def _reason(snapshot: Snapshot) -> Spans:
    numbers = ", ".join(map(str, snapshot.breakpoints))
    if numbers:
        return [(f"breakpoint {numbers}  ", "breakpoint")]
    words = "" if snapshot.reason == "breakpoint" else REASONS[snapshot.reason]
    return [(f"{words}  ", "accent")] if words else []


def _step(snapshot: Snapshot) -> Spans:
    step = snapshot.last_step
    if step is None:
        return []
    bound = ", ".join(map(label_of, step.bound[:4])) + (", ..." if len(step.bound) > 4 else "")
    words: Spans = [(f"{step.op}", "operation"), (f" gave {bound}" if bound else "", "text")]
    if step.finding:
        names = {"nan": "NaN", "infinity": "Inf"}
        words.append((f"  made {' and '.join(names[each] for each in step.finding)}!", "alarm"))
        words += [(f"  {text}", style) for text, style in origin_parts(step.origin)]
    return words


def origin_parts(origin: Origin) -> Spans:
    """Returns where an operation came from: the scope and the line of Python."""
    words: Spans = []
    if origin.scope or origin.primitive:
        words.append(("/".join(filter(None, (origin.scope, origin.primitive))), "scope"))
    if origin.line is not None:
        place = f"{os.path.basename(origin.line.file)}:{origin.line.line}"
        words.append((f"{place} {origin.line.function}".rstrip(), "accent"))
    return words


def fit(text: str, width: int, right: bool = False) -> str:
    """Returns a text of single-cell characters in exactly so many cells; `…` where it was cut."""
    if len(text) > width:
        return text[: max(width - 1, 0)] + "…" if width > 0 else ""
    return text.rjust(width) if right else text.ljust(width)
