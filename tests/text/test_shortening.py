"""Long texts are cut, and a sign says so."""

from __future__ import annotations

import pytest

from shlo.text.shortening import clipped, fitted, with_short_words


@pytest.mark.parametrize(
    ("text", "most", "cut", "fit"),
    [
        ("", 0, "", ""),
        ("abc", 3, "abc", "abc"),
        ("abcd", 3, "abc...", "ab…"),
        ("ab", 1, "a...", "…"),
        ("ab", 0, "...", ""),
    ],
)
def test_only_a_long_text_is_cut(text: str, most: int, cut: str, fit: str):
    assert (clipped(text, most), fitted(text, most)) == (cut, fit)


def test_a_longer_sign_is_part_of_the_width():
    assert fitted("abcdefgh", 7, " ...") == "abc ..."


def test_a_message_repeats_the_ends_of_a_long_word_only():
    name = "%" + 3500 * "7" + "8"
    message = with_short_words(f"expected a value, got '{name}' at 'x.mlir'")
    assert message == f"expected a value, got '%{98 * '7'}...{98 * '7'}8' at 'x.mlir'"
    assert with_short_words(200 * "a" + " b") == 200 * "a" + " b"
