"""What a saved notebook shows of a stepper without its kernel: its place, source and values."""

from __future__ import annotations

from markupsafe import Markup

from shlo.debugger import DebuggerError, Session
from shlo.debugger.text.format import where_text
from shlo.text.escape import escaped
from shlo_kernel.mime.markup import shown
from shlo_kernel.mime.tensor import value_html
from shlo_kernel.widgets.source import source_html
from shlo_kernel.widgets.values import ValueList

LISTED = 12
"""How many values are listed."""

_PAGE = Markup(
    '<div class="shlo-snapshot"><div><code>{}</code></div>{}<pre style="margin:4px 0">{}</pre>{}'
    "<div><small>The stepper as it was opened; run the cell to step.</small></div></div>"
)


def snapshot_bundle(session: Session, values: ValueList) -> dict[str, str]:
    """Returns the place of a session as text and HTML, by MIME type; `values` says which value is shown."""
    listed = [str(label) for label, _ in values.select.options][:LISTED]
    more = len(values.select.options) - len(listed)
    lines = [*listed, *([f"and {more:,} more values"] if more > 0 else [])]
    heading = where_text(session)
    return {
        "text/plain": escaped("\n".join((heading, *(f"  {line}" for line in lines)))),
        "text/html": _PAGE.format(
            shown(heading.partition("\n")[0]), source_html(session), shown("\n".join(lines)), _value(values)
        ),
    }


def _value(values: ValueList) -> Markup:
    """Returns the chosen value; nothing where none is, or where it cannot be computed again."""
    name, _, type_ = values.title.partition(" : ")
    try:
        return value_html(name, type_, values.value) if name else Markup("")
    except DebuggerError:
        return Markup("")
