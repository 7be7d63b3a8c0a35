"""Paths as Windows writes them, where a path is a part of a longer text."""

from __future__ import annotations

import pytest

from shlo.jax_programs.kinds import script_of
from shlo.language.source_lines import is_same_file
from shlo.support.suffixes import PROGRAM_SUFFIXES, has_suffix


@pytest.mark.parametrize("script", [r"C:\models\train.py", "C:/models/train.py", r"..\train.py"])
def test_a_function_of_a_script_on_a_drive(script: str) -> None:
    assert script_of(f"{script}:loss") == (script, "loss")
    assert script_of(script) is None


def test_suffixes_in_capitals() -> None:
    assert has_suffix(r"C:\MODELS\MODEL.MLIR", *PROGRAM_SUFFIXES)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (r"C:\work\models\net.py", "models/net.py", True),
        (r"C:\work\models\net.py", "/home/jane/models/net.py", True),
        (r"C:\work\models\net.py", r"C:\work\other\net.py", False),
    ],
)
def test_a_file_of_another_machine_is_the_same(one: str, other: str, same: bool) -> None:
    assert is_same_file(one, other) == same
