"""Texts with styles: what the status line says, where an operation came from, summaries of values."""

from __future__ import annotations

import os
from typing import Final

from shlo.debugger import Origin, Snapshot
from shlo.debugger.text.format import REASONS
from shlo.text.escape import sanitized
from shlo_tui.session.view_model import label_of

Spans = list[tuple[str, str]]
"""Texts, each with the name of its style."""

ALARMS: Final = ("NaN!", "Inf!")
"""The words of a summary (see shlo.debugger.tensors.summaries) that say what is no number."""


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
    """Returns where an operation came from: the line of Python, and the scope."""
    words: Spans = []
    if origin.line is not None:
        place = f"{os.path.basename(origin.line.file)}:{origin.line.line}"
        words.append((f"{place} {origin.line.function}".rstrip(), "accent"))
    if origin.scope or origin.primitive:
        words.append(("/".join(filter(None, (origin.scope, origin.primitive))), "scope"))
    return words


def fit(text: str, width: int, right: bool = False) -> str:
    """Returns a text of single-cell characters in exactly so many cells; `…` where it was cut."""
    if len(text) > width:
        return text[: max(width - 1, 0)] + "…" if width > 0 else ""
    return text.rjust(width) if right else text.ljust(width)


def summary_spans(summary: str, style: str, width: int) -> Spans:
    """Returns a value's summary in a style, in at most so many cells; its alarms in theirs, and first, as the
    end may be cut off.
    """
    parts = sanitized(summary).split(" ")
    alarms = [part for part in ALARMS if part in parts]
    rest = " ".join(part for part in parts if part not in ALARMS)
    rest_width = width - sum(len(alarm) + 1 for alarm in alarms)
    if len(rest) > rest_width:
        rest = rest[: max(rest_width - 1, 0)] + "…"
    return [*((f"{alarm} ", "alarm") for alarm in alarms), (rest, style)]
