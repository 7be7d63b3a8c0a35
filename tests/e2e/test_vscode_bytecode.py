"""Files of bytecode in VS Code's own workbench: what a person sees of them and makes of them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Page, TimeoutError, expect

import shlo
import shlo_bytecode

from .code_server import SELECTED
from .conftest import Start
from .workbench import RESTS, Workbench, picture, until

PROGRAM = """module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<CONSTANT> : tensor<2000xf32>
    %0 = stablehlo.slice %c [0:4] : (tensor<2000xf32>) -> tensor<4xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<4xf32>
    %2 = stablehlo.tan %1 : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
""".replace("CONSTANT", str([float(number) for number in range(2000)]))
HOSTILE = 'x"\n<img src=x onerror=hacked()> [q](command:workbench.action.closeWindow)'


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with bytecode: a program, an artifact, a damaged file."""
    folder = tmp_path_factory.mktemp("bytecode")
    module = shlo.parse(PROGRAM)
    (folder / "model.mlirbc").write_bytes(shlo_bytecode.write(module))
    (folder / "artifact.bc").write_bytes(shlo_bytecode.write_artifact(module, "1.8.0"))
    (folder / "damaged.mlirbc").write_bytes(shlo_bytecode.write(module, producer=HOSTILE)[:-5])
    return folder


def click(code: Workbench, name: str) -> None:
    """Opens a file of the folder by a click, when the extension is known, and waits for its text."""
    page = code.page
    page.goto(code.server.address(code.folder))
    row = page.locator(".explorer-folders-view .monaco-list-row", has_text=name)
    row.wait_for()
    wait_for_extension(page)
    row.dblclick()
    code.lines.first.wait_for()


def wait_for_extension(page: Page) -> None:
    """Looks into the palette again and again: one that is open does not learn of new commands."""
    offer = page.locator(".quick-input-list .monaco-list-row", has_text="Open Bytecode as Text")
    for seconds in RESTS:
        page.keyboard.press("F1")
        page.locator(".quick-input-widget input").first.fill(">StableHLO: Open")
        with suppress(TimeoutError):
            offer.wait_for(timeout=seconds * 1000)
            break
        page.keyboard.press("Escape")
    page.keyboard.press("Escape")


def tab(page: Page, name: str) -> None:
    expect(page.locator(".tab.active", has_text=name)).to_have_count(1)


def test_bytecode_opens_as_text_and_becomes_a_text_file(
    code: Workbench,
    folder: Path,
    screenshots: Path,
) -> None:
    click(code, "model.mlirbc")
    page = code.page
    tab(page, "model.mlirbc")
    size = (folder / "model.mlirbc").stat().st_size
    expect(code.lines.first).to_contain_text(f"// MLIR bytecode version 4, {size:,} bytes.")
    expect(code.lines.filter(has_text="One constant of more than 4,096 bytes is left out")).to_have_count(1)
    expect(code.lines.filter(has_text="dense_resource<elided_0> : tensor<2000xf32>")).to_have_count(1)
    words = ("@main", "%arg0", "tensor")
    code.colours({"module": "", **dict.fromkeys(words, "func.func")}, 3)
    expect(code.point_at("%0", line="stablehlo.add", shows="tensor<4xf32>")).to_contain_text("16 B")
    picture(page, screenshots / "vscode-bytecode.png")
    page.keyboard.press("Escape")
    code.command("StableHLO: Convert to Text")
    tab(page, "model.mlir")
    expect(code.lines.first).to_contain_text("module {")
    assert (folder / "model.mlir").read_text() == shlo.parse(PROGRAM).to_text()


def test_a_text_of_bytecode_is_there_again_after_a_restart(code: Workbench) -> None:
    click(code, "model.mlirbc")
    expect(code.lines.first).to_contain_text("// MLIR bytecode version 4")
    code.restart()
    tab(code.page, "model.mlirbc")
    expect(code.lines.first).to_contain_text("// MLIR bytecode version 4")
    expect(code.point_at("%0", line="stablehlo.add", shows="tensor<4xf32>")).to_contain_text("16 B")


def test_a_version_that_cannot_express_a_program_is_refused(
    code: Workbench,
    folder: Path,
    screenshots: Path,
) -> None:
    click(code, "artifact.bc")
    page = code.page
    expect(code.lines.first).to_contain_text(
        "// Portable artifact of StableHLO 1.8.0, MLIR bytecode version 6"
    )
    code.command("StableHLO: Convert to Portable Artifact")
    box = page.locator(".quick-input-widget input").first
    title = page.locator(".quick-input-title", has_text="Convert to Portable Artifact")
    expect(title).to_be_visible()
    box.fill("1.3.0")
    page.keyboard.press("Enter")
    expect(title).to_be_hidden()
    refusal = code.notice("StableHLO 1.3.0 cannot hold this program")
    expect(refusal).to_contain_text("stablehlo.tan: the version has no such operation")
    expect(refusal).to_contain_text("The first version that can is 1.4.0.")
    picture(page, screenshots / "vscode-bytecode-refused.png")
    assert not (folder / "artifact.1_3_0.mlir.bc").exists()
    refusal.get_by_role("button", name="Write for 1.4.0").click()
    made = folder / "artifact.1_4_0.mlir.bc"
    code.notice(f"{made.name} was written").get_by_role("button", name="Open").click()
    tab(page, made.name)
    expect(code.lines.first).to_contain_text("// Portable artifact of StableHLO 1.4.0")


def test_the_debugger_runs_the_file_behind_the_text(code: Workbench, screenshots: Path) -> None:
    click(code, "artifact.bc")
    page = code.page
    code.lenses.filter(has_text="Debug").first.click()
    expect(page.locator(".debug-toolbar")).to_be_visible()
    expect(
        page.locator(".debug-call-stack .monaco-list-row", has_text="@main: stablehlo.constant").first
    ).to_be_visible()
    page.locator(".tab", has_text="artifact.bc.mlir").wait_for()  # the text that the adapter gives
    expect(page.locator(".debug-top-stack-frame-line").first).to_be_visible()
    picture(page, screenshots / "vscode-bytecode-debug.png")
    page.keyboard.press("Shift+F5")
    expect(page.locator(".debug-toolbar")).to_be_hidden()


def test_damage_is_told_and_strings_of_the_file_are_inert(
    code: Workbench,
    screenshots: Path,
) -> None:
    page = code.page
    asked: list[str] = []
    page.expose_function("hacked", lambda *_: asked.append("hacked"))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    click(code, "damaged.mlirbc")
    expect(code.lines.filter(has_text="This file cannot be read. Byte")).to_have_count(1)
    expect(code.lines.filter(has_text='shlo inspect "damaged.mlirbc"')).to_have_count(1)
    assert all(line.startswith("//") for line in code.text().splitlines() if line)
    picture(page, screenshots / "vscode-bytecode-damaged.png")
    assert page.locator("img[src='x']").count() == 0
    assert not asked


def test_a_folder_without_trust_shows_no_text_and_says_why(start: Start, screenshots: Path) -> None:
    trust = {"security.workspace.trust.enabled": True, "security.workspace.trust.startupPrompt": "never"}
    code = start({**SELECTED, **trust})
    click(code, "model.mlirbc")
    expect(code.lines.filter(has_text="model.mlirbc is MLIR bytecode.")).to_have_count(1)
    expect(code.lines.filter(has_text="This folder is not trusted")).to_have_count(1)
    picture(code.page, screenshots / "vscode-bytecode-untrusted.png")
    until(lambda: "%arg0" not in code.text(), code.page)
