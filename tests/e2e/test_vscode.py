"""The packaged extension in VS Code's own workbench: what a person sees and does."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Browser, Dialog, Locator, Page, expect

from .code_server import SELECTED, CodeServer
from .conftest import ROOT, Start, Witness, find_tool, missing
from .evidence import logged
from .other_extension import mlir_extension, python_extension
from .programs import PROGRAMS
from .workbench import Workbench, documentation, picture, run_in_extension_host, until

HOST_TESTS = ROOT / "vscode-extension" / "build" / "host"


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with programs."""
    folder = tmp_path_factory.mktemp("programs")
    for name in ("transformer", "checks"):
        shutil.copy(ROOT / "examples" / f"{name}.mlir", folder)
    for name, text in PROGRAMS.items():
        (folder / f"{name}.mlir").write_text(text)
    return folder


def behind_lines(page: Page) -> str:
    """Returns what decorations add behind the lines of the text."""
    look = "all => all.map(each => getComputedStyle(each, '::after').content).join('')"
    return page.locator(".view-line span[class*=ced-]").evaluate_all(look)


def is_under(squiggle: Locator, word: Locator) -> bool:
    """Returns whether a squiggle begins where a word does, at this moment: lines move while lenses come."""
    boxes = "(line, word) => [line, word].map(each => each.getBoundingClientRect())"
    line, text = squiggle.evaluate(boxes, word.element_handle())
    return abs(line["x"] - text["x"]) < 3 and abs(line["y"] - text["y"]) < 20


@pytest.mark.core
def test_a_program_that_jax_printed_is_coloured_and_hover_shows_shapes(
    code: Workbench, screenshots: Path
) -> None:
    code.open("transformer.mlir")
    words = ("module", "@jit_loss_and_gradient", "attributes", "%arg0", "tensor", "30")
    colours = code.colours(dict.fromkeys(words, ""), 4)
    assert colours["%arg0"] != colours["tensor"] != colours["module"], colours
    hover = code.point_at("%8", line="%8 = stablehlo.add")
    expect(hover).to_contain_text("tensor<48x32xf32>")
    picture(code.page, screenshots / "vscode-jax.png")


def test_a_syntax_error_has_a_squiggle_and_the_rest_keeps_working(code: Workbench, screenshots: Path) -> None:
    code.open("broken.mlir")
    page = code.page
    squiggle = page.locator(".squiggly-error")
    expect(squiggle).to_have_count(1)
    until(lambda: is_under(squiggle, code.word("tensor", line="stablehlo.add")), page)
    code.point_at("%square", line="return %square", shows="tensor<2x3xf32>")
    page.keyboard.press("Escape")
    code.command("Focus on Outline View")
    outline = page.locator(".outline-pane .monaco-list-row")
    expect(outline.filter(has_text="@first")).to_have_count(1)
    expect(outline.filter(has_text="@second")).to_have_count(1)
    code.new_line_after("%square = ")
    page.keyboard.type("%z = stablehlo.negate %squ")
    row = page.locator(".suggest-widget.visible .monaco-list-row", has_text="%square").first
    row.wait_for()
    picture(page, screenshots / "vscode-broken.png")


@pytest.mark.core
def test_a_broken_rule_of_the_specification_is_mended_by_the_light_bulb(
    code: Workbench, screenshots: Path
) -> None:
    code.open("mistaken.mlir")
    page = code.page
    squiggles = page.locator(".squiggly-error")
    expect(squiggles).to_have_count(2)
    code.point_at("tensor", line="transpose", shows="transpose-C3", which=-1)
    picture(page, screenshots / "vscode-rule.png")
    page.keyboard.press("Escape")
    code.word("tensor", line="transpose", which=-1).click()
    code.mend("Make the result's type tensor<3x2xf32>")
    expect(squiggles).to_have_count(1)
    code.word("%n", line="stablehlo.add").click()
    code.mend("Insert stablehlo.convert to tensor<3x2xf32>")
    expect(squiggles).to_have_count(0)
    picture(page, screenshots / "vscode-mended.png")
    code.expect_text("stablehlo.convert %n : (tensor<3x2xi32>) -> tensor<3x2xf32>")


