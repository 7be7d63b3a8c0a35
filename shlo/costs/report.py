"""Costs of a program as styled lines, as data and as a page; those by name scope as a tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import asdict

from shlo.costs.model import NO_WORK, Group, OperationCost, ProgramCost, Work
from shlo.costs.roofline import Roofline
from shlo.ir.types import RankedTensorType
from shlo.ir.upper_layers import RichResult
from shlo.text.html import page_html, text_html
from shlo.text.numbers import byte_size, count_text, duration_text, plural
from shlo.text.shortening import fitted
from shlo.text.styled import StyledLine, StyledSpan, plain_text, styled


class ScopeNode(Struct):
    """A part of a name stack: the work of its own operations and of all below it."""

    name: str
    work: Work = NO_WORK
    count: int = 0
    children: dict[str, ScopeNode] = field(default_factory=dict[str, "ScopeNode"])

    def walk(self, depth: int = 0) -> Iterator[tuple[int, ScopeNode]]:
        """Yields the nodes below with their depth, those with the most work first."""
        for child in sorted(self.children.values(), key=weight, reverse=True):
            yield depth, child
            yield from child.walk(depth + 1)


def weight(node: ScopeNode) -> tuple[int, int]:
    """Returns by what nodes are ordered: operations, then bytes."""
    return node.work.operations, node.work.accessed_bytes


def scope_tree(scopes: Iterable[Group]) -> ScopeNode:
    """Returns the tree of the scopes; a part whose only work is in one other part is joined with it."""
    root = ScopeNode("")
    for group in scopes:
        nodes = [root]
        for part in group.path or ("(no scope)",):
            nodes.append(nodes[-1].children.setdefault(part, ScopeNode(part)))
        for node in nodes:
            node.work += group.work
            node.count += group.count
    for child in list(root.children.values()):
        _join(child)
    return root


def _join(node: ScopeNode) -> None:
    while len(node.children) == 1:
        (only,) = node.children.values()
        if only.count != node.count:
            break
        node.name, node.children = f"{node.name}/{only.name}", only.children
    for child in node.children.values():
        _join(child)


STEP: Final = "  "
ROWS: Final = 12
"""How many rows of each table are shown, unless asked for more."""

LONGEST: Final = 100
"""How many characters of a name are shown."""

_HEADER: Final = ("FLOP", "transc.", "share", "read", "written", "FLOP/B")
_STYLE: Final = """\
body { font: 14px system-ui, sans-serif; margin: 2em; }
table { border-collapse: collapse; font: 13px ui-monospace, monospace; }
th, td { text-align: right; padding: .15em .7em; white-space: pre; }
th:last-child, td:last-child { text-align: left; }
tbody tr:nth-child(odd) { background: rgba(128, 128, 128, .12); }
meter { width: 6em; }"""


class CostTable(Struct, frozen=True):
    """A table of costs: what it is about, the names of its columns, and its rows; `shares` are the rows'
    parts of all FLOPs and functions, `left_out` is how many rows it would have had more."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    shares: tuple[float, ...]
    left_out: int = 0


class Cost(RichResult, ProgramCost, frozen=True):
    """A cost that is printed as `shlo cost` prints it."""

    def __repr__(self) -> str:
        return plain_text(lines_of(self, ROWS))


def cost_with_text(cost: ProgramCost) -> Cost:
    """Returns a cost that is printed as its tables."""
    return Cost(**asdict(cost))


def summary_of(cost: ProgramCost) -> str:
    """Returns in one line what a run costs: `12.3 MFLOP, 4.1 MiB accessed, peak 2 MiB`."""
    accessed, peak = byte_size(cost.total.accessed_bytes), byte_size(cost.peak_bytes)
    return f"{count_text(cost.total.flops)}FLOP, {accessed} accessed, peak {peak}"


def lines_of(cost: ProgramCost, top: int, roofline: Roofline | None = None) -> Iterator[StyledLine]:
    """Yields the whole cost, tables with at most `top` rows each, and what is not counted."""
    for label, text in facts_of(cost, roofline):
        yield (StyledSpan(f"{label}: ", "bold"), StyledSpan(text))
    for table in tables_of(cost, top, roofline):
        yield ()
        yield styled(table.title, "bold")
        yield from _table_lines(table)
    if cost.notes:
        yield ()
        yield styled("not counted, or assumed", "bold")
    for note in notes_of(cost):
        yield (StyledSpan(STEP), StyledSpan(note, "yellow"))


def tables_of(cost: ProgramCost, top: int, roofline: Roofline | None = None) -> Iterator[CostTable]:
    """Yields the tables by kind of operation, by operation, by scope and by line of Python."""
    yield _group_table("by kind of operation", cost, cost.kinds, top, roofline)
    yield _operation_table(cost, top, roofline)
    if any(group.path for group in cost.scopes):
        yield _scope_table(cost, scope_tree(cost.scopes), top, roofline)
    if any(group.path for group in cost.lines):
        yield _group_table("by line of Python", cost, cost.lines, top, roofline)


