"""The findings pane: what is wrong with a program that cannot be run."""

from __future__ import annotations

from dataclasses import dataclass

from rich.segment import Segment

from shlo.ir.diagnostics import Diagnostic, ExecutionError, ParseError, ShloError
from shlo.ir.source import Source, Span
from shlo.text.escape import sanitized
from shlo_tui.widgets.events import FindingChosen
from shlo_tui.widgets.lines import LinePane, Palette, Segments


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding and where it is, as far as that is known."""

    severity: str
    message: str
    span: Span | None


def findings_of(error: ShloError, source: Source) -> tuple[Finding, ...]:
    """What an error says of a source."""
    if isinstance(error, ParseError):
        return tuple(map(_of_diagnostic, error.diagnostics))
    if isinstance(error, ExecutionError):
        start = source.offset_of_place(error.place.removesuffix(":")) if error.place else None
        span = None if start is None else Span(start, start + 1)
        return (Finding("error", error.message, span),)
    return (Finding("error", str(error), None),)


def _of_diagnostic(diagnostic: Diagnostic) -> Finding:
    return Finding(diagnostic.severity, f"{diagnostic.message} [{diagnostic.code}]", diagnostic.span)


class FindingsPane(LinePane):
    """A line for each finding; the one under the cursor is shown in the source."""

    def __init__(
        self, palette: Palette, source: Source, findings: tuple[Finding, ...], *, id: str = "findings"
    ) -> None:
        super().__init__(palette, id=id)
        self.source, self.findings = source, findings

    @property
    def count(self) -> int:
        """The number of findings."""
        return len(self.findings)

    def on_mount(self) -> None:
        """Fits the content to the number of findings and announces the first one."""
        self.resize_content()
        self.cursor_changed()

    def words(self, line: int, width: int) -> Segments:
        """Returns a finding's mark, position, severity and message."""
        finding = self.findings[line]
        place = "" if finding.span is None else ":".join(map(str, self.source.position(finding.span.start)))
        return [
            Segment("✗ " if finding.severity == "error" else "! ", self.palette["alarm"]),
            Segment(f"{place:9} ", self.palette["accent"]),
            Segment(f"{finding.severity}: ", self.palette["alarm"]),
            Segment(sanitized(finding.message), self.palette["text"]),
        ]

    def cursor_changed(self) -> None:
        """Posts `FindingChosen` for the finding under the cursor."""
        if self.findings:
            self.post_message(FindingChosen(self.findings[self.cursor].span))
