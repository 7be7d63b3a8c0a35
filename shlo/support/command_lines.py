"""Command lines in the quotes of the system's shell."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Sequence

_QUOTED = re.compile(r'(\\*)("?)')


def command_line(words: Sequence[str]) -> str:
    """Returns a command line of words, to be pasted into a shell."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def words_of(line: str) -> list[str]:
    """Returns the words of a command line. On Windows backslashes are part of paths, and only double quotes
    quote. Raises ValueError where a quote is not closed.
    """
    return _windows_words(line) if sys.platform == "win32" else shlex.split(line)


def _windows_words(line: str) -> list[str]:
    """Returns words as programs of Windows are given them: backslashes before a double quote escape each
    other, and an odd one escapes the quote.
    """
    words: list[str] = []
    word: str | None = None
    is_quoted, position = False, 0
    while position < len(line):
        match = _QUOTED.match(line, position)
        assert match is not None
        backslashes, quote = match.groups()
        position = match.end()
        if quote:
            word = (word or "") + backslashes[: len(backslashes) // 2] + '"' * (len(backslashes) % 2)
            is_quoted ^= len(backslashes) % 2 == 0
        elif backslashes:
            word = (word or "") + backslashes
        else:
            character, position = line[position], position + 1
            if is_quoted or not character.isspace():
                word = (word or "") + character
            elif word is not None:
                words.append(word)
                word = None
    if is_quoted:
        raise ValueError("No closing quotation")
    return words if word is None else [*words, word]
