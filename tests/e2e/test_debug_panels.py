"""Pages of the debug session's panels in a browser, with a host that is made up: hidden and seen again, light and dark."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Browser, Frame, expect

from shlo.runner.tensors.planes import described, plane_json

from .conftest import ROOT
from .test_pages import theme, violations
from .test_vscode_debug_views import COLOURS

__all__ = ["theme"]
DIST = ROOT / "vscode-extension" / "dist"
COLOR_NAMES = [
    "foreground",
    "editor-background",
    "panel-background",
    "input-background",
    "dropdown-background",
    "dropdown-foreground",
    "focusBorder",
    "errorForeground",
    "list-hoverBackground",
    "list-inactiveSelectionBackground",
]
THEMES = {
    "light": [
        "#3b3b3b",
        "#ffffff",
        "#f8f8f8",
        "#ffffff",
        "#ffffff",
        "#3b3b3b",
        "#005fb8",
        "#f85149",
        "#f2f2f2",
        "#e4e6f1",
    ],
    "dark": [
        "#cccccc",
        "#1f1f1f",
        "#181818",
        "#313131",
        "#313131",
        "#cccccc",
        "#0078d4",
        "#f85149",
        "#2a2d2e",
        "#37373d",
    ],
}
"""Colours of VS Code's own themes."""
HOST = """<!doctype html><html lang="en"><title>host</title><iframe title="panel" style="border: 0; width: 480px; height: 600px"></iframe>
<script>const said = []; addEventListener('message', ({data}) => said.push(data));</script></html>"""
PAGE = """<!doctype html><html lang="en"><head><title>panel</title><style>{colors}{css}</style></head><body data-view="{view}">
<script>const acquireVsCodeApi = () => ({{ postMessage: message => parent.postMessage(message, '*') }});</script>
<script>{script}</script></body></html>"""
SEND = "message => document.querySelector('iframe').contentWindow.postMessage(message, '*')"
SEND_HIDDEN = """data => {
  const frame = document.querySelector('iframe');
  frame.style.display = 'none';
  frame.contentWindow.dispatchEvent(new MessageEvent('message', { data }));
  frame.style.display = '';
}"""
"""A message that arrives while the panel is hidden, between two renderings: no observer sees that."""
NUMBERS = np.sin(np.arange(1024, dtype=np.float32)).reshape(32, 32)
TENSORS: dict[str, Any] = {
    "kind": "tensors",
    "position": 3,
    "isNewest": False,
    "tensors": [
        {"tensor": name, "title": title, "kind": kind, "type": "32x32xfloat32", "shape": [32, 32], "note": ""}
        for name, title, kind in (
            ("%1", "%1", "followed"),
            ("%0", "%0", "pinned"),
            ("#1", "%0 at step 1", "kept"),
        )
    ],
}
TIMELINE = {
    "position": 4,
    "last": 9,
    "isDone": False,
    "depths": [1, 1, 2, 2, 3, 3, 2, 2, 1, 1],
    "breakpoints": [2],
    "rounds": [4],
    "stops": [0, 4],
    "round": 1,
    "process": "(0)",
}


def cell(process: int, **more: Any) -> dict[str, Any]:
    return {
        "process": process,
        "label": f"({process})",
        "coordinates": [process],
        "status": "waiting",
        "operation": "all_reduce",
        "line": 4,
        "steps": 7,
        "waitsFor": [1 - process],
        "awaited": "one",
        "isInCycle": True,
        "isGuilty": False,
        "isNotThere": False,
        **more,
    }


GRID: dict[str, Any] = {
    "axes": [{"name": "replica", "size": 4}],
    "total": 4,
    "start": 0,
    "selected": 2,
    "cycle": [0, 1],
    "cells": [
        cell(0, isGuilty=True),
        cell(1),
        cell(2, status="ready", waitsFor=[], awaited="", isInCycle=False),
        cell(3, status="done", waitsFor=[], awaited="", isInCycle=False, isNotThere=True),
    ],
    "lines": ["deadlock: 2 processes wait for one another", "process (0) is to blame"],
}
PANELS = {
    "tensor": TENSORS,
    "timeline": {"kind": "timeline", "timeline": TIMELINE},
    "grid": {"kind": "grid", "grid": GRID},
}
Panel = Callable[[str], Frame]


