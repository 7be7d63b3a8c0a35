"""Command lines in the quotes of a POSIX shell and of Windows; folders for what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from shlo.support.command_lines import command_line, words_of
from shlo.support.files import cache_folder

WORDS = [
    ["python", "check.py", "{}"],
    [r"C:\Program Files\python.exe", "-c", 'print("a b")'],
    ["a\\", 'b\\"c', "", "d\\\\ e\\"],
    ["'quoted'", "ü", "x=1;y"],
]


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("words", WORDS)
def test_a_command_line_is_split_into_its_words(
    words: list[str], platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    assert words_of(command_line(words)) == words


@pytest.mark.parametrize(("platform", "line"), [("linux", "a 'b"), ("win32", 'a "b')])
def test_a_quote_that_is_not_closed_is_told(
    platform: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    with pytest.raises(ValueError, match="No closing quotation"):
        words_of(line)


def test_paths_of_windows_keep_their_backslashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    assert words_of(r'C:\tools\python.exe "C:\My Files\shows.py" {}') == [
        r"C:\tools\python.exe",
        r"C:\My Files\shows.py",
        "{}",
    ]


@pytest.mark.parametrize(
    ("platform", "folder"),
    [("linux", "home/.cache"), ("darwin", "home/Library/Caches"), ("win32", "home/AppData/Local")],
)
def test_the_cache_is_where_the_system_has_caches(
    platform: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr("pathlib.Path.home", lambda: tmp_path / "home")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    assert cache_folder() == tmp_path / folder / "shlo"
