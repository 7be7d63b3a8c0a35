"""docs/dap.md is up to date, and its notes are of messages that there are."""

from __future__ import annotations

from docs.dap_messages import EVENTS
from docs.generate_dap import EVENT_NOTES, NOTES, PAGE, page
from docs.generate_protocol_types import UNANSWERED
from shlo.debugger.adapter.protocol import ARGUMENTS


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python docs/generate_dap.py writes it"


def test_only_messages_of_the_protocol_are_named() -> None:
    assert NOTES.keys() <= {*ARGUMENTS, *UNANSWERED}
    assert EVENT_NOTES.keys() <= EVENTS.keys()
