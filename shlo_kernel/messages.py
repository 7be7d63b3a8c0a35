"""Contents of requests, held against what the protocol says of them before a handler gets them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct, ValidationError, convert

Handler = Callable[..., Any]
"""Gets the stream of a request, whose it is, and the request; may have to be awaited."""


class _Execute(Struct):
    code: str
    silent: bool = False
    store_history: bool = True
    user_expressions: dict[str, str] | None = None
    allow_stdin: bool = False
    stop_on_error: bool = True


class _Look(Struct):
    code: str
    cursor_pos: int | None = None


class _History(Struct):
    hist_access_type: str = "tail"
    session: int | None = None
    start: int | None = None
    stop: int | None = None
    n: int | None = None
    pattern: str | None = None


CONTENTS: Final[dict[str, type[Struct]]] = {
    "execute_request": _Execute,
    "complete_request": _Look,
    "inspect_request": _Look,
    "is_complete_request": _Look,
    "history_request": _History,
}
"""What requests of a kind hold, as far as a handler uses it."""


def checked(session: Any, kind: str, handler: Handler) -> Handler:
    """Returns a handler that answers requests of a kind whose content does not fit with an error."""
    content_type = CONTENTS[kind]

    def handle(stream: Any, ident: Any, parent: dict[str, Any]) -> Any:
        try:
            convert(parent["content"], content_type)
        except ValidationError as error:
            fault = str(error)
            content = {"status": "error", "ename": "RequestError", "evalue": fault, "traceback": [fault]}
            session.send(stream, kind.replace("request", "reply"), content, parent, ident)
            return None
        return handler(stream, ident, parent)

    return handle
