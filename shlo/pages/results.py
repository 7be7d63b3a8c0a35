"""What shlo's functions return, as notebooks display it: text, and HTML with tables, bars and badges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import singledispatch
from itertools import chain, repeat
from typing import Any, Final, cast

from shlo.compare.report import Difference, html_parts, summary_of
from shlo.costs.model import Group, OperationCost, Work
from shlo.costs.report import Cost, facts_of, notes_of
from shlo.ir.operations import Module
from shlo.pages.report import (
    Cell,
    anchor_of,
    anchored_html,
    badge_html,
    folded_html,
    heading_html,
    listing_html,
    report_html,
    table_html,
    text_twin_html,
)
from shlo.places.card import Card, card_html
from shlo.places.origins import Origin
from shlo.places.place import line_text
from shlo.runner.validity import ProgramFindings
from shlo.sanitizer.findings import Finding
from shlo.sanitizer.report import SanitizedRun, element_text, finding_card
from shlo.shadow.losses import OperationLoss
from shlo.shadow.report import ShadowedRun, loss_card
from shlo.shadow.report import element_text as loss_element_text
from shlo.shadow.tracker import SENTENCES
from shlo.text.diagnostics import diagnostic_lines, message_line
from shlo.text.html import text_html
from shlo.text.numbers import byte_size, count_text, plural
from shlo.text.shortening import clipped
from shlo.text.styled import StyledLine, html_text, plain_text

ROWS: Final = 200
"""How many rows of a table are shown."""
CARDS: Final = 20
"""How many rows of a table are told in full below it."""
LINES: Final = 200
"""How many lines of a function or text are shown."""
WIDEST: Final = 300
"""How many characters of a line are shown."""

_WORK_COLUMNS: Final = ("FLOP", "functions", "bytes read", "written", "times")


def result_bundle(result: Any) -> dict[str, str]:
    """Returns a result by MIME type, as text and as HTML that needs no other file."""
    return {"text/plain": _text(result), "text/html": result_html(result)}


@singledispatch
def result_html(result: Any) -> str:
    """Returns a result as HTML that needs no other file; of a class that is not known here, its `html`."""
    return result.html


def _text(result: Any) -> str:
    if isinstance(result, ProgramFindings):
        return plain_text(_finding_lines(result)) or repr(list(result))
    return "\n".join(_clipped(str(result).split("\n"))) if isinstance(result, Module) else str(result)


@result_html.register
def _module_html(module: Module) -> str:
    functions = module.functions
    heading = f"{f'@{module.name}' if module.name else 'a program'}, {plural(len(functions), 'function')}"
    return report_html(heading_html(heading), f'<pre tabindex="0">{text_html(_text(module))}</pre>')


@result_html.register
def _difference_html(difference: Difference) -> str:
    badge = badge_html("differs" if difference else "same")
    return report_html(heading_html(summary_of(difference), badge), *html_parts(difference))


@result_html.register
def _card_html(card: Card) -> str:
    return report_html(card_html(card))


@result_html.register
def _findings_html(findings: ProgramFindings) -> str:
    counts = [(name, sum(finding.severity == name for finding in findings)) for name in ("error", "warning")]
    badges = [badge_html(plural(count, name), kind=name) for name, count in counts if count]
    lines = html_text(_finding_lines(findings))
    body = f'<pre tabindex="0">{lines}</pre>' if lines else ""
    return report_html(heading_html(plural(len(findings), "finding", "no"), *badges), body)


def _finding_lines(findings: ProgramFindings) -> Iterator[StyledLine]:
    """Yields findings with the lines that they are about; of a program without a text, their messages."""
    if findings.source is not None:
        yield from diagnostic_lines([(findings.source, finding) for finding in findings])
        return
    for finding in findings:
        yield message_line(finding.severity, finding.message, code=finding.code)


# --- costs ---


@result_html.register
def _cost_html(cost: Cost) -> str:
    facts = (f"<b>{text_html(label)}</b>: {text_html(text)}<br>" for label, text in facts_of(cost))
    groups = (("by name scope", cost.scopes), ("by line of Python", cost.lines))
    notes = "".join(f"<li>{text_html(note)}</li>" for note in notes_of(cost))
    return report_html(
        *facts,
        folded_html("by kind of operation", _group_costs(cost, cost.kinds), is_open=True),
        *_operation_costs(cost),
        *(folded_html(title, _group_costs(cost, members)) for title, members in groups),
        f"<div>not counted, or assumed</div><ul>{notes}</ul>" if notes else "",
    )


def _group_costs(cost: Cost, groups: Iterable[Group]) -> str:
    shown = sorted((group for group in groups if group.work), key=lambda group: -group.work.flops)
    rows = [_work_row(cost, group.work, group.times, Cell(group.name or "(none)")) for group in shown[:ROWS]]
    return _heaviest(("name", *_WORK_COLUMNS), rows, len(shown))


def _operation_costs(cost: Cost) -> Iterator[str]:
    """Yields a table of operations and, of a program with a text, the lines that its rows link to."""
    operations = [operation for operation in cost.operations if operation.total]
    shown = sorted(operations, key=lambda operation: -operation.total.flops)[:ROWS]
    source, lines, anchor = cost.source, dict[int, str](), ""
    if source is not None:
        numbers = sorted({source.line_of(operation.span.start) for operation in shown})
        lines = {number: clipped(source.line_text(number), WIDEST, " ...") for number in numbers}
        anchor = anchor_of(source.text)
    rows = [_operation_row(cost, operation, lines, anchor) for operation in shown]
    table = _heaviest(("operation", *_WORK_COLUMNS, "live", "line", "text"), rows, len(operations))
    yield folded_html("by operation", table)
    if lines:
        yield folded_html("lines of the program", listing_html(lines, anchor))


def _operation_row(cost: Cost, row: OperationCost, lines: Mapping[int, str], anchor: str) -> list[Cell | str]:
    line = cost.line_of(row) or 0
    link = f"{anchor}-{line}" if line in lines else ""
    return [
        *_work_row(cost, row.total, row.times, Cell(row.operation.name)),
        Cell(byte_size(row.live_bytes), float(row.live_bytes)),
        Cell(str(line or ""), float(line), link=link),
        clipped(lines.get(line, "").strip(), 80, " ..."),
    ]


def _work_row(cost: Cost, work: Work, times: int, name: Cell) -> list[Cell | str]:
    share = work.operations / cost.total.operations if cost.total.operations > 0 else 0.0
    return [
        name,
        Cell(count_text(work.flops).rstrip(), float(work.flops), share),
        Cell(count_text(work.transcendentals).rstrip(), float(work.transcendentals)),
        Cell(byte_size(work.read_bytes), float(work.read_bytes)),
        Cell(byte_size(work.written_bytes), float(work.written_bytes)),
        Cell(f"{times:,}", float(times)),
    ]


def _heaviest(columns: Sequence[str], rows: Sequence[Sequence[Cell | str]], count: int) -> str:
    """Returns a table of the rows with most FLOPs, of so many."""
    more = f"<div>and {count - len(rows):,} more</div>" if count > len(rows) else ""
    return table_html(columns, rows) + more


# --- findings of runs ---


@result_html.register
def _sanitized_html(run: SanitizedRun) -> str:
    findings = run.findings
    heading = f"{plural(len(findings), 'finding', 'no')}, "
    heading += f"{plural(findings.looked_at, 'operation')} looked at"
    columns = ("finding", "what it is", "operation", "place", "Python", "elements", "executions", "worst")
    cards = [finding_card(finding, run.sources, findings.processes) for finding in list(findings)[:CARDS]]
    links, details = _linked_cards(cards)
    table = table_html(columns, map(_finding_row, findings, links)) if findings else ""
    return report_html(heading_html(heading), table, details, _results_line(run.results))


def _linked_cards(cards: Sequence[Card]) -> tuple[Iterator[str], str]:
    """Returns the anchors of the cards of a table's first rows, empty ones for its other rows; the cards."""
    anchor = anchor_of("\n".join(map(str, cards)))
    links = [f"{anchor}-{number}" for number in range(len(cards))]
    details = "".join(anchored_html("div", link, card_html(card)) for link, card in zip(links, cards))
    return chain(links, repeat("")), folded_html("in full", details) if cards else ""


