"""The built documentation site in a browser: search, themes, the page of an operation, trying a program; no
network.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ports import free_port

from .browser import stop
from .conftest import ROOT

SECONDS = 1200
"""How long a build may take, on a busy machine too."""
OUTSIDE = "https://cdn.jsdelivr.net/**"
"""Where Pyodide comes from."""
STAND_IN = """
export const loadPyodide = async ({ packageBaseUrl }) => ({
  loadedPackages: {},
  async loadPackage(names) {
    for (const name of names) this.loadedPackages[name.replaceAll("-", "_")] = packageBaseUrl;
  },
  unpackArchive: (bytes, format, { extractDir }) => { self.size = bytes.byteLength; },
  runPython: (code) => { self.code = code; },
  globals: { get: (name) => (text, words) => {
    while (words === "run endless.mlir");
    return `${words}, ${text.split("\\n")[0]}, ${self.size > 1e6}, ${self.code.includes(`def ${name}`)}`;
  } },
});
"""
"""What Pyodide is to the site's scripts, for a test without it. Packages that are loaded have the names that
its lock file gives them, with `_`."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of a site built of this tree."""
    pytest.importorskip("furo", reason="Sphinx and Furo are not installed")
    folder = tmp_path_factory.mktemp("site") / "html"
    command = [sys.executable, "-m", "docs.site", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    assert "all internal links lead somewhere" in done.stdout
    return folder


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """Yields the address of a server of the site."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "http.server",
        str(port),
        "--bind",
        "127.0.0.1",
        "--directory",
        str(site),
    ]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        stop(server)


def opened(browser: Browser, address: str) -> tuple[Page, list[str]]:
    """Returns a window with the site's first page, and what it has asked other hosts for, or was refused."""
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    outside: list[str] = []
    page.on("console", lambda said: outside.append(said.text) if "Security Policy" in said.text else None)
    page.on(
        "request", lambda request: None if request.url.startswith(address) else outside.append(request.url)
    )
    for _ in range(50):
        try:
            page.goto(f"{address}/index.html")
            break
        except Exception:
            page.wait_for_timeout(200)
    return page, outside


@pytest.mark.timeout(SECONDS + 300)
@pytest.mark.seconds(240)
def test_a_reader_searches_switches_the_theme_and_opens_an_operation(
    browser: Browser, address: str, screenshots: Path
) -> None:
    page, outside = opened(browser, address)
    expect(page.locator("article h1")).to_contain_text("shlo")
    page.screenshot(path=screenshots / "site-home.png")
    page.locator("input[name=q]").first.fill("cholesky")
    page.locator("input[name=q]").first.press("Enter")
    found = page.locator("ul.search a", has_text="stablehlo.cholesky")
    expect(found.first).to_be_visible()
    page.screenshot(path=screenshots / "site-search.png")
    found.first.click()
    expect(page.locator("article h1")).to_contain_text("stablehlo.cholesky")
    expect(page.locator("article")).to_contain_text("shlo run prints")
    expect(page.locator("article")).to_contain_text("cholesky-C2")
    body = page.locator("body")
    before = body.evaluate("element => getComputedStyle(element).backgroundColor")
    for _ in range(3):
        page.locator("button.theme-toggle:visible").first.click()
        if body.get_attribute("data-theme") == "dark":
            break
    expect(body).to_have_attribute("data-theme", "dark")
    assert body.evaluate("element => getComputedStyle(element).backgroundColor") != before
    page.screenshot(path=screenshots / "site-operation-dark.png")
    page.get_by_role("link", name="cholesky.mlir").click()
    expect(page).to_have_url(re.compile("listings/tests/ops/cholesky.mlir.html"))
    assert outside == []


@pytest.mark.timeout(SECONDS + 300)
@pytest.mark.seconds(240)
def test_without_pyodide_a_reader_is_told_and_keeps_the_program(
    browser: Browser, address: str, screenshots: Path
) -> None:
    page, outside = opened(browser, address)
    page.context.route(OUTSIDE, lambda route: route.abort())
    page.goto(f"{address}/reference/ops/stablehlo.abs.html")
    program = page.locator("article div.highlight-mlir").first
    expect(program).to_contain_text("stablehlo.abs")
    assert outside == []
    page.get_by_role("button", name="Try it").first.click()
    output = page.locator(".try-output")
    expect(output).to_contain_text(
        "shlo does not run here: cannot load https://cdn.jsdelivr.net/npm/pyodide@"
    )
    expect(page.get_by_role("button", name="Run")).to_be_enabled()
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    expect(program).to_be_visible()
    page.screenshot(path=screenshots / "site-try-without.png")


@pytest.mark.timeout(SECONDS + 300)
@pytest.mark.seconds(240)
def test_a_program_is_tried_with_the_command_that_fits_it_and_stopped(browser: Browser, address: str) -> None:
    page, outside = opened(browser, address)
    config = json.loads((ROOT / "docs/site/static/try/config.json").read_text())
    config |= {"runtime": f"{address}/pyodide/", "integrity": "", "packages": "wheels"}
    page.context.route("**/try/config.json", lambda route: route.fulfill(body=json.dumps(config)))
    page.context.route(
        "**/pyodide/pyodide.mjs", lambda route: route.fulfill(body=STAND_IN, content_type="text/javascript")
    )
    page.goto(f"{address}/first-program.html")
    page.get_by_role("button", name="Try it").first.click()
    output = page.locator(".try-output")
    expect(output).to_have_text(
        "run program.mlir --random 0, func.func @main(%x: tensor<4xf32>) -> tensor<f32> {, true, true"
    )
    page.get_by_label("program.mlir").fill("func.func @main() { return }")
    page.get_by_label("command").fill("check program.mlir")
    page.get_by_label("command").press("Enter")
    checked = "check program.mlir, func.func @main() { return }, true, true"
    expect(output).to_have_text(checked)
    page.get_by_label("command").fill("run endless.mlir")
    page.get_by_role("button", name="Run").click()
    page.get_by_role("button", name="Stop").click()
    expect(output).to_have_text("Stopped.")
    expect(page.locator(".try-failed")).to_have_count(0)
    page.get_by_label("command").fill("check program.mlir")
    page.get_by_role("button", name="Run").click()
    expect(output).to_have_text(checked)
    assert outside == []
