"""The stepper's answer to where an element comes from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ipywidgets import HTML, Button, Layout, VBox
from markupsafe import Markup

from shlo.debugger import DebuggerError, Session
from shlo.debugger.provenance.chain import Link
from shlo.debugger.text.format_provenance import chain_text, sources_text
from shlo.runner.interrupts import interruptible
from shlo_kernel.mime.markup import shown
from shlo_kernel.widgets.values import RESULT

_STYLE: Final = "margin:4px 0;max-height:300px;overflow:auto;font-size:12px;line-height:1.35"
_TEXT: Final = Markup('<pre class="shlo-origin" style="{}">{}</pre>')


class OriginPane(VBox):
    """The elements that made an element, and on request the way back to where it was made."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._link: Link | None = None
        self.html = HTML()
        self.follow = Button(
            description="follow back",
            icon="level-up",
            tooltip="go on to the most important element, to an argument, a constant or what made it",
            layout=Layout(width="auto"),
        )
        self.follow.on_click(lambda _: self._follow())
        super().__init__()

    def show(self, name: str, index: tuple[int, ...]) -> None:
        """Says what made an element of a value in scope in the selected frame, or of a result."""

        def sources() -> str:
            elements = self.session.elements
            if name.startswith(RESULT):
                link = elements.result(int(name.removeprefix(RESULT)), index)
            else:
                link = elements.find(name, index, self.session.selected_frame)
            self._link = link
            return sources_text(self.session, link, elements.sources(link))

        self._link = None
        self._say(sources)

    def clear(self) -> None:
        """Takes the answer away: it is of another place or value."""
        self._link = None
        self.children = []

    def _follow(self) -> None:
        link = self._link
        if link is not None:
            self._link = None  # there is no more than all of it
            self._say(lambda: chain_text(self.session, self.session.elements.chain(link)))

    def _say(self, answer: Callable[[], str]) -> None:
        try:
            text = interruptible(answer)
        except DebuggerError as error:
            text = str(error)
        except KeyboardInterrupt:
            text = "stopped on request"
        self.html.value = _TEXT.format(_STYLE, shown(text))
        self.children = [self.html, *([self.follow] if self._link is not None else [])]
