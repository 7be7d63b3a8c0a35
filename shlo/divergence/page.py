"""Where two runs part, as a page that needs no other file."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite, log10
from typing import Final

import numpy as np

from shlo.debugger.tensors.difference import TensorDifference
from shlo.divergence.findings import DivergenceFinding, RunDifference
from shlo.divergence.report import MOST_SHOWN, Door, amount_text, lines_of
from shlo.pages.bundle import script_html
from shlo.pages.tensor import NamedTensor, numpy_type, tensors_html
from shlo.text.html import page_html, text_html
from shlo.text.numbers import exact_number_text, number_text, plural

_STYLE: Final = """\
body { font: 14px system-ui, sans-serif; margin: 2em; max-width: 70em; }
pre, code, td { font: 13px ui-monospace, monospace; }
pre { overflow-x: auto; line-height: 1.5; }
summary { cursor: pointer; font-weight: 600; margin: .8em 0 .2em; }
section { border-top: 1px solid #8886; margin-top: 1em; padding-top: .5em; }
table { border-collapse: collapse; } td, th { padding: .1em .8em .1em 0; text-align: left; }
.bar { background: #4a7fb5; height: .8em; }"""

_BUCKETS: Final = 12
"""Rows of a histogram."""


def page_of(diff: RunDifference, program: str, door: Door | None = None) -> str:
    """Returns a page: what is compared and found in the words of `shlo diff`, and each finding with its worst
    elements, a histogram of how far elements are apart, the difference as a tensor, and what opens the
    debugger there.

    Args:
        diff: where the runs diverge.
        program: what to call the program.
        door: returns the command line that opens the debugger at a position.
    """
    bisected = diff.bisection.finding if diff.bisection is not None else None
    title = f"{program}: {diff.reference} and {diff.engine}"
    parts = [f"<h1>{text_html(title)}</h1>"]
    groups = (
        ("Operations that differ on the reference's own operands", diff.alone),
        ("All errors together", [diff.together] if diff.together is not None else []),
        ("Results of the whole program", diff.results),
        ("The first operation that makes them wrong", [bisected] if bisected is not None else []),
    )
    for heading, findings in groups:
        if findings:
            parts.append(f"<h2>{text_html(heading)}: {len(findings)}</h2>")
            parts += [_section(finding, diff, door) for finding in findings[:MOST_SHOWN]]
    text = "\n".join(lines_of(diff, door))
    is_open = "" if diff else " open"
    parts.append(f"<details{is_open}><summary>As text</summary><pre>{text_html(text)}</pre></details>")
    parts.append(script_html("tensor_view") if diff else "")
    return page_html(title, _STYLE, "\n".join(parts))


def _section(finding: DivergenceFinding, diff: RunDifference, door: Door | None) -> str:
    """Returns a finding."""
    difference = finding.difference
    name = finding.operation or f"result {finding.result}"
    location = f"{finding.place}: " if finding.place else ""
    parts = [f"<section><h3>{text_html(location + name)}</h3>"]
    parts += [f"<div>in {text_html(part)}</div>" for part in finding.path]
    if finding.counterpart:
        parts.append(f"<div>compared with {text_html(finding.counterpart)}</div>")
    process = f"process {finding.process} of {diff.processes}, " if diff.processes > 1 else ""
    result = f"result {finding.result}: " if finding.operation and finding.result else ""
    parts.append(
        f"<p>{process}{result}{text_html(amount_text(finding, diff))}; "
        f"allowed: {number_text(finding.allowed)} ({text_html(finding.reason)})</p>"
    )
    if finding.known:
        parts.append(f"<p>known: {text_html(finding.known)}</p>")
    times = diff.occurrences[finding.operation, finding.place] if finding.how == "alone" else 1
    if times > 1:
        parts.append(f"<p>and {plural(times - 1, 'more time')}</p>")
    if difference is None:
        return "\n".join([*parts, "</section>"])
    rows = "".join(
        f"<tr><td>{list(element.index)}</td><td>{text_html(exact_number_text(element.one))}</td>"
        f"<td>{text_html(exact_number_text(element.other))}</td><td>{_distance(element.distance)}</td></tr>"
        for element in difference.worst
    )
    reference, engine = text_html(diff.reference), text_html(diff.engine)
    parts.append(
        f"<table><tr><th>worst</th><th>{reference}</th><th>{engine}</th><th>apart</th></tr>{rows}</table>"
    )
    parts += _histogram(difference)
    array = np.asarray(difference.signed)
    if array.size and array.ndim:
        label = f"{diff.reference} - {diff.engine}"
        view = tensors_html([NamedTensor(label, numpy_type(array), array)], scripted=False)
        parts.append(f"<details><summary>Difference</summary>{view}</details>")
    if door is not None and finding.position is not None:
        parts.append(f"<pre>{text_html(door(finding.position))}</pre>")
    return "\n".join([*parts, "</section>"])


def _distance(distance: float) -> str:
    return number_text(distance) if isfinite(distance) else ""


def _histogram(difference: TensorDifference) -> Iterator[str]:
    """Yields how many elements are how far apart, by powers of ten."""
    distances = np.abs(np.asarray(difference.signed)).reshape(-1)
    apart = distances[np.isfinite(distances) & (distances > 0)]
    if len(apart) < 2:
        return
    low, high = log10(float(apart.min())), log10(float(apart.max()))
    edges = np.logspace(low, high, _BUCKETS + 1) if high > low else np.array([apart[0], apart[0]])
    counts, edges = np.histogram(apart, edges)
    largest = max(int(counts.max()), 1)
    rows = "".join(
        f"<tr><td>{number_text(float(edges[at]))} to {number_text(float(edges[at + 1]))}</td>"
        f"<td>{count:,}</td>"
        f'<td><div class="bar" style="width:{20 * int(count) / largest:.1f}em"></div></td></tr>'
        for at, count in enumerate(counts)
    )
    yield f"<details><summary>How far apart</summary><table>{rows}</table></details>"