def facts_of(cost: ProgramCost, roofline: Roofline | None = None) -> Iterator[tuple[str, str]]:
    """Yields what a run costs as a whole, in words with a label each."""
    total, intensity = cost.total, cost.total.intensity
    work = f"{count_text(total.flops)}FLOP, {count_text(total.transcendentals).rstrip()} transcendental"
    if cost.not_counted:
        work += f", {plural(len(cost.not_counted), 'operation')} not counted"
    yield f"@{cost.entry}", work
    density = "" if intensity is None else f", {intensity:.3g} FLOP/byte"
    yield "bytes", f"{byte_size(total.read_bytes)} read, {byte_size(total.written_bytes)} written{density}"
    peak = cost.peak
    where = "" if peak is None else f" at {_place(cost, peak)}"
    sizes = f"arguments {byte_size(cost.argument_bytes)}, results {byte_size(cost.result_bytes)}"
    yield "memory", f"peak {byte_size(cost.peak_bytes)}{where}, {sizes}"
    if roofline is not None:
        seconds = sum(roofline.seconds(operation.total) for operation in cost.operations)
        speeds = f"{count_text(round(roofline.flops_per_second))}FLOP/s"
        speeds += (
            f" and {count_text(round(roofline.bytes_per_second))}B/s meet at {roofline.ridge:.3g} FLOP/byte"
        )
        fused = duration_text(roofline.seconds(total))
        yield "roofline", f"{speeds}; at least {duration_text(seconds)}, as a single kernel {fused}"


def _place(cost: ProgramCost, operation: OperationCost) -> str:
    line = cost.line_of(operation)
    where = "" if line is None or cost.source is None else f" (line {line})"
    return f"{operation.operation.name}{where}"


def notes_of(cost: ProgramCost) -> Iterator[str]:
    """Yields what is not counted, or assumed."""
    for note in cost.notes:
        line = None if cost.source is None else cost.source.line_of(note.span.start)
        where = f"@{note.function}" + ("" if line is None else f", line {line}")
        more = "" if note.count == 1 else f" and {plural(note.count - 1, 'other')}"
        yield f"{note.text} ({where}{more})"
    if not all(map(_has_known_sizes, cost.not_counted)):
        yield "values whose sizes are not known count as 0 bytes; `shlo refine` makes sizes known"


def _has_known_sizes(cost: OperationCost) -> bool:
    types = (*cost.operation.operand_types, *cost.operation.result_types)
    return all(type_.is_static for type_ in types if isinstance(type_, RankedTensorType))


# --- tables ---


def _cells(work: Work, cost: ProgramCost, roofline: Roofline | None) -> tuple[str, ...]:
    intensity = work.intensity
    cells = (
        count_text(work.flops).rstrip(),
        count_text(work.transcendentals).rstrip(),
        f"{100 * _share(work, cost):.1f}%",
        byte_size(work.read_bytes),
        byte_size(work.written_bytes),
        "" if intensity is None else f"{intensity:.3g}",
    )
    return (
        cells if roofline is None else (*cells, duration_text(roofline.seconds(work)), roofline.bound(work))
    )


def _header(roofline: Roofline | None, *others: str) -> tuple[str, ...]:
    return (*_HEADER, *(() if roofline is None else ("at least", "bound by")), *others)


def _share(work: Work, cost: ProgramCost) -> float:
    return work.operations / cost.total.operations if cost.total.operations > 0 else 0.0


def _group_table(
    title: str, cost: ProgramCost, groups: Sequence[Group], top: int, roofline: Roofline | None
) -> CostTable:
    shown = [group for group in groups if group.work]
    return CostTable(
        title,
        _header(roofline, "times", ""),
        tuple(
            (*_cells(group.work, cost, roofline), f"{group.times:,}", _short(group.name or "(no line)"))
            for group in shown[:top]
        ),
        tuple(_share(group.work, cost) for group in shown[:top]),
        max(len(shown) - top, 0),
    )


def _operation_table(cost: ProgramCost, top: int, roofline: Roofline | None) -> CostTable:
    costs = [operation for operation in cost.operations if operation.total]
    costs.sort(key=lambda operation: (-operation.total.operations, -operation.total.accessed_bytes))
    return CostTable(
        "by operation",
        _header(roofline, "live", "times", "line", ""),
        tuple(
            (
                *_cells(row.total, cost, roofline),
                byte_size(row.live_bytes),
                f"{row.times:,}",
                str(cost.line_of(row) or ""),
                _short(f"{row.operation.name} {row.types}"),
            )
            for row in costs[:top]
        ),
        tuple(_share(row.total, cost) for row in costs[:top]),
        max(len(costs) - top, 0),
    )


