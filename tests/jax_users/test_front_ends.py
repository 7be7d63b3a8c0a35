"""`shlo.debug` in a script opens the debugger's screen where there is a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import shlo

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

SCRIPT = """
import jax.numpy as jnp, shlo

def loss(params, x):
    return jnp.sqrt(params["w"] - x)

shlo.debug(loss, {"w": jnp.ones(3)}, jnp.arange(3.0))
print("the script goes on".upper())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of POSIX")
def test_a_script_on_a_terminal_shows_the_screen_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    terminal, inside = os.openpty()
    child = subprocess.Popen(
        [sys.executable, str(tmp_path / "script.py")],
        stdin=inside,
        stdout=inside,
        stderr=inside,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"},
        start_new_session=True,
    )
    os.close(inside)
    shown, is_left = b"", False
    while b"THE SCRIPT GOES ON" not in shown:  # which the screen's Python file does not have
        shown += os.read(terminal, 65536)
        if not is_left and b"params['w']" in shown:
            is_left = bool(os.write(terminal, b"q"))
    assert child.wait() == 0
    os.close(terminal)
    assert is_left, "the screen has not shown the arguments by JAX's names"


def test_without_a_terminal_the_message_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "__stdin__", None)
    with pytest.raises(shlo.RequestError, match="standard input is no terminal") as caught:
        shlo.debug(lambda x: x, 1.0)
    assert caught.value.hint == "front_end=FUNCTION gets the session instead"
