"""Retired words are gone from names, messages and documents."""

from __future__ import annotations

import pytest

from tests.style.vocabulary import Use, exceptions, retired_uses, unexplained


@pytest.fixture(scope="module")
def found() -> list[Use]:
    return retired_uses()


def test_no_retired_word_is_used_without_a_reason(found: list[Use]) -> None:
    assert [f"{use.path}:{use.line}: {use.name}: {use.instead}" for use in unexplained(found)] == []


def test_each_exception_allows_a_use(found: list[Use]) -> None:
    assert [entry for entry in exceptions() if not any(map(entry.allows, found))] == []
