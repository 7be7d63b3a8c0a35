"""docs/lsp.md is up to date, and its columns are of methods that there are."""

from __future__ import annotations

import pytest
from lsprotocol import types

from docs.generate_lsp import NOTES, PAGE, PEERS, page


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python docs/generate_lsp.py writes it"


@pytest.mark.parametrize("methods", [NOTES, *(peer.methods for peer in PEERS)])
def test_only_methods_of_the_protocol_are_named(methods: object) -> None:
    assert set(methods) <= set(types.METHOD_TO_TYPES)  # type: ignore[call-overload]
