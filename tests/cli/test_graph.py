"""`shlo graph`: pages, outlines, other formats, and what a run saw."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.conftest import Shlo
from tests.graph.test_graph import SCOPED


def test_what_a_run_saw_is_on_the_nodes(shlo: Shlo, tmp_path: Path) -> None:
    (tmp_path / "p.mlir").write_text(SCOPED)
    np.save(tmp_path / "x.npy", np.array([1, -1, 2], np.float32))
    done = shlo("graph", tmp_path / "p.mlir", "--run", tmp_path / "x.npy", "0", "--format", "json")
    assert done.code == 0
    data = json.loads(done.out)
    strings = data["strings"]
    special = {strings[label]: strings[mark] for label, mark in zip(data["label"], data["nonfinite"])}
    assert (special["log"], special["add"], special["while"]) == ("NaN", "", "NaN")
    outline = shlo("graph", tmp_path / "p.mlir", "--run", tmp_path / "x.npy", "0", "--text").out
    assert re.search(r"^    inner  1 op; 1 log; 24 bytes; 1 op with NaN$", outline, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("1",), "arguments are for a run"),
        (("--run", "1"), "takes 2"),
        (("--format", "dot"), "invalid choice"),
    ],
)
def test_what_cannot_be_drawn_says_why(shlo: Shlo, tmp_path: Path, arguments: Any, words: str) -> None:
    (tmp_path / "p.mlir").write_text(SCOPED)
    done = shlo("graph", tmp_path / "p.mlir", *arguments)
    assert done.code == 2
    assert words in done.err
