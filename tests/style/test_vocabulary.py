"""Retired words are gone from names, messages and documents."""

from __future__ import annotations

from tests.style.vocabulary import exceptions, identifier_uses, phrase_uses, uses


def test_no_retired_word_is_used_without_a_reason() -> None:
    assert [f"{use.path}:{use.line}: {use.name}: {use.instead}" for use in uses()] == []


def test_each_exception_allows_a_use() -> None:
    found = (*identifier_uses(), *phrase_uses())
    assert [entry for entry in exceptions() if not any(map(entry.allows, found))] == []
