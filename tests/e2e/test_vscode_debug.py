"""F5 in VS Code's own workbench: programs stepped both ways inside its debugger."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Locator, expect

from tests.dap.conftest import address_of

from .conftest import ROOT
from .workbench import Workbench, picture, until

EXAMPLES = ROOT / "examples"
ENDLESS = """func.func @main() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %out = stablehlo.while(%i = %zero) : tensor<i32>
  cond { stablehlo.return %yes : tensor<i1> } do {
    %next = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  return %out : tensor<i32>
}
"""


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with a program that JAX printed, its Python, and one that ends in a deadlock."""
    folder = tmp_path_factory.mktemp("debug")
    for name in ("diverging.mlir", "lower_diverging.py", "squares.mlir", "deadlock.mlir"):
        shutil.copy(EXAMPLES / name, folder)
    (folder / "endless.mlir").write_text(ENDLESS)
    return folder


def begin(code: Workbench, name: str) -> None:
    """Opens a program and presses F5, until it stops on entry."""
    code.open(name)
    code.lenses.filter(has_text="Debug").first.wait_for()
    code.page.keyboard.press("F5")


def rows(code: Workbench, view: str) -> Locator:
    """Returns the rows of a view of the debugger."""
    return code.page.locator(f".{view} .monaco-list-row")


def stopped_on(code: Workbench, text: str) -> None:
    """Waits until the session stands on a line that contains a text: it is in the call stack and has the mark."""
    expect(code.page.locator(".debug-toolbar")).to_be_visible()
    expect(rows(code, "debug-call-stack").filter(has_text=text).first).to_be_visible()


def value(code: Workbench, name: str) -> Locator:
    """Returns the row of a value in the view of variables, where Python's name may follow its own."""
    return rows(code, "debug-variables").filter(has_text=re.compile(rf"{re.escape(name)}(?: \(\w+\))?\s*="))


@pytest.mark.seconds(240)
def test_a_program_that_jax_printed_is_debugged(code: Workbench, screenshots: Path) -> None:
    begin(code, "diverging.mlir")
    page = code.page
    stopped_on(code, "@main: stablehlo.iota")
    page.keyboard.press("F10")
    stopped_on(code, "@main: stablehlo.multiply")
    expect(value(code, "%0")).to_contain_text("0..1023")
    expect(code.lines.filter(has_text="%0 = stablehlo.iota")).to_contain_text("0..1023")  # behind its line
    picture(page, screenshots / "vscode-debug-step.png")

    code.lines.filter(has_text="%6 = stablehlo.add").first.click()
    page.keyboard.press("F9")
    expect(page.locator(".codicon-debug-breakpoint")).not_to_have_count(0)
    page.keyboard.press("F5")
    stopped_on(code, "@main: stablehlo.add")
    expect(value(code, "%5")).to_be_visible()
    page.locator(".debug-toolbar .codicon-debug-step-back").click()
    stopped_on(code, "@main: stablehlo.multiply")
    expect(value(code, "%5")).to_have_count(0)

    rows(code, "debug-call-stack").filter(has_text="lower_diverging.py").first.dblclick()
    page.locator(".tab", has_text="lower_diverging.py").wait_for()
    picture(page, screenshots / "vscode-debug-python.png")
    rows(code, "debug-call-stack").filter(has_text="@main").first.dblclick()

    nan = rows(code, "debug-breakpoints").filter(has_text=re.compile("^NaN"))
    nan.locator("input[type=checkbox]").check()
    page.keyboard.press("F5")  # to the breakpoint
    stopped_on(code, "@main: stablehlo.add")
    page.keyboard.press("F5")
    widget = page.locator(".exception-widget")
    expect(widget).to_contain_text("it became NaN in stablehlo.divide")
    picture(page, screenshots / "vscode-debug-nan.png")
    page.keyboard.press("Shift+F5")
    expect(page.locator(".debug-toolbar")).to_be_hidden()


