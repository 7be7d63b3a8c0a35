"""Texts with styles: what the status line says, where an operation came from, summaries of values."""

from __future__ import annotations

import re
from typing import Final

from shlo.debugger import Origin, Snapshot, StepView
from shlo.debugger.text.format import REASONS
from shlo.debugger.views.values import label_of
from shlo.places.card import Card
from shlo.places.place import short_line_text
from shlo.text.escape import sanitized
from shlo.text.shortening import fitted

Spans = list[tuple[str, str]]
"""Texts, each with the name of its style."""

ALARMS: Final = {"NaN!": re.compile(r"\bnanj?\b"), "Inf!": re.compile(r"\binfj?\b")}
"""The words of a summary (see shlo.debugger.tensors.summaries) that say what is no number, each with how such
an element is written.
"""


def status_spans(snapshot: Snapshot, text: str, failed: bool, card: Card | None = None) -> Spans:
    """Returns what a command said, or what happened on the last step: its card where that made a NaN."""
    if failed:
        return [(text, "alarm")]
    if snapshot.error:
        _, _, message = snapshot.error.partition(": error: ")  # its place is where the program is
        return [("fails here: ", "alarm"), (message or snapshot.error, "text")]
    news = text.split("\n")[0]
    if news and not news.startswith("["):  # an answer that begins with a position tells no news
        return [(news, "text")]
    if card is not None and snapshot.last_step is not None:
        alarm = (_nonfinite_text(snapshot.last_step), "alarm")
        return [*_reason(snapshot), alarm, (f"  {card.title}", "text"), (f"  {card.code}", "accent")]
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
        words.append((f"  {_nonfinite_text(step)}", "alarm"))
        words += [(f"  {sanitized(detail)}", "alarm") for detail in step.details[:1]]
        words += [(f"  {text}", style) for text, style in origin_parts(step.origin)]
    return words


def _nonfinite_text(step: StepView) -> str:
    names = {"nan": "NaN", "infinity": "Inf", "overflow": "overflow", "finding": "a finding"}
    return f"made {' and '.join(names[finding] for finding in step.finding)}!"


def origin_parts(origin: Origin) -> Spans:
    """Returns where an operation came from: the line of Python, and the scope."""
    words: Spans = []
    if origin.line is not None:
        words.append((short_line_text(origin.line), "accent"))
    if origin.scope or origin.primitive:
        words.append(("/".join(filter(None, (origin.scope, origin.primitive))), "scope"))
    return words


def fit(text: str, width: int, right: bool = False) -> str:
    """Returns a text of single-cell characters in exactly so many cells; `…` where it was cut."""
    text = fitted(text, width)
    return text.rjust(width) if right else text.ljust(width)


def summary_spans(summary: str, style: str, width: int) -> Spans:
    """Returns a value's summary in a style, in at most so many cells; its alarms in theirs, and first, as the
    end may be cut off. Where it is, elements that are no numbers have alarms, too.
    """
    text = sanitized(summary)
    parts = text.split(" ")
    is_cut = len(text) > width
    alarms = [
        alarm for alarm, element in ALARMS.items() if alarm in parts or (is_cut and element.search(text))
    ]
    rest = " ".join(part for part in parts if part not in ALARMS)
    rest_width = width - sum(len(alarm) + 1 for alarm in alarms)
    return [*((f"{alarm} ", "alarm") for alarm in alarms), (fitted(rest, max(rest_width, 1)), style)]
