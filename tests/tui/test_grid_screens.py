"""Pictures of a grid of processes, narrow and wide, small and of a thousand, and on poorer terminals."""

from __future__ import annotations

import pytest

from .conftest import EXAMPLES, app_of, keys
from .programs import RING, SUM
from .test_screens import LOOKS, NARROW, WIDE

DEADLOCK = "examples/deadlock.mlir"
CROSSED = {"grid": (2, 1), "entry": "replica_{replica}"}
WAITING = ("m", "s", "greater_than_sign", "5", "down")

SCENES = {
    "waiting": (SUM, {"grid": (2, 4)}, WAITING),
    "thousand": (SUM, {"grid": (4, 256)}, (*WAITING, "end", "up")),
    "compared": (SUM, {"grid": (2, 4)}, ("m", "equals_sign")),
    "messages": (RING, {"grid": (1, 3)}, ("m", "m", "e")),
    "zoomed": (
        SUM.replace("[[0, 1]]> : tensor<1x2", "[[0, 1, 2, 3]]> : tensor<1x4"),
        {"grid": (4, 40)},
        (*WAITING, "z"),
    ),
}
"""A program, its grid, and keys for each picture."""


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
@pytest.mark.parametrize("scene", SCENES)
def test_grid(scene, size, write, snap_compare):
    text, options, presses = SCENES[scene]
    app = app_of(write(text), zeros=True, **options)
    assert snap_compare(app, terminal_size=size, run_before=keys(presses))


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
def test_deadlock(size, snap_compare, monkeypatch):
    monkeypatch.chdir(EXAMPLES.parent)
    app = app_of(DEADLOCK, "1.0", **CROSSED)
    assert snap_compare(app, terminal_size=size, run_before=keys(["c"]))


@pytest.mark.parametrize("appearance", LOOKS)
def test_grid_on_a_poorer_terminal(appearance, write, snap_compare):
    app = app_of(write(SUM), appearance=LOOKS[appearance], zeros=True, grid=(2, 4))
    assert snap_compare(app, terminal_size=NARROW, run_before=keys(WAITING))


@pytest.mark.parametrize("appearance", LOOKS)
def test_deadlock_on_a_poorer_terminal(appearance, snap_compare, monkeypatch):
    monkeypatch.chdir(EXAMPLES.parent)
    app = app_of(DEADLOCK, "1.0", appearance=LOOKS[appearance], **CROSSED)
    assert snap_compare(app, terminal_size=NARROW, run_before=keys(["c"]))