@pytest.fixture
def panel(browser: Browser, theme: str) -> Panel:
    """Returns a function that opens a panel's page; what it says is in the list `said` of the page around it."""
    if not (DIST / "debug.js").exists():
        pytest.skip("the pages are not built: make vsix")
    script, css = [(DIST / f"debug.{suffix}").read_text(encoding="utf-8") for suffix in ("js", "css")]

    def open_panel(view: str) -> Frame:
        named = zip(COLOR_NAMES, THEMES[theme], strict=True)
        paper = "editor" if view == "tensor" else "panel"
        colors = f":root {{ {' '.join(f'--vscode-{name}: {color};' for name, color in named)} }}"
        colors += f" body {{ background: var(--vscode-{paper}-background); }}"
        page = browser.new_page(color_scheme="dark" if theme == "dark" else "light", offline=True)
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.set_content(HOST)
        html = PAGE.format(colors=colors, css=css, view=view, script=script)
        page.locator("iframe").evaluate("(frame, html) => { frame.srcdoc = html; }", html)
        page.wait_for_function("said.some(({kind}) => kind === 'ready')")
        return page.frames[1]

    return open_panel


def answer(frame: Frame) -> None:
    """Answers the newest question for a plane, once it is there."""
    asked = frame.page.wait_for_function("said.findLast(({kind}) => kind === 'ask')").json_value()
    part = plane_json(described(NUMBERS), asked["slice"])
    frame.page.evaluate(SEND, {"kind": "plane", "number": asked["number"], "plane": part})
    frame.page.evaluate("said.length = 0")


def settle(frame: Frame) -> None:
    """Waits until what changed is on the screen."""
    frame.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_a_tensor_that_came_while_its_panel_was_hidden_is_drawn_when_it_is_seen(panel: Panel) -> None:
    frame = panel("tensor")
    page = frame.page
    page.evaluate(SEND, TENSORS)
    page.wait_for_function("said.some(({kind}) => kind === 'ask')")
    settle(frame)
    page.evaluate("said.length = 0")  # the program goes on before an answer
    page.evaluate(SEND_HIDDEN, {**TENSORS, "position": 4})
    answer(frame)
    canvas = frame.locator("shlo-tensor-view .plane canvas")
    expect(canvas).to_have_attribute("aria-label", re.compile("^Heat map of %1"))
    assert len(canvas.evaluate(COLOURS)) > 10


def test_a_timeline_that_came_while_its_panel_was_hidden_is_drawn_when_it_is_seen(panel: Panel) -> None:
    frame = panel("timeline")
    page = frame.page
    page.evaluate(SEND, PANELS["timeline"])
    canvas = frame.locator("canvas")
    expect(canvas).to_have_attribute("aria-label", re.compile("^step 4 "))
    settle(frame)
    before = canvas.evaluate("canvas => canvas.toDataURL()")
    page.evaluate(SEND_HIDDEN, {"kind": "timeline", "timeline": {**TIMELINE, "position": 9}})
    expect(canvas).to_have_attribute("aria-label", re.compile("^step 9 "))
    settle(frame)
    assert canvas.evaluate("canvas => canvas.toDataURL()") != before


@pytest.mark.parametrize("view", PANELS)
def test_a_panel_has_names_roles_and_contrast(panel: Panel, view: str, theme: str, screenshots: Path) -> None:
    frame = panel(view)
    frame.page.evaluate(SEND, PANELS[view])
    if view == "tensor":
        answer(frame)
        expect(frame.locator("shlo-tensor-view .statistics")).to_contain_text("1,024 elements")
    expect(frame.locator("section")).to_be_visible()
    frame.page.screenshot(path=screenshots / f"panel-{view}-{theme}.png")
    assert violations(frame) == []
