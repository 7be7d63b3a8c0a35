"""Errors of a user's own function are shown with the user's own lines, in a script as in a notebook."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.oracle

SCRIPT = """
import jax, jax.numpy as jnp, numpy as np, shlo

def inner(x):
    return x + jnp.ones(4)

def loss(x):
    return jax.vmap(inner)(x).sum()

def chained(x):
    try:
        return inner(x)
    except TypeError as error:
        raise ValueError("mine") from error

def two(x, y):
    return x + y

def front_end(session):
    return {}["key"]

x = jnp.ones((2, 3))
"""
FRAME = re.compile(r'  File ".*", line \d+, in (.*)')

CASES = {
    "shlo.run(loss, x)": (["loss", "inner"], "TypeError: add got incompatible shapes"),
    "shlo.debug(jax.jit(jax.grad(loss)), x)": (["loss", "inner"], "TypeError: add got incompatible"),
    "shlo.check(chained, x[0])": (
        ["chained", "inner", "chained"],
        "ValueError: mine",
    ),
    "shlo.debug(two, x, 1.0, front_end=front_end)": (["front_end"], "KeyError: 'key'"),
    "shlo.show(two, x)": ([], "shlo.ir.diagnostics.RequestError: two: missing a required argument: 'y'"),
    "shlo.cost(jax.jit(two), x, x, x)": (
        [],
        "shlo.ir.diagnostics.RequestError: two: too many positional arguments",
    ),
    "shlo.run(jax.jit(two).lower(x, x), x, x[0])": (
        [],
        "shlo.ir.diagnostics.RequestError: argument `y` has shape (3,), expected (2, 3)",
    ),
}
ALL = """
import traceback
for call in {calls!r}:
    print("#", call)
    try:
        exec(compile(call, __file__, "exec"))
    except Exception:
        traceback.print_exc(file=__import__("sys").stdout)
"""


def shown(folder: Path, **environment: str) -> dict[str, list[str]]:
    """Returns the lines that each call shows, of a script that makes them all."""
    path = folder / "train.py"
    path.write_text(SCRIPT + ALL.format(calls=list(CASES)))
    done = subprocess.run(
        [sys.executable, str(path)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=200,
        check=True,
    )
    parts = re.split(r"^# (.*)\n", done.stdout, flags=re.MULTILINE)[1:]
    return {call: text.splitlines() for call, text in zip(parts[::2], parts[1::2])}


def test_tracebacks_have_the_lines_of_the_script_alone(tmp_path: Path) -> None:
    found = shown(tmp_path)
    for call, (functions, message) in CASES.items():
        frames = [match[1] for line in found[call] if (match := FRAME.fullmatch(line))]
        assert [each for each in frames if each != "<module>"] == functions, found[call]
        assert all("train.py" in line for line in found[call] if FRAME.fullmatch(line))
        assert found[call][-1].startswith(message)


def test_all_frames_are_shown_where_jax_is_to_show_its_own(tmp_path: Path) -> None:
    found = shown(tmp_path, JAX_TRACEBACK_FILTERING="off")["shlo.run(loss, x)"]
    assert any("jax" in line and "site-packages" in line for line in found)
    assert any("lowering.py" in line for line in found)