def _scope_table(cost: ProgramCost, root: ScopeNode, top: int, roofline: Roofline | None) -> CostTable:
    nodes = [(depth, node) for depth, node in root.walk() if node.work]
    heaviest = sorted(nodes, key=lambda pair: -pair[1].work.operations)[:top]
    node_ids = {id(node) for _, node in heaviest}
    shown = [(depth, node) for depth, node in nodes if id(node) in node_ids]
    return CostTable(
        "by name scope, inner scopes included",
        _header(roofline, ""),
        tuple(
            (*_cells(node.work, cost, roofline), STEP * depth + _short(node.name)) for depth, node in shown
        ),
        tuple(_share(node.work, cost) for _, node in shown),
        len(nodes) - len(shown),
    )


def _short(text: str) -> str:
    return fitted(text, LONGEST, "...")


def _table_lines(table: CostTable) -> Iterator[StyledLine]:
    rows = [table.header, *table.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.header) - 1)]
    for number, row in enumerate(rows):
        cells = STEP.join(cell.rjust(width) for cell, width in zip(row, widths))
        yield (StyledSpan(f"{STEP}{cells}  ", "plain" if number else "dim"), StyledSpan(row[-1]))
    if table.left_out:
        yield (StyledSpan(f"{STEP}... {table.left_out:,} more", "dim"),)


# --- data ---


def data_of(cost: ProgramCost, roofline: Roofline | None = None) -> dict[str, Any]:
    """Returns the costs for programs to read."""
    peak = cost.peak
    data: dict[str, Any] = {
        "entry": cost.entry,
        "rules": cost.rules,
        **_work_data(cost.total),
        "intensity": cost.total.intensity,
        "peak_bytes": cost.peak_bytes,
        "peak_at": None if peak is None else _operation_data(cost, peak),
        "argument_bytes": cost.argument_bytes,
        "result_bytes": cost.result_bytes,
        "kinds": [_group_data(group) for group in cost.kinds],
        "scopes": [_group_data(group) for group in cost.scopes],
        "lines": [_group_data(group) for group in cost.lines],
        "operations": [_operation_data(cost, operation) for operation in cost.operations],
        "notes": [
            {
                "text": note.text,
                "function": note.function,
                "line": None if cost.source is None else cost.source.line_of(note.span.start),
                "count": note.count,
            }
            for note in cost.notes
        ],
    }
    if roofline is not None:
        data["roofline"] = {
            "flops_per_second": roofline.flops_per_second,
            "bytes_per_second": roofline.bytes_per_second,
            "seconds": sum(roofline.seconds(operation.total) for operation in cost.operations),
        }
    return data


def _work_data(work: Work) -> dict[str, int]:
    return {
        "flops": work.flops,
        "transcendentals": work.transcendentals,
        "read_bytes": work.read_bytes,
        "written_bytes": work.written_bytes,
    }


def _group_data(group: Group) -> dict[str, Any]:
    return {"name": group.name, **_work_data(group.work), "operations": group.count, "times": group.times}


def _operation_data(cost: ProgramCost, operation: OperationCost) -> dict[str, Any]:
    python = operation.origin.line
    return {
        "operation": operation.operation.name,
        "types": operation.types,
        "function": operation.function,
        "line": cost.line_of(operation),
        "scope": operation.origin.scope,
        "python": None if python is None else f"{python.file}:{python.line}",
        **_work_data(operation.total),
        "times": operation.times,
        "live_bytes": operation.live_bytes,
        "not_counted": operation.unknown or None,
    }


# --- page ---


def page_of(cost: ProgramCost, name: str, top: int, roofline: Roofline | None = None) -> str:
    """Returns a page that needs nothing else; `name` is what to call the program."""
    title = f"Cost of {name}"
    parts = [f"<h1>{text_html(title)}</h1>"]
    parts += [
        f"<p><b>{text_html(label)}</b>: {text_html(text)}</p>" for label, text in facts_of(cost, roofline)
    ]
    for table in tables_of(cost, top, roofline):
        parts.append(f"<h2>{text_html(table.title)}</h2>\n{_html_table(table)}")
    if cost.notes:
        items = "".join(f"<li>{text_html(note)}</li>" for note in notes_of(cost))
        parts.append(f"<h2>not counted, or assumed</h2>\n<ul>{items}</ul>")
    return page_html(title, _STYLE, "\n".join(parts))


def _html_table(table: CostTable) -> str:
    header = "".join(f"<th scope=col>{text_html(cell)}</th>" for cell in ("", *table.header))
    rows = "\n".join(
        f'<tr><td><meter value="{share:.4f}" aria-label="{100 * share:.1f}% of all operations"></meter></td>'
        + "".join(f"<td>{text_html(cell)}</td>" for cell in row)
        + "</tr>"
        for row, share in zip(table.rows, table.shares)
    )
    more = f"<p>... {table.left_out:,} more</p>" if table.left_out else ""
    return f"<table><thead><tr>{header}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>{more}"
