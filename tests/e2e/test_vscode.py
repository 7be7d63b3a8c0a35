"""The packaged extension in VS Code's own workbench: what a person sees and does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Browser, Page, expect

from .browser import chromium
from .code_server import VSIX, CodeServer, code_server
from .conftest import ROOT, find_tool, missing
from .other_extension import mlir_extension, python_extension
from .workbench import WINDOW, Workbench, run_in_extension_host, workbench

PATIENCE = 60_000
HOST_TESTS = ROOT / "vscode-extension" / "build" / "host"
SELECTED = {"python.defaultInterpreterPath": sys.executable}
"""Settings of a person who has selected the Python that runs these tests."""

BROKEN = """\
func.func @first(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %twice = stablehlo.add %x, %x tensor<2x3xf32>
  %square = stablehlo.multiply %x, %x : tensor<2x3xf32>
  return %square : tensor<2x3xf32>
}
func.func @second(%x: tensor<7xi8>) -> tensor<7xi8> {
  %y = stablehlo.abs %x : tensor<7xi8>
  return %y : tensor<7xi8>
}
"""
SOFTMAX = """\
// The softmax of two rows.
func.func @softmax() -> tensor<2x3xf32> {
  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %exp = stablehlo.exponential %x : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
  %y = stablehlo.divide %exp, %sums : tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
"""
ENDLESS = """\
func.func @spin() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %end = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %true = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %true : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return %end : tensor<i32>
}
"""
UNTIDY = """\
// What is said here stays.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %sum = stablehlo.add   %x,%x : tensor<4xf32>  // twice
  %out = stablehlo.negate %sum : tensor<4xf32>
  return %out : tensor<4xf32>
}
"""
HOSTILE = """\
module attributes {"x.<img src=x onerror=hacked()>" = "<img src=x onerror=hacked()>"} {
  func.func @"<img src=x onerror=hacked()>"(%x: tensor<4xf32>) -> tensor<4xf32> {
    %a = stablehlo.abs %x {"m.![p](http://127.0.0.1:9/leak)" = "[q](command:workbench.action.closeWindow) <b>bold</b>"} : tensor<4xf32>
    %b = call @"<img src=x onerror=hacked()>"(%a) : (tensor<4xf32>) -> tensor<4xf32> loc("![p](http://127.0.0.1:9/leak)")
    %c = stablehlo.custom_call @"[q](command:c) `<b>`"(%b) {backend_config = "```\\n<img src=x onerror=hacked()>"} : (tensor<4xf32>) -> tensor<4xf32>
    return %c : tensor<4xf32>
  }
}
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium(find_tool("chromium", "chromium-browser", "google-chrome")) as browser:
        yield browser


