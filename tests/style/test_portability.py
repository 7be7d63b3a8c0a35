"""What only some systems have is in `shlo/support`, and the repository can be checked out on all of them."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from pathlib import PurePosixPath

import pytest

from tests.style.portability import texts_without_encoding, uses, uses_in
from tests.style.vocabulary import ROOT

RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
"""Names that Windows has for devices."""


TIMED = re.compile(r"^ *assert .*(?:perf_counter|monotonic|process_time)\(\) (?:-|< \w+ \+)", re.MULTILINE)


def test_no_test_asserts_how_long_something_takes() -> None:
    files = sorted((ROOT / "tests").rglob("*.py"))
    assert [str(file) for file in files if TIMED.search(file.read_text("utf-8"))] == []


def test_only_support_looks_at_the_system_or_calls_what_others_lack() -> None:
    assert uses() == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import os\nos.killpg(1, 9)", ["os.killpg"]),
        ("from signal import SIGKILL", ["signal.SIGKILL"]),
        ("import fcntl", ["fcntl"]),
        ("start(words, start_new_session=True)", ["start_new_session="]),
        ("asyncio.get_running_loop().add_reader(0, f)", ["add_reader"]),
        ("open('/proc/self/statm')", ["'/proc/self/statm'"]),
        ("import sys\nif sys.platform == 'win32': pass", ["sys.platform"]),
        ("import os, signal\nos.replace(a, b); signal.SIGINT", []),
    ],
)
def test_uses_of_what_some_systems_lack_are_found(code: str, found: list[str]) -> None:
    assert [name for _, name in uses_in(ast.walk(ast.parse(code)))] == found


def test_texts_in_the_encoding_of_the_system_are_found() -> None:
    code = (
        "p.read_text()\np.write_text(t, 'utf-8')\np.write_text(t, 'utf-8', newline='')\np.read_text('ascii')"
    )
    assert [line for line, _ in texts_without_encoding(ast.walk(ast.parse(code)))] == [1, 2]


def test_files_have_names_that_all_systems_take() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, timeout=60
    ).stdout.decode()
    paths = [PurePosixPath(path) for path in listed.split("\0") if path]
    folded = Counter(str(path).casefold() for path in paths)
    assert [path for path, count in folded.items() if count > 1] == []
    odd = [
        str(path)
        for path in paths
        if re.search(r'[<>:"\\|?*\x00-\x1f]|[. ](?:/|$)', str(path))
        or any(map(RESERVED.fullmatch, path.parts))
    ]
    assert odd == []
    assert max(len(str(path)) for path in paths) < 160
