"""Pictures of tensors, pytrees and graphs for the documents: `make pictures` (wants Chromium)."""

from __future__ import annotations

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import shutil
import sys
import tempfile
from pathlib import Path

import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec
from playwright.sync_api import Page, sync_playwright

from docs.picture_models import Model, models
from shlo.cli import main
from shlo.jax_programs.trees import leaves_of
from shlo.pages.grid import GridCell, grid_html
from shlo.pages.tensor import tensor_html
from shlo.pages.tree import tree_html
from shlo.runner.statistics import statistics_of
from shlo.text.statistics import summary_line

DOCS = Path(__file__).parent
LAYER = (("kernel", (256, 512)), ("bias", (512,)), ("scale", (256, 1)))
EXAMPLES = DOCS.parent / "examples"


def draw_tensor(page: Page, folder: Path) -> None:
    z, y, x = np.meshgrid(*map(np.arange, (3, 40, 60)), indexing="ij")
    array = (np.sin(x / 9 + z) * np.cos(y / 7)).astype(np.float32)
    array[0, 12, 33] = np.nan
    html = tensor_html(array, "%y", "tensor<3x40x60xf32>")
    path = folder / "tensor.html"
    path.write_text(f'<!doctype html><meta charset="utf-8">{html}', encoding="utf-8")
    page.goto(path.as_uri())
    view = page.locator("shlo-tensor-view")
    view.locator(".plane canvas").wait_for()
    view.screenshot(path=DOCS / "tensor-view.png")


def draw_tree(page: Page, folder: Path) -> None:
    random = np.random.default_rng(0)
    tree = {
        part: {
            f"layer_{layer}": {name: random.normal(0, 0.02, shape).astype("f4") for name, shape in LAYER}
            for layer in range(2)
        }
        for part in ("params", "grads")
    }
    tree["grads"]["layer_1"]["kernel"][100, 200] = np.nan
    path = folder / "tree.html"
    body = tree_html(leaves_of(tree) or [], "state")
    path.write_text(f'<!doctype html><meta charset="utf-8">{body}', encoding="utf-8")
    page.goto(path.as_uri())
    page.locator("details.leaf").first.locator("summary").click()
    page.locator(".shlo-report").screenshot(path=DOCS / "tree-view.png")


def draw_graph(page: Page, folder: Path) -> None:
    path = folder / "graph.html"
    program = [str(EXAMPLES / name) for name in ("training.mlir", "training.npz")]
    assert main(["graph", program[0], "--run", program[1], "-o", str(path)]) == 0
    page.goto(path.as_uri())
    page.get_by_role("treeitem", name="@closed_call").dblclick()
    page.get_by_role("treeitem", name="jvp(hidden)", exact=False).first.dblclick()
    page.screenshot(path=DOCS / "graph-view.png")


def draw_models(page: Page, folder: Path) -> None:
    for name, model in models().items():
        program, path = folder / f"{name}.mlir", folder / f"{name}.html"
        program.write_text(model.text(), encoding="utf-8")
        assert main(["graph", str(program), "-o", str(path)]) == 0
        page.goto(path.as_uri())
        page.get_by_role("treeitem", name="@main").wait_for()
        page.screenshot(path=DOCS / f"model-{name}.png")
        draw_run(page, folder, program, name)
        draw_values(page, path, model, name)


def draw_run(page: Page, folder: Path, program: Path, name: str) -> None:
    """Draws the timeline of a training step."""
    recording, path = folder / f"{name}.shlorec", folder / f"{name}-run.html"
    assert main(["run", str(program), "--random", "0", "--record", str(recording)]) == 0
    assert main(["show", str(recording), "-o", str(path)]) == 0
    page.goto(path.as_uri())
    page.locator(".timeline").screenshot(path=DOCS / f"timeline-{name}.png")


def draw_values(page: Page, path: Path, model: Model, name: str) -> None:
    """Draws parameters and gradients as a tree, a gradient, and the parts of an input on a mesh."""
    parameters = model.parameters()
    gradients = model.gradients(parameters)
    tree = tree_html(leaves_of({"params": parameters, "grads": gradients}) or [], model.title)
    kernels = [leaf for leaf in jax.tree.leaves(gradients) if leaf.ndim > 1]
    tensor = tensor_html(np.asarray(kernels[len(kernels) // 2]), "a gradient")
    path.write_text(f'<!doctype html><meta charset="utf-8">{tree}', encoding="utf-8")
    page.goto(path.as_uri())
    page.screenshot(path=DOCS / f"tree-{name}.png")
    path.write_text(f'<!doctype html><meta charset="utf-8">{tensor}', encoding="utf-8")
    page.goto(path.as_uri())
    page.locator("shlo-tensor-view .plane canvas").wait_for()
    page.locator("shlo-tensor-view").screenshot(path=DOCS / f"tensor-{name}.png")
    mesh = getattr(model.module, "mesh", None)
    if mesh is not None:
        parts = jax.device_put(model.inputs[0], NamedSharding(mesh, PartitionSpec(*mesh.axis_names)))
        arrays = {part.device.id: np.asarray(part.data) for part in parts.addressable_shards}
        cells = [
            GridCell(f"device {number}", summary_line(statistics_of(array)), array)
            for number, array in arrays.items()
        ]
        path.write_text(f'<!doctype html><meta charset="utf-8">{grid_html(cells, 4)}', encoding="utf-8")
        page.goto(path.as_uri())
        page.locator("body").screenshot(path=DOCS / f"grid-{name}.png")


if __name__ == "__main__":
    found = (
        shutil.which("chromium") or shutil.which("google-chrome") or sys.exit("expected Chromium, got none")
    )
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1000, "height": 640}, color_scheme="light")
        draw_tensor(page, Path(folder))
        draw_tree(page, Path(folder))
        draw_graph(page, Path(folder))
        draw_models(page, Path(folder))
        browser.close()
