"""The difference of two programs as styled lines, as data and as a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from shlo.compare.differences import FunctionDifference, OperationDifference, ProgramDifference
from shlo.ir.upper_layers import RichResult
from shlo.text.html import page_html, text_html
from shlo.text.numbers import plural
from shlo.text.styled import StyledLine, StyledSpan, html_text, plain_text, styled

STEP: Final = "  "
_STYLE: Final = """\
body { font: 14px system-ui, sans-serif; margin: 2em; }
pre { font: 13px ui-monospace, monospace; overflow-x: auto; line-height: 1.5; }
summary { cursor: pointer; font-weight: 600; margin: .8em 0 .2em; }"""


class Difference(RichResult, ProgramDifference, frozen=True):
    """How two programs differ, printed as `shlo diff --text` prints it."""

    def __str__(self) -> str:
        return plain_text(lines_of(self))

    __repr__ = __str__


def lines_of(difference: ProgramDifference) -> Iterator[StyledLine]:
    """Yields what differs, function by function, and last how much."""
    for detail in difference.details:
        yield (StyledSpan("module: ", "bold"), StyledSpan(detail))
    for function in difference.functions:
        yield from function_lines(function)
    yield styled(summary_of(difference), "bold")


def function_lines(function: FunctionDifference) -> Iterator[StyledLine]:
    """Yields the name of a function, how much differs in it, and what."""
    yield (StyledSpan(title_of(function), "bold"), StyledSpan(f"  {_amount(function)}", "dim"))
    for detail in function.details:
        yield (StyledSpan(STEP), StyledSpan(detail, "yellow"))
    yield from _operation_lines(function.differences, STEP)


def _operation_lines(differences: tuple[OperationDifference, ...], indent: str) -> Iterator[StyledLine]:
    heading = ""
    for difference in differences:
        scope_line = "  ".join(part for part in (difference.scope, difference.place) if part)
        if scope_line and scope_line != heading:
            yield (StyledSpan(f"{indent}@@ {scope_line}", "cyan"),)
        heading = scope_line
        is_shell = difference.kind == "changed" and not difference.details
        if is_shell:
            yield (StyledSpan(f"{indent}  {difference.before}", "dim"),)
        else:
            if difference.before is not None:
                yield (StyledSpan(f"{indent}- {difference.before}", "red"),)
            if difference.after is not None:
                yield (StyledSpan(f"{indent}+ {difference.after}", "green"),)
        for detail in difference.details:
            yield (StyledSpan(f"{indent}{STEP}{STEP}{detail}", "dim"),)
        yield from _operation_lines(difference.inner, indent + STEP)


def title_of(function: FunctionDifference) -> str:
    """Returns what to call a function of one or both programs."""
    if not function.before and not function.after:
        return "outside of functions"
    if function.before == function.after or function.after is None:
        return f"@{function.before}"
    return f"@{function.after}" if function.before is None else f"@{function.before} -> @{function.after}"


def _amount(function: FunctionDifference) -> str:
    if function.before is None or function.after is None:
        which = "second" if function.before is None else "first"
        return f"only in the {which} program, {plural(function.operations, 'operation')}"
    counts = function.counts
    parts = [f"{counts[kind]} {kind}" for kind in ("changed", "removed", "added") if counts[kind]]
    return f"{', '.join(parts) or 'only its attributes'}, of {plural(function.operations, 'operation')}"


def summary_of(difference: ProgramDifference) -> str:
    """Returns in one line how much differs."""
    if not difference.operations:
        return f"0 operations{difference.conclusion.text}"
    if not difference:
        return f"no differences in {plural(difference.operations, 'operation')}"
    compared = plural(difference.operations, "operation")
    if not difference.functions:
        return f"only the attributes of the modules differ; {compared} compared"
    verb = "differs" if len(difference.functions) == 1 else "differ"
    return f"{plural(len(difference.functions), 'function')} {verb}; {compared} compared"


def data_of(difference: ProgramDifference) -> dict[str, Any]:
    """Returns the difference for programs to read."""
    return {
        "differs": bool(difference),
        "compared": difference.compared,
        "operations": difference.operations,
        "module": list(difference.details),
        "functions": [
            {
                "before": function.before,
                "after": function.after,
                "operations": function.operations,
                "details": list(function.details),
                "differences": [_operation_data(difference) for difference in function.differences],
            }
            for function in difference.functions
        ],
    }


def _operation_data(difference: OperationDifference) -> dict[str, Any]:
    return {
        "kind": difference.kind,
        "before": difference.before,
        "after": difference.after,
        "scope": difference.scope,
        "place": difference.place,
        "details": list(difference.details),
        "inner": [_operation_data(inner) for inner in difference.inner],
    }


def page_of(difference: ProgramDifference, before: str, after: str) -> str:
    """Returns a page that needs nothing else; `before` and `after` are what to call the programs."""
    title = f"{before} → {after}"
    parts = [
        f"<h1>{text_html(title)}</h1><p>{text_html(summary_of(difference))}</p>",
        *html_parts(difference),
    ]
    return page_html(title, _STYLE, "\n".join(parts))


def html_parts(difference: ProgramDifference) -> list[str]:
    """Returns what differs as HTML, a part that folds for each function."""
    parts: list[str] = []
    if difference.details:
        parts.append(f"<pre>{html_text(styled(detail) for detail in difference.details)}</pre>")
    for function in difference.functions:
        heading, *lines = function_lines(function)
        text = text_html("".join(span.text for span in heading))
        parts.append(f"<details open><summary>{text}</summary><pre>{html_text(lines)}</pre></details>")
    return parts
