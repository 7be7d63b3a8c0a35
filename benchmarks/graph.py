"""How long a page with a program's graph takes to write and to open, and how smoothly its picture moves.

    python benchmarks/graph.py [--ops N]

CPU time of a thread: other work on the machine does not count. The browser wants Chromium, Playwright and
the views (`make web`); without them the page is written alone.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import measure

measure.use_repository()

OPERATIONS = 20_000
FRAMES = 60
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
KINDS = ("add", "multiply", "subtract", "maximum")
OPENED = "() => document.querySelector('shlo-graph-view')?.shadowRoot?.querySelector('[role=treeitem]')"
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
EXPANDED = """(count) => {
  const view = document.querySelector('shlo-graph-view');
  const { layout, model } = view;
  for (let node = 0; node < model.size && layout.expanded.size < count; node++) layout.toggle(node, true);
  view.refresh();
  view.fit();
}"""
MOVED = """async (frames) => {
  const view = document.querySelector('shlo-graph-view');
  for (let frame = 0; frame < frames; frame++) {
    view.view = { ...view.view, x: view.view.x - 3, y: view.view.y - 5 };
    view.draw();
    await new Promise(requestAnimationFrame);
  }
}"""


def main() -> None:
    """Measures both and prints a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ops", type=int, default=OPERATIONS, metavar="N")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program, page = Path(folder, "program.mlir"), Path(folder, "page.html")
        program.write_text(layers(options.ops), encoding="utf-8")
        rows = [*_written(program, page), *_opened(page)]
    print(f"{options.ops:,} operations, CPU milliseconds")
    measure.table(("what", "time"), rows)


def layers(count: int) -> str:
    """Returns a program of operations in the name stacks of layers, with locations as JAX prints them."""
    lines = ["func.func public @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {"]
    known: dict[str, int] = {}
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        name = f"jit(main)/layer_{number // 200}/block_{number // 20 % 10}/{kind}"
        place = known.setdefault(name, len(known) + 1)
        one, other = (f"%{number - back}" if number >= back else "%x" for back in (1, 7))
        text = f"  %{number} = stablehlo.{kind} {one}, {other} : tensor<8x128xf32> loc(#loc{place})"
        lines.append(text)
    lines += [f"  return %{count - 1} : tensor<8x128xf32>", "}"]
    lines += [f'#loc{place} = loc("{name}")' for name, place in known.items()]
    return "\n".join(lines)


def _written(program: Path, page: Path) -> list[tuple[str, str]]:
    """Writes the page; returns what its parts took."""
    from shlo.graph.build import cost_measures, graph_of
    from shlo.pages.graph import graph_page
    from shlo.runner.files import open_valid

    rows: list[tuple[str, str]] = []

    def timed(what: str, action: Callable[[], Any]) -> Any:
        start = time.process_time()
        result = action()
        rows.append((what, f"{1000 * (time.process_time() - start):.0f}"))
        return result

    module = timed("read and verify", lambda: open_valid(str(program)))
    costs = timed("costs", lambda: cost_measures(module, "main"))
    graph = timed("graph", lambda: graph_of(module, "program", {}, costs))
    text = timed("page", lambda: graph_page(graph))
    page.write_text(text, encoding="utf-8")
    return rows


def _opened(page: Path) -> list[tuple[str, str]]:
    """Opens the page, and moves the picture; returns what the browser's main thread took."""
    from shlo.pages.bundle import view_script

    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None or view_script("graph_view") is None:
        return [("in a browser", "not measured")]
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return [("in a browser", "not measured")]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        try:
            tab = browser.new_page(viewport={"width": 1200, "height": 800}, offline=True)
            session = tab.context.new_cdp_session(tab)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            tab.goto(page.as_uri(), wait_until="commit")
            tab.wait_for_function(OPENED)
            tab.evaluate(DRAWN)
            opened = _busy(session)
            tab.evaluate(EXPANDED, 24)
            tab.evaluate(DRAWN)
            before = _busy(session)
            tab.evaluate(MOVED, FRAMES)
            moved = _busy(session) - before
        finally:
            browser.close()
    return [
        ("open, to the first picture", f"{1000 * opened:.0f}"),
        ("a frame of a move, 24 groups open", f"{1000 * moved / FRAMES:.1f}"),
    ]


def _busy(session: Any) -> float:
    """Returns for how many seconds the page's main thread has worked."""
    found = session.send("Performance.getMetrics")["metrics"]
    return next(each["value"] for each in found if each["name"] == "TaskDuration")


if __name__ == "__main__":
    main()