@pytest.mark.seconds(240)
def test_values_are_watched_shown_where_the_mouse_rests_and_set(code: Workbench, screenshots: Path) -> None:
    begin(code, "squares.mlir")
    page = code.page
    page.locator(".quick-input-list .monaco-list-row", has_text="Literals").click()
    page.locator(".quick-input-widget input").first.fill("20")
    page.keyboard.press("Enter")
    stopped_on(code, "@main: stablehlo.constant")
    page.keyboard.press("F10")
    stopped_on(code, "@main: stablehlo.constant")
    row = value(code, "%zero")
    expect(row).to_contain_text("0")
    row.locator(".value").dblclick()
    page.locator(".debug-variables input:focus").wait_for()
    page.keyboard.press("Control+A")
    page.keyboard.type("17")
    page.keyboard.press("Enter")
    expect(row).to_contain_text("17")

    page.locator(".pane-header", has_text="Watch").hover()
    page.locator(".codicon-watch-expressions-add").click()
    page.locator(".debug-watch input:focus").wait_for()
    page.keyboard.type("%zero + %n")
    page.keyboard.press("Enter")
    expect(rows(code, "debug-watch").first).to_contain_text("37")

    code.lines.filter(has_text="%square =").click()
    code.command("Debug: Add Conditional Breakpoint")
    page.locator(".breakpoint-widget .monaco-editor.focused").wait_for()
    page.keyboard.type("%i == 19")
    page.keyboard.press("Enter")
    page.keyboard.press("F5")
    stopped_on(code, "body of @main, round 2: stablehlo.convert")
    code.rest_on("%product", line="%square", shows="105")
    picture(page, screenshots / "vscode-debug-hover.png")
    page.keyboard.press("F5")
    expect(rows(code, "debug-call-stack").filter(has_text="the end").first).to_be_visible()
    page.keyboard.press("Shift+F5")
    expect(page.locator(".debug-toolbar")).to_be_hidden()


@pytest.mark.seconds(240)
def test_a_call_in_a_python_process_is_attached_to_and_left_where_it_is(
    code: Workbench, folder: Path, screenshots: Path
) -> None:
    program = folder / "squares.mlir"
    call = f"shlo.debug({str(program)!r}, numpy.int32(20), listen='127.0.0.1:0')"
    command = [sys.executable, "-c", f"import numpy, shlo; {call}"]
    page = code.page
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            port, token = address_of(process.stderr.readline())  # the editor has another folder for caches
            (folder / ".vscode").mkdir()
            attach = {"type": "shlo", "request": "attach", "name": "Attach", "port": port, "token": token}
            configurations = json.dumps({"version": "0.2.0", "configurations": [attach]})
            (folder / ".vscode" / "launch.json").write_text(configurations)
            begin(code, program.name)
            stopped_on(code, "@main: stablehlo.constant")
            page.keyboard.press("F10")
            page.keyboard.press("F10")
            stopped_on(code, "@main: stablehlo.while")
            expect(value(code, "%one")).to_contain_text("1")
            picture(page, screenshots / "vscode-debug-attached.png")
            page.keyboard.press("Shift+F5")
            expect(page.locator(".debug-toolbar")).to_be_hidden()
            assert process.poll() is None
            page.keyboard.press("F5")
            stopped_on(code, "@main: stablehlo.while")
        finally:
            process.kill()


def adapters(folder: Path) -> Iterator[Path]:
    """Yields the processes of debug adapters for programs of a folder, in which they are started."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (
                Path(os.readlink(process / "cwd")) == folder
                and b"\0dap\0" in (process / "cmdline").read_bytes()
            ):
                yield process


@pytest.mark.seconds(240)
@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="processes are found in /proc")
def test_no_adapter_is_left_when_the_extension_host_or_the_window_is_gone(
    code: Workbench, folder: Path
) -> None:
    """While a program runs without end."""

    def run() -> Path:
        begin(code, "endless.mlir")
        stopped_on(code, "@main: stablehlo.constant")
        code.page.locator(".debug-toolbar .codicon-debug-continue").click()
        expect(code.page.locator(".debug-toolbar .codicon-debug-pause")).to_be_visible()
        (adapter,) = adapters(folder)
        return adapter

    host = re.search(r"^PPid:\s*(\d+)", (run() / "status").read_text(), re.MULTILINE)
    assert host
    os.kill(int(host[1]), signal.SIGKILL)
    until(lambda: not list(adapters(folder)), code.page)
    run()
    assert code.page.context.browser
    elsewhere = code.page.context.browser.new_page()
    code.close()
    until(lambda: not list(adapters(folder)), elsewhere)
