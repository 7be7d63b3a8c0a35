"""Requests whose content does not fit the protocol are answered with an error, and reach no handler."""

from __future__ import annotations

from typing import Any

import pytest

from shlo_kernel.messages import checked


class Sent:
    """A session that keeps what it is to send."""

    def __init__(self) -> None:
        self.replies: list[tuple[str, dict[str, Any]]] = []

    def send(self, stream: Any, kind: str, content: dict[str, Any], parent: Any, ident: Any) -> None:
        self.replies.append((kind, content))


@pytest.mark.parametrize(
    ("field", "value"), [("code", 1), ("silent", "x"), ("allow_stdin", -1), ("stop_on_error", None)]
)
def test_a_field_of_another_type_is_an_error(field: str, value: object) -> None:
    session, handled = Sent(), list[Any]()
    handle = checked(session, "execute_request", lambda *message: handled.append(message))
    handle(None, b"", {"content": {"code": "%x"}})
    handle(None, b"", {"content": {"code": "%x", field: value}})
    assert len(handled) == 1
    ((kind, content),) = session.replies
    assert kind == "execute_reply"
    assert field in content["evalue"]