def test_definition_rename_and_format(code: Workbench, screenshots: Path) -> None:
    code.open("untidy.mlir")
    page = code.page
    code.point_at("%sum", line="negate")  # the server is there
    page.keyboard.press("Escape")
    code.word("%sum", line="negate").click()
    page.keyboard.press("F12")
    expect(page.get_by_text("Ln 3, Col 7")).to_be_visible()
    page.keyboard.press("F2")
    box = page.locator(".rename-box input")
    box.wait_for()
    picture(page, screenshots / "vscode-rename.png")
    box.fill("%total")
    page.keyboard.press("Enter")
    expect(code.lines.filter(has_text="%total")).to_have_count(2)
    assert "%sum" not in code.text()
    code.command("Format Document")
    expect(code.lines.filter(has_text="add %x, %x")).to_have_count(1)
    lines = code.text().splitlines()
    assert lines[0] == "// What is said here stays."
    assert lines[2].startswith("  %total = stablehlo.add %x, %x : tensor<4xf32>")
    assert lines[2].endswith("// twice")


def test_an_operation_is_completed_with_its_parts(code: Workbench, screenshots: Path) -> None:
    code.open("softmax.mlir")
    page = code.page
    code.point_at("%y", line="return")
    code.new_line_after("%y = ")
    page.keyboard.type("%t = stablehlo.transp")
    page.locator(".suggest-widget.visible .monaco-list-row", has_text="transpose").first.wait_for()
    picture(page, screenshots / "vscode-completion.png")
    page.keyboard.press("Enter")
    expect(code.lines.filter(has_text="stablehlo.transpose")).to_contain_text("dims = [")
    before = page.locator(".statusbar-item", has_text="Ln ").inner_text()
    page.keyboard.press("Tab")  # to the next part of the snippet
    expect(page.locator(".statusbar-item", has_text="Ln ")).not_to_have_text(before)
    assert "\t" not in code.text()


def test_run_above_a_function_shows_its_results(code: Workbench, screenshots: Path) -> None:
    code.open("softmax.mlir")
    page = code.page
    code.lenses.filter(has_text="Run").first.click()
    results = page.locator(".editor-group-container").last.locator(".view-lines")
    expect(results).to_contain_text("tensor<2x3xf32>")
    expect(results).to_contain_text("0.33333")
    expect(code.lines.filter(has_text="func.func")).to_be_visible()
    until(lambda: "= [[0.0900305" in behind_lines(page), page)
    code.command("View: Toggle Primary Side Bar Visibility")
    code.point_at("%y", line="return")
    picture(page, screenshots / "vscode-run.png")
    documentation(page, "vscode.png", 440)


def test_a_run_that_does_not_end_can_be_stopped(code: Workbench, screenshots: Path) -> None:
    code.open("endless.mlir")
    page = code.page
    code.lenses.filter(has_text="Run").first.click()
    notice = code.notice("Running @spin")
    picture(page, screenshots / "vscode-running.png")
    notice.get_by_role("button", name="Cancel").click()
    expect(notice).to_have_count(0)
    assert page.locator(".editor-group-container").count() == 1  # nothing came of it
    code.point_at("%end", line="return", shows="tensor<i32>")


def test_test_and_debug_in_terminal_open_one(code: Workbench, screenshots: Path) -> None:
    code.open("checks.mlir")
    page = code.page
    code.lenses.filter(has_text="Test").first.click()
    output = page.locator(".panel .xterm-rows")
    expect(output).to_contain_text("sum_of_squares passed")
    code.lines.filter(has_text="@bytes_wrap_around").click()
    code.command("StableHLO: Debug in Terminal")
    terminal = page.locator(".editor-container .xterm-rows")
    expect(terminal).to_contain_text("@bytes_wrap_around")
    expect(terminal).to_contain_text("stablehlo.constant")
    picture(page, screenshots / "vscode-debug.png")
    page.keyboard.press("q")
    expect(page.locator(".tab", has_text="shlo debug checks.mlir")).to_have_count(0)