@pytest.fixture(scope="module")
def vsix() -> Path:
    return VSIX if VSIX.exists() else missing(f"{VSIX.relative_to(ROOT)} is not built: make vsix")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, vsix: Path) -> Iterator[CodeServer]:
    """A server with the extension, for a person with shlo in the selected environment."""
    with code_server(tmp_path_factory.mktemp("vscode"), SELECTED, vsix) as server:
        yield server


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with programs."""
    folder = tmp_path_factory.mktemp("programs")
    for name in ("transformer", "checks"):
        shutil.copy(ROOT / "examples" / f"{name}.mlir", folder)
    programs = {
        "broken": BROKEN,
        "softmax": SOFTMAX,
        "endless": ENDLESS,
        "untidy": UNTIDY,
        "hostile": HOSTILE,
    }
    for name, text in programs.items():
        (folder / f"{name}.mlir").write_text(text)
    return folder


@pytest.fixture
def code(browser: Browser, server: CodeServer, folder: Path) -> Iterator[Workbench]:
    with workbench(browser, server, folder) as code:
        yield code


def picture(page: Page, path: Path) -> None:
    """Keeps what is on the screen, once it has faded in."""
    page.wait_for_timeout(500)
    page.screenshot(path=path)


def documentation(page: Page, name: str) -> None:
    """Makes a picture for the documentation, of the upper part of the screen, when somebody asks for new ones."""
    if os.environ.get("SHLO_WRITE_PICTURES") == "1":
        page.screenshot(
            path=ROOT / "docs" / name, clip={"x": 0, "y": 0, "width": WINDOW["width"], "height": 440}
        )


def behind_lines(page: Page) -> str:
    """What decorations add behind the lines of the text."""
    look = "each => getComputedStyle(each, '::after').content"
    return "".join(each.evaluate(look) for each in page.locator(".view-line span[class*=ced-]").all())


def test_a_program_that_jax_printed_is_coloured_and_hover_shows_shapes(
    code: Workbench, screenshots: Path
) -> None:
    code.open("transformer.mlir")
    words = ("module", "@jit_loss_and_gradient", "attributes", "%arg0", "tensor", "30")
    colours = {word: code.colour(word) for word in words}
    assert len(set(colours.values())) >= 4, colours
    assert colours["%arg0"] != colours["tensor"] != colours["module"], colours
    hover = code.point_at("%8", line="%8 = stablehlo.add")
    expect(hover).to_contain_text("tensor<48x32xf32>", timeout=PATIENCE)
    picture(code.page, screenshots / "vscode-jax.png")


def test_a_syntax_error_has_a_squiggle_and_the_rest_keeps_working(code: Workbench, screenshots: Path) -> None:
    code.open("broken.mlir")
    page = code.page
    squiggle = page.locator(".squiggly-error")
    squiggle.first.wait_for(timeout=PATIENCE)
    assert squiggle.count() == 1
    line, word = squiggle.bounding_box(), code.word("tensor", line="stablehlo.add").bounding_box()
    assert line
    assert word
    assert abs(line["x"] - word["x"]) < 3
    assert abs(line["y"] - word["y"]) < 20
    expect(code.point_at("%square", line="return %square")).to_contain_text("tensor<2x3xf32>")
    page.keyboard.press("Escape")
    code.command("Focus on Outline View")
    outline = page.locator(".outline-pane .monaco-list-row")
    expect(outline.filter(has_text="@first")).to_have_count(1, timeout=PATIENCE)
    expect(outline.filter(has_text="@second")).to_have_count(1)
    code.new_line_after("%square = ")
    page.keyboard.type("%z = stablehlo.negate %squ")
    row = page.locator(".suggest-widget.visible .monaco-list-row", has_text="%square").first
    row.wait_for(timeout=PATIENCE)
    picture(page, screenshots / "vscode-broken.png")


def test_definition_rename_and_format(code: Workbench, screenshots: Path) -> None:
    code.open("untidy.mlir")
    page = code.page
    code.point_at("%sum", line="negate")  # the server is there
    page.keyboard.press("Escape")
    code.word("%sum", line="negate").click()
    page.keyboard.press("F12")
    expect(page.get_by_text("Ln 3, Col 7")).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("F2")
    box = page.locator(".rename-box input")
    box.wait_for(timeout=PATIENCE)
    picture(page, screenshots / "vscode-rename.png")
    box.fill("%total")
    page.keyboard.press("Enter")
    expect(code.lines.filter(has_text="%total")).to_have_count(2, timeout=PATIENCE)
    assert "%sum" not in code.text()
    code.command("Format Document")
    expect(code.lines.filter(has_text="add %x, %x")).to_have_count(1, timeout=PATIENCE)
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
    page.locator(".suggest-widget.visible .monaco-list-row", has_text="transpose").first.wait_for(
        timeout=PATIENCE
    )
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
    page.locator(".codelens-decoration a", has_text="Run").first.click(timeout=PATIENCE)
    results = page.locator(".editor-group-container").last.locator(".view-lines")
    expect(results).to_contain_text("tensor<2x3xf32>", timeout=PATIENCE)
    expect(results).to_contain_text("0.33333")
    expect(code.lines.filter(has_text="func.func")).to_be_visible()
    assert "= [[0.0900305" in behind_lines(page)
    code.command("View: Toggle Primary Side Bar Visibility")
    code.point_at("%y", line="return")
    picture(page, screenshots / "vscode-run.png")
    documentation(page, "vscode.png")


def test_a_run_that_does_not_end_can_be_stopped(code: Workbench, screenshots: Path) -> None:
    code.open("endless.mlir")
    page = code.page
    page.locator(".codelens-decoration a", has_text="Run").first.click(timeout=PATIENCE)
    notice = page.locator(".notification-toast", has_text="Running @spin")
    notice.wait_for(timeout=PATIENCE)
    picture(page, screenshots / "vscode-running.png")
    notice.get_by_role("button", name="Cancel").click()
    expect(page.locator(".notification-toast")).to_have_count(0)
    assert page.locator(".editor-group-container").count() == 1  # nothing came of it
    expect(code.point_at("%end", line="return")).to_contain_text("tensor<i32>")


def test_debug_and_test_open_a_terminal(code: Workbench, screenshots: Path) -> None:
    code.open("checks.mlir")
    page = code.page
    page.locator(".codelens-decoration a", has_text="Test").first.click(timeout=PATIENCE)
    terminal = page.locator(".terminal-wrapper.active .xterm-rows")
    expect(terminal).to_contain_text("sum_of_squares", timeout=PATIENCE)
    expect(terminal).to_contain_text("1 passed")
    page.locator(".codelens-decoration a", has_text="Debug").nth(1).click()
    terminal = page.locator(".editor-container .xterm-rows")
    expect(terminal).to_contain_text("@bytes_wrap_around", timeout=PATIENCE)
    expect(terminal).to_contain_text("stablehlo.constant")
    picture(page, screenshots / "vscode-debug.png")
    page.keyboard.press("q")
    expect(page.locator(".tab", has_text="shlo debug checks.mlir")).to_have_count(0, timeout=PATIENCE)


def test_strings_of_a_file_are_inert(code: Workbench, screenshots: Path) -> None:
    page = code.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
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
    expect(page.locator(".outline-pane .monaco-list-row", has_text="<img src=x").first).to_be_visible(
        timeout=PATIENCE
    )
    assert page.locator("img[src='x']").count() == 0
    assert not [url for url in asked if url == "hacked" or "leak" in url]


def test_features_through_the_api_of_vscode(browser: Browser, server: CodeServer, folder: Path) -> None:
    """The tests of vscode-extension/tests/host, in the extension host."""
    if not (HOST_TESTS / "index.js").exists():
        missing("the tests for the extension host are not built: make vsix")
    code, log = run_in_extension_host(browser, server, HOST_TESTS, folder)
    outcomes = folder / "host-tests.txt"
    assert code == 0, outcomes.read_text() if outcomes.exists() else log
    assert "FAILED" not in outcomes.read_text()


def planted(folder: Path) -> Path:
    """A folder that would like to run things as soon as it is opened; gives the file that tells of it."""
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


def test_nothing_runs_in_a_folder_without_trust(
    browser: Browser, tmp_path: Path, folder: Path, vsix: Path, screenshots: Path
) -> None:
    trace = planted(folder)
    trust = {"security.workspace.trust.enabled": True, "security.workspace.trust.startupPrompt": "never"}
    with (
        code_server(tmp_path / "state", {**SELECTED, **trust}, vsix) as server,
        workbench(browser, server, folder) as code,
    ):
        code.open("softmax.mlir")
        page = code.page
        expect(page.get_by_text("Restricted Mode").first).to_be_visible(timeout=PATIENCE)
        assert code.colour("%x") != code.colour("tensor", line="func.func")
        notice = page.locator(".notification-toast", has_text="shlo finds no language server")
        expect(notice).to_contain_text("without trust", timeout=PATIENCE)
        picture(page, screenshots / "vscode-untrusted.png")
        assert page.locator(".codelens-decoration a").count() == 0
        assert not any(
            code.is_offered(f"StableHLO: {title}") for title in ("Run Function", "Test File", "Debug in")
        )
        assert code.is_offered("StableHLO: Show Log")
        assert not trace.exists(), trace.read_text()

        server.set({**SELECTED, **trust, "shlo.server.command": [sys.executable, "-m", "shlo"]})
        code.open("softmax.mlir")
        expect(code.point_at("%y", line="return")).to_contain_text(
            "tensor<2x3xf32>"
        )  # what the user says counts
        assert page.locator(".codelens-decoration a").count() == 0
        assert not trace.exists(), trace.read_text()

        code.command("Workspaces: Manage Workspace Trust")
        page.get_by_role("button", name="Trust", exact=True).first.click(timeout=PATIENCE)
        code.open("softmax.mlir")
        code.point_at("%y", line="return")
        assert "lsp" in trace.read_text()  # with trust, what the folder says counts: the test can fail
        assert "imported" not in trace.read_text()  # its modules are of no use even then


def test_the_extension_makes_an_environment_from_the_wheel_it_carries(
    browser: Browser, tmp_path: Path, folder: Path, vsix: Path, screenshots: Path
) -> None:
    venv.create(tmp_path / "bare", with_pip=True)
    bare = tmp_path / "bare" / "bin" / "python"
    with (
        code_server(tmp_path / "state", {"python.defaultInterpreterPath": str(bare)}, vsix) as server,
        workbench(browser, server, folder) as code,
    ):
        code.open("softmax.mlir")
        page = code.page
        notice = page.locator(".notification-toast", has_text="has no package `shlo`")
        notice.wait_for(timeout=PATIENCE)
        picture(page, screenshots / "vscode-missing.png")
        notice.get_by_role("button", name="Create Environment").click()
        mark = server.storage / "environment" / "shlo-wheel"
        for _ in range(600):
            if mark.exists():
                break
            page.wait_for_timeout(500)
        assert mark.exists(), "the environment is not there"
        page.locator(".codelens-decoration a", has_text="Run").first.wait_for(timeout=PATIENCE)
        expect(code.point_at("%y", line="return")).to_contain_text("tensor<2x3xf32>")
        picture(page, screenshots / "vscode-own-environment.png")
    where = [
        server.storage / "environment" / "bin" / "python",
        "-c",
        "import shlo, textual; print(shlo.__file__)",
    ]
    found = subprocess.run(where, capture_output=True, text=True, check=True, cwd="/").stdout
    assert str(server.storage) in found


def test_another_mlir_extension_may_be_installed(
    browser: Browser, tmp_path: Path, folder: Path, vsix: Path, screenshots: Path
) -> None:
    other = mlir_extension(tmp_path / "other.vsix")
    with (
        code_server(tmp_path / "state", SELECTED, vsix, other) as server,
        workbench(browser, server, folder) as code,
    ):
        code.open("softmax.mlir")
        page = code.page
        page.locator(".notification-toast", has_text="shlo.server.enabled").wait_for(timeout=PATIENCE)
        hover = page.locator(".monaco-hover:not(.hidden)", has_text="the other server").first
        code.point_at("%y", line="return")
        expect(hover).to_contain_text("tensor<2x3xf32>", timeout=PATIENCE)
        picture(page, screenshots / "vscode-two-servers.png")
        server.set({**SELECTED, "shlo.server.enabled": False})
        code.open("softmax.mlir")
        code.point_at("%y", line="return")
        expect(hover).to_be_visible()
        page.wait_for_timeout(3000)  # time enough for a server that should not be there
        expect(hover).not_to_contain_text("tensor<2x3xf32>")
        assert page.locator(".codelens-decoration a").count() == 0


def test_the_interpreter_of_the_python_extension_is_used(
    browser: Browser, tmp_path: Path, folder: Path, vsix: Path
) -> None:
    other = python_extension(tmp_path / "python.vsix", sys.executable)
    settings = {"python.defaultInterpreterPath": "/nowhere/python"}
    with (
        code_server(tmp_path / "state", settings, vsix, other) as server,
        workbench(browser, server, folder) as code,
    ):
        code.open("softmax.mlir")
        expect(code.point_at("%y", line="return")).to_contain_text("tensor<2x3xf32>")


def test_types_grammar_and_what_needs_no_editor() -> None:
    command = (find_tool("make"), "-C", "vscode-extension", "test", f"PYTHON={sys.executable}")
    find_tool("npm")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
