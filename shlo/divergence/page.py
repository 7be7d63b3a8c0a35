"""Where two runs part, as a page that needs no other file."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite, log10
from typing import Final

import numpy as np

from shlo.debugger.tensors.difference import TensorDifference
from shlo.divergence.findings import Finding, RunDifference
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


def page_of(found: RunDifference, program: str, door: Door | None = None) -> str:
    """Returns a page: what is compared and found in the words of `shlo diff`, and each finding with its worst
    elements, a histogram of how far elements are apart, the difference as a tensor, and what opens the
    debugger there.

    Args:
        found: where the runs part.
        program: what to call the program.
        door: returns the command line that opens the debugger at a position.
    """
    title = f"{program}: {found.reference} and {found.engine}"
    parts = [f"<h1>{text_html(title)}</h1>"]
    groups = (
        ("Operations that differ on the reference's own operands", found.alone),
        ("All errors together", [found.together] if found.together is not None else []),
        ("Results of the whole program", found.results),
    )
    for heading, findings in groups:
        if findings:
            parts.append(f"<h2>{text_html(heading)}: {len(findings)}</h2>")
            parts += [_section(finding, found, door) for finding in findings[:MOST_SHOWN]]
    text = "\n".join(lines_of(found, door))
    is_open = "" if found else " open"
    parts.append(f"<details{is_open}><summary>As text</summary><pre>{text_html(text)}</pre></details>")
    parts.append(script_html("tensor_view") if found else "")
    return page_html(title, _STYLE, "\n".join(parts))


def _section(finding: Finding, found: RunDifference, door: Door | None) -> str:
    """Returns a finding."""
    difference = finding.difference
    name = finding.operation or f"result {finding.result}"
    place = f"{finding.place}: " if finding.place else ""
    parts = [f"<section><h3>{text_html(place + name)}</h3>"]
    parts += [f"<div>in {text_html(part)}</div>" for part in finding.path]
    if finding.counterpart:
        parts.append(f"<div>compared with {text_html(finding.counterpart)}</div>")
    process = f"process {finding.process} of {found.processes}, " if found.processes > 1 else ""
    result = f"result {finding.result}: " if finding.operation and finding.result else ""
    parts.append(
        f"<p>{process}{result}{text_html(amount_text(finding, found))}; "
        f"allowed: {number_text(finding.allowed)} ({text_html(finding.reason)})</p>"
    )
    if finding.known:
        parts.append(f"<p>known: {text_html(finding.known)}</p>")
    times = found.occurrences[finding.operation, finding.place] if finding.how == "alone" else 1
    if times > 1:
        parts.append(f"<p>and {plural(times - 1, 'more time')}</p>")
    if difference is None:
        return "\n".join([*parts, "</section>"])
    rows = "".join(
        f"<tr><td>{list(each.index)}</td><td>{text_html(exact_number_text(each.one))}</td>"
        f"<td>{text_html(exact_number_text(each.other))}</td><td>{_distance(each.distance)}</td></tr>"
        for each in difference.worst
    )
    reference, engine = text_html(found.reference), text_html(found.engine)
    parts.append(
        f"<table><tr><th>worst</th><th>{reference}</th><th>{engine}</th><th>apart</th></tr>{rows}</table>"
    )
    parts += _histogram(difference)
    array = np.asarray(difference.signed)
    if array.size and array.ndim:
        label = f"{found.reference} - {found.engine}"
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