@pytest.mark.core
def test_strings_of_a_file_are_inert(code: Workbench, screenshots: Path) -> None:
    page = code.page
    asked: list[str] = []

    def refuse(dialog: Dialog) -> None:
        asked.append("hacked")
        dialog.dismiss()

    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", refuse)
    page.expose_function("hacked", lambda *_: asked.append("hacked"))
    code.open("hostile.mlir")
    hover = code.point_at("stablehlo.abs")
    for word, line in (
        ("%a", "%a = "),
        ("stablehlo.abs", "%a = "),
        ("%b", "%b = "),
        ("stablehlo.custom_call", "%c = "),
        ('@"<img src=x onerror=hacked()>"', "%b = "),
        ('@"<img src=x onerror=hacked()>"', "func.func"),
    ):
        hover = code.point_at(word, line)
        assert hover.inner_text().strip(), word
        for element in ("img", "b", "a[data-href^='command:workbench']", "a[data-href*='leak']"):
            assert hover.locator(element).count() == 0, (word, element, hover.inner_html())
    picture(page, screenshots / "vscode-hostile.png")
    page.keyboard.press("Escape")
    code.command("Focus on Outline View")
    expect(page.locator(".outline-pane .monaco-list-row", has_text="<img src=x").first).to_be_visible()
    assert page.locator("img[src='x']").count() == 0
    assert not [url for url in asked if url == "hacked" or "leak" in url]


@pytest.mark.seconds(200)
def test_features_through_the_api_of_vscode(
    browser: Browser, server: CodeServer, folder: Path, witnesses: list[Witness]
) -> None:
    """The tests of vscode-extension/tests/host, in the extension host."""
    if not (HOST_TESTS / "index.js").exists():
        missing("the tests for the extension host are not built: make vsix")
    witnesses.append(lambda _: logged(server.logs))
    code, log = run_in_extension_host(browser, server, HOST_TESTS, folder)
    outcomes = folder / "host-tests.txt"
    assert code == 0, outcomes.read_text() if outcomes.exists() else log
    assert "FAILED" not in outcomes.read_text()


def planted(folder: Path) -> Path:
    """Returns a folder that would like to run things as soon as it is opened; gives the file that tells of
    it.
    """
    trace = folder / "it-ran"
    script = folder / "python"
    script.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{trace}'\nexec '{sys.executable}' \"$@\"\n")
    script.chmod(0o755)
    for module in ("shlo", "numpy", "sitecustomize", "json"):
        (folder / f"{module}.py").write_text(f"open({str(trace)!r}, 'a').write('{module} was imported')\n")
    settings = {
        "shlo.server.command": [str(script), "-m", "shlo"],
        "python.defaultInterpreterPath": "${workspaceFolder}/python",
    }
    (folder / ".vscode").mkdir()
    (folder / ".vscode" / "settings.json").write_text(json.dumps(settings))
    return trace


def test_nothing_runs_in_a_folder_without_trust(start: Start, folder: Path, screenshots: Path) -> None:
    trace = planted(folder)
    settings = {
        **SELECTED,
        "security.workspace.trust.enabled": True,
        "security.workspace.trust.startupPrompt": "never",
    }
    code = start(settings)
    code.open("softmax.mlir")
    page = code.page
    restricted = page.locator(".statusbar-item", has_text="Restricted Mode")
    expect(restricted).to_be_visible()
    code.colours({"%x": "", "tensor": "func.func"}, 2)
    notice = code.notice("shlo finds no language server")
    expect(notice).to_contain_text("without trust")
    picture(page, screenshots / "vscode-untrusted.png")
    assert code.lenses.count() == 0
    for title in ("Run Function", "Test File", "Debug in Terminal", "Show Folded Program"):
        assert title not in "".join(code.offered(f"StableHLO: {title}", "StableHLO: Show Log"))
    assert not trace.exists(), trace.read_text()

    code.server.set(settings, machine={"shlo.server.command": [sys.executable, "-m", "shlo"]})
    code.open("softmax.mlir")
    code.point_at("%y", line="return", shows="tensor<2x3xf32>")  # what the user says counts
    expect(restricted).to_be_visible()
    expect(code.lenses).to_have_text([re.compile("FLOP")])  # counted from the text; nothing else is offered
    assert not trace.exists(), trace.read_text()

    code.command("Workspaces: Manage Workspace Trust")
    page.get_by_role("button", name="Trust", exact=True).click()
    expect(restricted).to_have_count(0)
    page.get_by_role("tab", name="softmax.mlir").click()
    expect(code.lenses.filter(has_text="Run")).to_be_visible()
    code.point_at("%y", line="return", shows="tensor<2x3xf32>")
    picture(page, screenshots / "vscode-trusted.png")
    assert "lsp" in trace.read_text()  # with trust, what the folder says counts: the test can fail
    assert "imported" not in trace.read_text()  # its modules are of no use even then