def _finding_row(finding: Finding, link: str) -> list[Cell | str]:
    return [
        Cell("", html=badge_html(finding.check.name, kind="warning")),
        finding.check.sentence,
        Cell(finding.operation.name, link=link),
        finding.place or "",
        _python(finding.origin),
        Cell(f"{finding.count:,}", float(finding.count)),
        Cell(f"{finding.times:,}", float(finding.times)),
        element_text(finding.worst[0]) if finding.worst else "",
    ]


@result_html.register
def _shadowed_html(run: ShadowedRun) -> str:
    losses = run.losses
    heading = f"{plural(losses.looked_at, 'operation')} looked at, "
    heading += f"{plural(len(losses), 'operation', 'no')} that lose digits"
    columns = ("operation", "digits lost", "here", "of", "why", "place", "Python", "executions", "worst")
    links, details = _linked_cards([loss_card(loss, run.sources) for loss in list(losses)[:CARDS]])
    table = table_html(columns, map(_loss_row, losses, links)) if len(losses) else ""
    twin = text_twin_html(str(run))
    return report_html(heading_html(heading), table, details, twin, _results_line(run.results))


def _loss_row(loss: OperationLoss, link: str) -> list[Cell | str]:
    worst = loss.worst
    return [
        Cell(loss.operation.name, link=link),
        Cell(f"{worst.total:.1f}", worst.total, min(worst.total / max(worst.digits, 1e-9), 1.0)),
        Cell(f"{worst.here:.1f}", worst.here),
        Cell(f"{worst.digits:.1f}", worst.digits),
        SENTENCES[worst.cause],
        loss.place or "",
        _python(loss.origin),
        Cell(f"{loss.executions:,}", float(loss.executions)),
        loss_element_text(worst),
    ]


def _python(origin: Origin) -> str:
    return line_text(origin.line) or ""


def _results_line(results: Any) -> str:
    sequence = cast("Sequence[Any]", results if isinstance(results, (tuple, list)) else ())
    count = f" ({len(sequence):,})" if sequence else ""
    return f'<div class="shlo-dim">values: .results{count}</div>'


def _clipped(lines: Sequence[str]) -> Iterator[str]:
    """Yields the first lines, none too long, and how many are missing."""
    yield from (clipped(line, WIDEST, " ...") for line in lines[:LINES])
    if len(lines) > LINES:
        yield f"... {len(lines) - LINES:,} more lines"
