"""The extension as an IDE in VS Code's own workbench: tests, debugging, arguments, other texts, comparisons."""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("playwright")

from playwright.sync_api import TimeoutError, expect

import shlo
import shlo_bytecode

from .code_server import SELECTED
from .conftest import ROOT, Start, find_tool
from .other_extension import web_part
from .programs import PROGRAMS
from .test_vscode_bytecode import wait_for_extension
from .workbench import Workbench, picture, until

FAILING = """func.func @holds() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %x, dense<[1, 2]> : tensor<2xi32>
  return
}
func.func @fails() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %x, dense<[1, 3]> : tensor<2xi32>
  %y = stablehlo.add %x, %x : tensor<2xi32>
  return
}
"""
DOUBLE = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
DARK = {"workbench.colorTheme": "Default Dark Modern"}


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with programs, tests and arrays; a git repository with bytecode that changed."""
    folder = tmp_path_factory.mktemp("ide")
    for name in ("data_parallel", "checks"):
        shutil.copy(ROOT / "examples" / f"{name}.mlir", folder)
    (folder / "softmax.mlir").write_text(PROGRAMS["softmax"])
    (folder / "failing.mlir").write_text(FAILING)
    (folder / "double.mlir").write_text(DOUBLE)
    np.savez(folder / "double.npz", x=np.array([20.5, 4], np.float32))
    (folder / "one.mlirbc").write_bytes(shlo_bytecode.write(shlo.parse(DOUBLE)))
    (folder / "two.mlirbc").write_bytes(shlo_bytecode.write(shlo.parse(DOUBLE.replace("add", "multiply"))))
    return folder


def test_the_testing_view_finds_runs_and_watches_tests(
    code: Workbench, folder: Path, screenshots: Path
) -> None:
    code.open("failing.mlir")
    page = code.page
    code.lenses.filter(has_text="Test").first.wait_for()
    code.command("Testing: Focus on Test Explorer View")
    rows = page.locator(".test-explorer .monaco-list-row")
    expect(rows.filter(has_text="failing.mlir")).to_be_visible()
    expect(rows.filter(has_text="checks.mlir")).to_be_visible()
    expect(rows.filter(has_text="softmax.mlir")).to_have_count(0)  # it holds no check
    code.command("Test: Run All Tests")
    expect(rows.filter(has_text="failing.mlir").locator(".codicon-testing-failed-icon")).to_be_visible()
    expect(rows.filter(has_text="checks.mlir").locator(".codicon-testing-passed-icon")).to_be_visible()
    code.command("Problems: Focus on Problems View")
    problem = page.locator(".markers-panel .monaco-list-row", has_text="expected equal tensors")
    expect(problem).to_contain_text("[Ln 8, Col 3]")
    picture(page, screenshots / "vscode-testing.png")
    code.command("Test: Run All Tests with Coverage")
    expect(page.locator(".coverage-deco-hit")).not_to_have_count(0)
    expect(page.locator(".coverage-deco-miss")).not_to_have_count(0)  # behind the check that fails
    picture(page, screenshots / "vscode-testing-coverage.png")
    code.lines.filter(has_text="func.func @fails").click()
    code.command("Test: Debug Test at Cursor")
    expect(page.locator(".exception-widget")).to_contain_text("expected equal tensors")
    picture(page, screenshots / "vscode-testing-debug.png")
    page.keyboard.press("Shift+F5")
    expect(page.locator(".debug-toolbar")).to_be_hidden()
    code.command("Testing: Focus on Test Explorer View")
    code.command("Test: Start Continuous Run")
    with suppress(TimeoutError):
        page.locator(".quick-input-list .monaco-list-row").first.click(timeout=3000)
    path = folder / "failing.mlir"
    path.write_text(FAILING.replace("[1, 3]", "[1, 2]"))
    expect(rows.filter(has_text="failing.mlir").locator(".codicon-testing-passed-icon")).to_be_visible()
    expect(problem).to_have_count(0)
    picture(page, screenshots / "vscode-testing-watch.png")


@pytest.mark.core
def test_f5_stops_at_a_breakpoint_that_f9_sets(code: Workbench, screenshots: Path) -> None:
    code.open("softmax.mlir")  # which has no @main
    page = code.page
    code.lenses.filter(has_text="Debug").first.wait_for()
    code.lines.filter(has_text="stablehlo.divide").click()
    page.keyboard.press("F9")
    expect(page.locator(".codicon-debug-breakpoint")).to_have_count(1)
    page.keyboard.press("F5")
    frames = page.locator(".debug-call-stack .monaco-list-row")
    expect(frames.first).to_contain_text("@softmax: stablehlo.constant")
    page.keyboard.press("F5")
    expect(frames.first).to_contain_text("@softmax: stablehlo.divide")
    expect(page.locator(".monaco-dialog-box")).to_have_count(0)
    picture(page, screenshots / "vscode-f5.png")


def test_f5_asks_for_arguments_once(code: Workbench) -> None:
    code.open("double.mlir")
    page = code.page
    code.lenses.filter(has_text="Debug").first.wait_for()
    page.keyboard.press("F5")
    page.locator(".quick-input-list .monaco-list-row", has_text="double.npz").click()
    frames = page.locator(".debug-call-stack .monaco-list-row")
    values = page.locator(".debug-variables .monaco-list-row")
    for _ in range(2):
        expect(frames.first).to_contain_text("@main: stablehlo.add")
        expect(values.filter(has_text="%x")).to_contain_text("20.5")
        page.keyboard.press("Shift+F5")
        expect(page.locator(".debug-toolbar")).to_be_hidden()
        page.keyboard.press("F5")  # nothing is asked for


def test_arguments_are_chosen_once_and_remembered(code: Workbench, folder: Path, screenshots: Path) -> None:
    code.open("double.mlir")
    page = code.page
    code.lenses.filter(has_text="Arguments…").first.click()
    rows = page.locator(".quick-input-list .monaco-list-row")
    expect(rows.first).to_contain_text("double.npz")
    picture(page, screenshots / "vscode-arguments.png")
    rows.first.click()
    lens = code.lenses.filter(has_text="Run (double.npz)")
    lens.click()
    results = page.locator(".editor-group-container").last.locator(".view-lines")
    expect(results).to_contain_text("[41")
    expect(results).to_contain_text("8")
    picture(page, screenshots / "vscode-arguments-run.png")
    code.restart()
    code.lenses.filter(has_text="Run (double.npz)").wait_for()


def test_a_sharded_program_says_so_and_is_run_as_a_grid(code: Workbench, screenshots: Path) -> None:
    code.open("data_parallel.mlir")
    page = code.page
    code.lenses.filter(has_text="Run").first.click()
    notice = code.notice("is for a grid of")
    picture(page, screenshots / "vscode-grid-notice.png")
    notice.get_by_role("button", name="Run on").click()
    terminal = page.locator(".terminal-wrapper.active .xterm-rows")
    expect(terminal).to_contain_text("process")
    picture(page, screenshots / "vscode-grid.png")


def test_other_texts_of_a_program_open_beside_it(code: Workbench, screenshots: Path) -> None:
    code.open("softmax.mlir")
    page = code.page
    code.lenses.first.wait_for()
    other = page.locator(".editor-group-container").last.locator(".view-lines")
    for command, name, text in (
        ("StableHLO: Show Generic Text", "softmax (generic).mlir", '"stablehlo.reduce"'),
        ("StableHLO: Show Folded Program", "softmax (folded).mlir", "stablehlo.constant"),
    ):
        code.command(command)
        expect(page.locator(".tab.active", has_text=name)).to_be_visible()
        expect(other).to_contain_text(text)
        page.locator(".editor-group-container").first.locator(".view-line").nth(1).click()
    picture(page, screenshots / "vscode-show.png")


def is_alive(pid: str) -> bool:
    """Returns whether a process runs; one that has ended and that nobody has waited for does not."""
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and ") Z " not in status.read_text()


def compare_selected(code: Workbench) -> None:
    code.choose_for_file("one.mlirbc", "Select for Compare")
    code.choose_for_file("two.mlirbc", "Compare with Selected")


def test_bytecode_is_compared_as_text(code: Workbench, screenshots: Path) -> None:
    page = code.page
    page.goto(code.server.address(code.folder))
    page.locator(".explorer-folders-view .monaco-list-row", has_text="one.mlirbc").wait_for()
    wait_for_extension(page)
    compare_selected(code)
    diff = page.locator(".monaco-diff-editor")
    expect(diff.locator(".editor.original .view-lines")).to_contain_text("stablehlo.add")
    expect(diff.locator(".editor.modified .view-lines")).to_contain_text("stablehlo.multiply")
    expect(page.locator(".tab")).to_have_count(1)
    expect(page.locator(".tab")).to_contain_text("two.mlirbc: 1 function differs")
    picture(page, screenshots / "vscode-bytecode-compare.png")


def test_source_control_shows_a_diff_of_bytecode(code: Workbench, folder: Path, screenshots: Path) -> None:
    find_tool("git")
    git = ("git", "-c", "user.name=x", "-c", "user.email=x@y", "-C", str(folder))
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        subprocess.run([*git, *words], check=True)
    shutil.copy(folder / "two.mlirbc", folder / "one.mlirbc")
    page = code.page
    page.goto(code.server.address(folder))
    page.locator(".explorer-folders-view .monaco-list-row", has_text="one.mlirbc").wait_for()
    wait_for_extension(page)
    code.command("Source Control: Focus on Changes View")
    row = page.locator(".scm-view .monaco-list-row", has_text="one.mlirbc")
    row.click()
    diff = page.locator(".monaco-diff-editor")
    expect(diff.locator(".editor.original .view-lines")).to_contain_text("stablehlo.add")
    expect(diff.locator(".editor.modified .view-lines")).to_contain_text("stablehlo.multiply")
    expect(page.locator(".tab.active")).to_contain_text("(Working Tree): 1 function differs")
    picture(page, screenshots / "vscode-bytecode-source-control.png")


def test_a_server_that_hangs_is_ended_and_settings_are_offered(
    start: Start, tmp_path: Path, screenshots: Path
) -> None:
    pids = tmp_path / "pids"
    script = f"sleep 1000 & echo $! >> {pids}; wait"
    wrong = {"shlo.server.command": ["sh", "-c", script], "shlo.server.timeout": 3}
    code = start({**SELECTED, "shlo.server.timeout": 3})
    code.server.set({**SELECTED}, machine=wrong)
    code.open("softmax.mlir")
    page = code.page
    notice = code.notice("gave no answer within 3 s")
    assert notice.get_by_role("button", name="Create Environment").count() == 0
    item = page.locator(".statusbar-item", has_text="shlo: no server")
    expect(item).to_be_visible()
    picture(page, screenshots / "vscode-hanging.png")
    until(lambda: not any(map(is_alive, pids.read_text().split())), page)
    notice.get_by_role("button", name="Open Settings").click()
    expect(page.locator(".settings-editor")).to_contain_text("Server: Command")
    code.server.set({**SELECTED})
    code.open("softmax.mlir")
    code.point_at("%y", line="return", shows="tensor<2x3xf32>")


def test_a_message_that_no_server_runs_has_a_button_that_starts_one(
    start: Start, tmp_path: Path, screenshots: Path
) -> None:
    command, is_there = tmp_path / "command", tmp_path / "is-there"
    command.write_text(f'#!/bin/sh\ntest -e {is_there} || exit 1\nexec {sys.executable} -m shlo "$@"\n')
    command.chmod(0o755)
    code = start(SELECTED)
    code.server.set(SELECTED, machine={"shlo.server.command": [str(command)]})
    code.open("softmax.mlir")
    code.notice("shlo finds no language server")
    code.command("StableHLO: Check File")
    notice = code.notice("softmax.mlir needs shlo, and no server is running")
    picture(code.page, screenshots / "vscode-restart.png")
    is_there.touch()
    notice.get_by_role("button", name="Restart").click()
    expect(code.page.locator(".statusbar-item", has_text=f"shlo {shlo.__version__}")).to_be_visible()
    code.point_at("%y", line="return", shows="tensor<2x3xf32>")


def test_changes_that_are_not_saved_are_asked_about_before_the_terminal_gets_the_file(
    start: Start, folder: Path, screenshots: Path
) -> None:
    code = start({**SELECTED, "files.autoSave": "off"})
    code.open("softmax.mlir")
    page, file = code.page, folder / "softmax.mlir"
    code.lenses.filter(has_text="Debug").first.wait_for()
    code.lines.filter(has_text="return").click()
    page.keyboard.press("End")
    page.keyboard.type(" ")
    changed = page.locator(".tab.dirty", has_text="softmax.mlir")
    terminal = page.locator(".tab", has_text="shlo debug softmax.mlir")
    question = page.locator(".monaco-dialog-box")
    for answer, is_saved in (("Cancel", False), ("Use the Saved File", False), ("Save", True)):
        expect(changed).to_be_visible()
        code.command("StableHLO: Debug in Terminal")
        expect(question).to_contain_text("softmax.mlir has changes that are not saved")
        picture(page, screenshots / "vscode-not-saved.png")
        question.get_by_role("button", name=answer, exact=True).click()
        expect(question).to_have_count(0)
        if answer == "Cancel":
            continue
        expect(terminal).to_be_visible()
        expect(page.locator(".editor-container .xterm-rows")).to_contain_text("@softmax")
        expect(changed).to_have_count(0 if is_saved else 1)
        assert (file.read_text() == PROGRAMS["softmax"]) != is_saved
        page.keyboard.press("q")
        expect(terminal).to_have_count(0)


def test_the_status_item_names_the_server_and_has_a_menu(start: Start, screenshots: Path) -> None:
    code = start({**SELECTED, **DARK})
    code.open("softmax.mlir")
    page = code.page
    item = page.locator(".statusbar-item", has_text=f"shlo {shlo.__version__}")
    item.click()
    rows = page.locator(".quick-input-list .monaco-list-row")
    expect(rows.filter(has_text="Restart Server")).to_be_visible()
    picture(page, screenshots / "vscode-menu-dark.png")
    rows.filter(has_text="Get Started").click()
    walkthrough = page.locator(".gettingStartedContainer")
    expect(walkthrough).to_contain_text("Get Started with StableHLO")
    expect(walkthrough).to_contain_text("Run a function")
    picture(page, screenshots / "vscode-walkthrough-dark.png")


def test_settings_may_differ_by_folder(code: Workbench, folder: Path) -> None:
    (folder / ".vscode").mkdir()
    (folder / ".vscode" / "settings.json").write_text('{"shlo.run.seconds": 0.1}')
    (folder / "endless.mlir").write_text(PROGRAMS["endless"])
    code.open("endless.mlir")
    code.lenses.filter(has_text="Run").first.click()
    results = code.page.locator(".editor-group-container").last.locator(".view-lines")
    expect(results).to_contain_text("it took more than 0.1 s")
    code.command("Problems: Focus on Problems View")
    expect(code.page.locator(".markers-panel .monaco-list-row", has_text="Running @spin")).to_be_visible()


def test_in_a_browser_alone_programs_are_coloured_and_bytecode_says_why_it_has_no_text(
    start: Start, vsix: Path, tmp_path: Path, screenshots: Path
) -> None:
    code = start(SELECTED, web_part(vsix, tmp_path / "web.vsix"))
    code.open("softmax.mlir")
    code.colours({"%x": "", "tensor": "func.func"}, 2)
    code.command("StableHLO: Run Function")
    expect(code.notice("shlo is a Python program")).to_contain_text("Codespaces")
    code.page.locator(".explorer-folders-view .monaco-list-row", has_text="one.mlirbc").dblclick()
    expect(code.lines.filter(has_text="one.mlirbc is MLIR bytecode version 4")).to_be_visible()
    picture(code.page, screenshots / "vscode-web.png")


def test_a_signature_as_long_as_jax_writes_them_is_coloured(code: Workbench, folder: Path) -> None:
    arguments = ", ".join(f"%arg{number}: tensor<2x3xf32>" for number in range(1500))
    (folder / "long.mlir").write_text(f"func.func @main({arguments}) {{\n  return\n}}\n")
    code.open("long.mlir")
    code.colours({"%arg1": "", "func.func": ""}, 2)