def test_what_changes_while_the_server_starts_counts(start: Start, tmp_path: Path) -> None:
    patience = tmp_path / "patience"
    patience.write_text("#!/bin/sh\ntouch started\nsleep 10\nexit 1\n")
    patience.chmod(0o755)
    code = start(SELECTED)
    code.server.set(SELECTED, machine={"shlo.server.command": [str(patience)]})
    code.open("softmax.mlir")
    until((code.server.storage / "started").exists, code.page)
    code.server.set(SELECTED)
    code.point_at("%y", line="return", shows="tensor<2x3xf32>")


@pytest.mark.seconds(400)
def test_the_extension_makes_an_environment_from_the_wheel_it_carries(
    start: Start, tmp_path: Path, screenshots: Path
) -> None:
    venv.create(tmp_path / "bare", with_pip=True)
    bare = tmp_path / "bare" / "bin" / "python"
    code = start({"python.defaultInterpreterPath": str(bare)})
    code.open("softmax.mlir")
    page = code.page
    notice = code.notice("has no package `shlo`")
    picture(page, screenshots / "vscode-missing.png")
    notice.get_by_role("button", name="Create Environment").click()
    environment = code.server.storage / "environment"
    until((environment / "shlo-wheel").exists, page, seconds=300)
    code.lenses.filter(has_text="Run").first.wait_for()
    code.point_at("%y", line="return", shows="tensor<2x3xf32>")
    picture(page, screenshots / "vscode-own-environment.png")
    where = [environment / "bin" / "python", "-c", "import shlo, textual; print(shlo.__file__)"]
    found = subprocess.run(where, capture_output=True, text=True, check=True, cwd="/", timeout=60).stdout
    assert str(environment) in found


def test_another_mlir_extension_may_be_installed(start: Start, tmp_path: Path, screenshots: Path) -> None:
    code = start(SELECTED, mlir_extension(tmp_path / "other.vsix"))
    code.open("softmax.mlir")
    page = code.page
    code.notice("shlo.server.enabled")
    code.point_at("%y", line="return", shows="tensor<2x3xf32>")
    expect(page.locator(".monaco-hover:not(.hidden)").first).to_contain_text("the other server")
    picture(page, screenshots / "vscode-two-servers.png")
    code.server.set({**SELECTED, "shlo.server.enabled": False})
    code.open("softmax.mlir")
    code.point_at("%y", line="return", shows="the other server")
    page.wait_for_timeout(3000)  # time enough for a server that should not be there
    hover = code.point_at("%y", line="return", shows="the other server")
    expect(hover).not_to_contain_text("tensor<2x3xf32>")
    assert code.lenses.count() == 0


def test_the_interpreter_of_the_python_extension_is_used(start: Start, tmp_path: Path) -> None:
    other = python_extension(tmp_path / "python.vsix", sys.executable)
    code = start({"python.defaultInterpreterPath": "/nowhere/python"}, other)
    code.open("softmax.mlir")
    code.point_at("%y", line="return", shows="tensor<2x3xf32>")


@pytest.mark.core
def test_types_grammar_and_what_needs_no_editor() -> None:
    command = (find_tool("make"), "-C", "vscode-extension", "test", f"PYTHON={sys.executable}")
    find_tool("npm")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
