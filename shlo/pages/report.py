"""What every rich answer is drawn with: badges, bars, tables that sort by a column, one style.

All of it is read without a script, too; that of `web/src/report_index.ts` sorts tables and searches trees.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from zlib import crc32

from msgspec import Struct

from shlo.pages.bundle import view_script
from shlo.text.html import text_html

STYLE: Final = """\
.shlo-report{font:13px/1.5 system-ui,sans-serif;color:var(--jp-content-font-color1,inherit);overflow-x:auto}
.shlo-report code,.shlo-report td,.shlo-report pre{\
font:12px/1.5 var(--jp-code-font-family,ui-monospace,monospace)}
.shlo-report table{border-collapse:collapse;margin:6px 0;width:max-content}
.shlo-report th,.shlo-report td{padding:1px 12px 1px 0;text-align:left;white-space:nowrap;\
vertical-align:top;border:0;background:none}
.shlo-report th{font-weight:600;border-bottom:1px solid #8888}
.shlo-report th[aria-sort]{cursor:pointer}
.shlo-report th[aria-sort=ascending]::after{content:" \\25B2"}
.shlo-report th[aria-sort=descending]::after{content:" \\25BC"}
.shlo-report .n{text-align:right;font-variant-numeric:tabular-nums}
.shlo-report .track{float:left;width:60px;height:9px;margin:4px 6px 0 0;background:#8883}
.shlo-report .bar{display:block;height:9px;min-width:1px;background:#4a7fb5}
.shlo-report a{color:inherit}
.shlo-report [id]:target,.shlo-report [id]:focus{background:#ffd54f66}
.shlo-card pre{margin:2px 0;white-space:pre-wrap}
.shlo-dim{opacity:.75}
.shlo-badge{display:inline-block;font:600 11px/16px system-ui,sans-serif;border-radius:8px;padding:0 7px;\
margin-right:6px;color:#000;background:#ccc}
.shlo-badge.bad{color:#fff;background:#b4009e}
.shlo-badge.warn{background:#e69f00}
.shlo-badge.good{background:#5fc9a3}"""

_KINDS: Final = {
    "NaN": "bad",
    "error": "bad",
    "Inf": "warn",
    "saturated": "warn",
    "warning": "warn",
    "differs": "bad",
    "same": "good",
}
"""How badges are coloured; others are grey. Colours never tell what the words do not."""


class Cell(Struct, frozen=True):
    """A cell of a table.

    Args:
        text: what it says.
        number: what its column is sorted by, None for its text.
        share: from 0 to 1, how long the bar in it is; None for none.
        html: markup in place of the text, from this package alone.
        link: the anchor of the part of the same report that tells more; empty for none.
    """

    text: str
    number: float | None = None
    share: float | None = None
    html: str = ""
    link: str = ""


def report_html(*parts: str) -> str:
    """Returns parts of HTML as one report, with its style and, where it is built, its script."""
    script = view_script("report_view")
    tail = f"<script>{script}</script>" if script else ""
    return f'<div class="shlo-report"><style>{STYLE}</style>{"".join(parts)}</div>{tail}'


def badge_html(name: str, words: str = "", kind: str = "") -> str:
    """Returns a badge; `words` say more under the pointer; `kind` is the name whose colour it has."""
    title = f' title="{text_html(words)}"' if words else ""
    color = _KINDS.get(kind or name, "")
    return f'<span class="shlo-badge {color}"{title}>{text_html(name)}</span>'


def heading_html(text: str, *badges: str) -> str:
    """Returns the first line of a report, with badges before it."""
    return f"<div>{''.join(badges)}<b>{text_html(text)}</b></div>"


def table_html(columns: Sequence[str], rows: Iterable[Sequence[Cell | str]]) -> str:
    """Returns a table; a click on the name of a column sorts by it, where scripts run."""
    shown = list(rows)
    first = shown[0] if shown else columns
    head = "".join(map(_head_html, columns, first))
    body = "".join(f"<tr>{''.join(map(_cell_html, row))}</tr>" for row in shown)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def folded_html(title: str, body: str, is_open: bool = False) -> str:
    """Returns a part of a report below its title, which opens and closes it."""
    return f"<details{' open' if is_open else ''}><summary>{text_html(title)}</summary>{body}</details>"


def anchor_of(report: str) -> str:
    """Returns what the anchors of a report begin with, by its text: a notebook holds many reports."""
    return f"shlo-{crc32(report.encode('utf-8', 'replace')):08x}"


def anchored_html(tag: str, anchor: str, body: str) -> str:
    """Returns an element that cells link to."""
    return f'<{tag} id="{anchor}" tabindex="-1">{body}</{tag}>'


def listing_html(lines: Mapping[int, str], anchor: str) -> str:
    """Returns lines of a text by number, each of which cells link to as `anchor` and its number."""
    rows = (
        anchored_html("span", f"{anchor}-{at}", text_html(f"{at:5} {line}")) for at, line in lines.items()
    )
    return f'<pre tabindex="0">{chr(10).join(rows)}</pre>'


def text_twin_html(text: str) -> str:
    """Returns the text of a report, folded."""
    return folded_html("as text", f"<pre>{text_html(text)}</pre>")


_BAR: Final = '<span class="track"><span class="bar" style="width:{:.0f}px"></span></span>'


def _head_html(column: str, first: Cell | str) -> str:
    """Returns the name of a column, above numbers where its first cell has one."""
    side = ' class="n"' if isinstance(first, Cell) and first.number is not None else ""
    return f'<th scope="col" aria-sort="none"{side}>{text_html(column)}</th>'


def _cell_html(cell: Cell | str) -> str:
    if isinstance(cell, str):
        return f"<td>{text_html(cell)}</td>"
    bar = "" if cell.share is None else _BAR.format(60 * cell.share)
    number = "" if cell.number is None else f' class="n" data-n="{cell.number:.17g}"'
    body = cell.html or text_html(cell.text)
    if cell.link:
        body = f'<a href="#{cell.link}">{body}</a>'
    return f"<td{number}>{bar}{body}</td>"
