"""A notebook as static HTML shows pictures of everything: with scripts the views, without them their pictures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")
pytest.importorskip("nbconvert", reason="nbconvert is not installed")

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from playwright.sync_api import Browser, Page, expect

from shlo_kernel import install

from .test_notebooks import CELLS
from .test_pages import BUILT, violations

SECONDS = 120


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Returns the pages, by theme, that nbconvert has made of a notebook after its cells ran."""
    if not (BUILT / "graph_view.js").exists():
        pytest.skip("the views are not built: make web")
    folder = tmp_path_factory.mktemp("static")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            patch.setenv(name, str(folder / name))
        install.install()
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(text, metadata={"tags": ["raises-exception"]}) for text in CELLS]
        )
        # JupyterLab saves no state of widgets either, unless it is told to.
        NotebookClient(
            notebook, timeout=SECONDS, kernel_name=install.NAME, store_widget_state=False
        ).execute()
        paths = {theme: folder / f"{theme}.html" for theme in ("light", "dark")}
        for theme, path in paths.items():
            page, _ = HTMLExporter(theme=theme).from_notebook_node(notebook)
            path.write_text(page, encoding="utf-8")
    return paths


def opened(browser: Browser, path: Path, has_scripts: bool, theme: Any = "light") -> Page:
    context = browser.new_context(
        java_script_enabled=has_scripts,
        offline=True,
        viewport={"width": 1000, "height": 900},
        color_scheme=theme,
    )
    page = context.new_page()
    page.goto(path.as_uri(), wait_until="domcontentloaded")
    return page


def test_without_scripts_there_are_pictures_of_all(
    browser: Browser, exported: dict[str, Path], screenshots: Path
) -> None:
    page = opened(browser, exported["light"], has_scripts=False)
    expect(page.get_by_role("img", name="heat map of 40 by 60 elements").first).to_be_visible()
    graph = page.get_by_role("img", name="the operations of")
    expect(graph).to_be_visible()
    assert graph.evaluate("image => image.complete && image.naturalHeight > 150")
    snapshot = page.locator(".shlo-snapshot")
    expect(snapshot.locator(".shlo-here")).to_contain_text("%one = ")
    expect(snapshot.get_by_role("img")).to_be_visible()
    expect(page.locator("pre", has_text="use of undeclared value '%nope'")).to_be_visible()
    page.screenshot(path=screenshots / "static-notebook.png", full_page=True)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_with_scripts_there_are_the_views(
    browser: Browser, exported: dict[str, Path], theme: str, screenshots: Path
) -> None:
    page = opened(browser, exported[theme], has_scripts=True, theme=theme)
    tensor, graph = page.locator("shlo-tensor-view").first, page.locator("shlo-graph-view")
    tensor.locator("input[type=range]").press("ArrowRight")
    expect(tensor.locator(".plane canvas")).to_have_attribute("aria-label", re.compile(r"\[1, 0:40, 0:60\]"))
    expect(graph.get_by_role("treeitem", name="log")).to_be_visible()
    expect(page.locator(".shlo-snapshot .row.shlo-here")).to_contain_text("%one = ")
    page.screenshot(path=screenshots / f"static-notebook-{theme}.png", full_page=True)
    ours = (
        "shlo-tensor-view, shlo-graph-view, .shlo-snapshot"  # prompts and tracebacks have nbconvert's colours
    )
    assert violations(page, ours, "color-contrast") == []
