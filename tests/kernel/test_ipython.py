"""`%load_ext shlo_kernel` in a notebook of Python: JAX's programs are shown, run and stepped through."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import nbformat
import numpy as np
import pytest
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

import shlo
import shlo_kernel
from shlo.runner.errors import RequestError
from shlo_kernel.cells.session import CellSession
from shlo_kernel.ipython.extension import StableHLOMagics
from shlo_kernel.ipython.sharing import Sharing, define

from .clients import KernelClient
from .screens import Notebook

pytestmark = pytest.mark.slow

WIDGET = "application/vnd.jupyter.widget-view+json"
CELLS = {
    "load": "%load_ext shlo_kernel\nimport jax, jax.numpy as jnp, numpy as np, shlo_kernel",
    "show": """@jax.jit
def attention(q, k, v, unused):
    weights = jax.nn.softmax(q @ k.T)
    return {"mixed": jnp.clip(weights @ v, -1, 1), "weights": weights}
q, k, v = jax.random.normal(jax.random.key(0), (3, 8, 4))
lowered = attention.lower(q, k, v, 0)
lowered""",
    "run": """ours, theirs = shlo_kernel.run(lowered, q, k, v, 0), attention(q, k, v, 0)
assert jax.tree.structure(ours) == jax.tree.structure(theirs)
assert jax.tree.all(jax.tree.map(lambda a, b: jnp.allclose(a, b, atol=1e-6), ours, theirs))""",
    "cell": "%%stablehlo -o weights -o zero\n%run %mixed, %weights = @lowered(%q, %k, %v)\n"
    "%zero = stablehlo.constant dense<0> : tensor<i32>",
    "taken": 'assert np.allclose(weights, theirs["weights"], atol=1e-6) and zero == 0',
    "mistake": "%%stablehlo\n%y = stablehlo.add %weights, %q : tensor<8x8xf32>",
    "option": "%%stablehlo --nope\n%weights",
    "changed": "weights = np.ones(2, np.float32)",
    "seen": "%%stablehlo\n%weights",
    "kept": "%%stablehlo\n%mixed",
    "step": "%step lowered, q, k, v, 0",
    "step-cell": "%step @lowered(%q, %k, %v)",
    "line": "%stablehlo %who",
    "graph": "%graph lowered\n%graph attention, q, k, v, 0\n%graph @lowered",
    "grid": "process = 7\n%grid 2x1 %a, %b = @lowered(%q, %k, %v)\n%grid 2x1 @lowered(%q, %k, %a#{process})",
    "step-grid": "%step --grid 2x1 @lowered(%q, %k, %a#{process})",
    "exported": "jax.export.export(attention)(q, k, v, 0)",
    "module": "lowered.compiler_ir()",
    "shlo": "import shlo\nshlo.debug(attention, q, k, v, 0)",
    "shlo-show": "shlo.show(attention, q, k, v, 0)",
    "locations": "shlo.show(attention, q, k, v, 0, locations=True)",
    "nan": "with shlo.debug_nans():\n    jax.jit(jnp.log)(-1.0)\n",
    "array": "shlo.show(q)\nshlo.show(np.eye(40))",
    "shape": "shlo.run(lowered, q, k, v[:2], 0)",
    "syntax": "shlo.run('func.func @main() {')",
    "own": """def inner(x):
    return x + jnp.ones(4)

def loss(x):
    return jax.vmap(inner)(x).sum()

shlo.run(jax.jit(loss), jnp.ones((2, 3)))""",
}


@pytest.fixture(scope="module")
def outputs(kernel_name: str) -> dict[str, list[Any]]:
    """Returns what the cells showed, by their names."""
    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(text, id=name, metadata={"tags": ["raises-exception"]})
            for name, text in CELLS.items()
        ]
    )
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return {cell.id: cell.outputs for cell in notebook.cells}


def test_only_mistakes_fail(outputs: dict[str, list[Any]]) -> None:
    failed = {name for name, found in outputs.items() if any(each.output_type == "error" for each in found)}
    assert failed == {"mistake", "option", "shape", "syntax", "nan", "own"}


def test_what_jax_lowered_is_shown_as_its_functions(outputs: dict[str, list[Any]]) -> None:
    data = outputs["show"][0].data
    assert data["text/html"].count("<details") == 2
    assert data["text/html"].count("<details open>") == 1
    assert "stablehlo.dot_general</span>" in data["text/html"]
    assert data["text/plain"].startswith("module @jit_attention")
    assert "@main" in outputs["exported"][0].data["text/html"]
    assert "@main" in outputs["module"][0].data["text/html"]
    shown, located = (outputs[name][0].data for name in ("shlo-show", "locations"))
    assert "@main" in shown["text/html"]
    assert not any("loc(" in text for text in shown.values())
    assert all("jit(attention)/dot_general" in text for text in located.values())


def test_arrays_are_shown_in_the_tensor_view(outputs: dict[str, list[Any]]) -> None:
    small, large = (found.data for found in outputs["array"])
    assert small["text/plain"].startswith("float32[8, 4]\n32 elements")
    assert "<table" in small["text/html"]
    assert "<shlo-tensor-view" in large["text/html"]
    assert large["image/png"]


def test_it_runs_as_a_function_of_cells(outputs: dict[str, list[Any]]) -> None:
    titles = [found.data["text/plain"].split("\n")[0] for found in outputs["cell"]]
    assert titles == ["%mixed : tensor<8x4xf32>", "%weights : tensor<8x8xf32>", "%zero : tensor<i32>"]


def test_a_nan_is_at_a_line_of_a_cell(outputs: dict[str, list[Any]]) -> None:
    (error,) = (each for each in outputs["nan"] if each.output_type == "error")
    assert re.search(r"jax.jit\(jnp.log\)\(-1.0\) made a NaN at In\[\d+\]:2", error.evalue)


def test_it_is_drawn(outputs: dict[str, list[Any]]) -> None:
    drawn = [each.data for each in outputs["graph"]]
    assert len(drawn) == 3
    for data in drawn:
        assert "<shlo-graph-view" in data["text/html"]
        assert "dot_general" in data["text/plain"]


def test_it_is_stepped_through(outputs: dict[str, list[Any]]) -> None:
    assert WIDGET in outputs["step"][-1].data
    assert WIDGET in outputs["step-cell"][-1].data
    assert WIDGET in outputs["shlo"][-1].data


def test_it_runs_in_a_grid(outputs: dict[str, list[Any]]) -> None:
    titles = [found.data["text/plain"].split("\n")[0] for found in outputs["grid"]]
    assert [title.partition(" : ")[0] for title in titles] == ["%a", "%b", "%_0", "%_1"]
    assert all(title.endswith("in 2 processes, the same in all") for title in titles)
    assert WIDGET in outputs["step-grid"][-1].data


def test_mistakes_have_carets_and_no_trace_of_python(outputs: dict[str, list[Any]]) -> None:
    shown = "\n".join(outputs["mistake"][-1].traceback)
    assert "^~" in shown
    assert re.search(r"In\[\d+\]:2:\d+: ", shown)
    assert "ipython.py" not in shown
    assert "--nope" in outputs["option"][-1].evalue
    assert "argument `v` has shape (2, 4), expected (8, 4)" in outputs["shape"][-1].traceback[0]
    assert "^" in "\n".join(outputs["syntax"][-1].traceback)
    assert all("Traceback" not in "\n".join(outputs[name][-1].traceback) for name in ("shape", "syntax"))


def test_an_error_of_ones_own_function_has_the_lines_of_the_cell_alone(outputs: dict[str, list[Any]]) -> None:
    shown = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(outputs["own"][-1].traceback))
    assert re.findall(r"^-+> \d+ (.*)", shown, re.MULTILINE) == [
        "shlo.run(jax.jit(loss), jnp.ones((2, 3)))",
        "    return jax.vmap(inner)(x).sum()",
        "    return x + jnp.ones(4)",
    ]
    assert shown.splitlines()[-1].startswith("TypeError: add got incompatible shapes")
    assert len(shown.splitlines()) < 25


def test_the_newest_meaning_of_a_name_counts(outputs: dict[str, list[Any]]) -> None:
    assert outputs["seen"][0].data["text/plain"].startswith("%weights : tensor<2xf32>")
    assert outputs["kept"][0].data["text/plain"].startswith("%mixed : tensor<8x4xf32>")
    assert "@lowered.clip" in outputs["line"][0].text


# --- without a notebook ---


def test_a_session_keeps_its_own_value_until_python_assigns_the_name() -> None:
    session, variables = CellSession(), {"x": np.float32(1), "text": "no array"}
    sharing = Sharing(session, variables)
    sharing.give("%x, %text, %unknown")
    assert set(session.values) == {"x"}
    text = "%x = stablehlo.constant dense<2.0> : tensor<f32>"
    session.execute(text)
    sharing.keep(text)
    sharing.give("%x")
    assert session.values["x"].array == 2
    variables["x"] = np.float32(3)
    sharing.give("%x")
    assert session.values["x"].array == 3


def test_arrays_of_jax_keys_and_numbers_of_python_are_numpy_arrays() -> None:
    session = CellSession()
    variables = {
        "x": jnp.arange(6.0).reshape(2, 3),
        "key": jax.random.key(1),
        "rate": 0.5,
        "sizes": [1, 2],
        "half": jnp.ones(2, jnp.bfloat16),
        "mixed": [1, "one"],
    }
    Sharing(session, variables).give("%x, %key, %rate, %sizes, %half, %mixed")
    held = {name: (type(each.array), str(each.type)) for name, each in session.values.items()}
    assert {name: type_ for name, (_, type_) in held.items()} == {
        "x": "tensor<2x3xf32>",
        "key": "tensor<2xui32>",
        "rate": "tensor<f32>",
        "sizes": "tensor<2xi32>",
        "half": "tensor<2xbf16>",
    }
    assert all(issubclass(kind, (np.ndarray, np.generic)) for kind, _ in held.values())


def test_arrays_of_jax_are_saved(tmp_path: Path) -> None:
    notebook = Notebook()
    Sharing(notebook.session, {"x": jnp.arange(6.0)}).give("%x")
    notebook.cell(
        f"%y = stablehlo.negate %x : tensor<6xf32>\n%save {tmp_path}/all.npz\n%save {tmp_path}/x.npy %x"
    )
    with np.load(tmp_path / "all.npz") as saved:
        assert {name: saved[name].tolist() for name in saved}["x"] == [0, 1, 2, 3, 4, 5]
    assert np.load(tmp_path / "x.npy").tolist() == [0, 1, 2, 3, 4, 5]


def test_what_python_takes_is_its_own() -> None:
    session, variables = CellSession(), dict[str, Any]()
    session.execute("%x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>")
    Sharing(session, variables).take("x")
    variables["x"][0] = 5
    assert session.values["x"].array.tolist() == [1, 2]


def test_a_program_is_a_module_whose_name_means_its_main_function() -> None:
    session = CellSession()
    define(
        session,
        "f",
        'module @jit_g { func.func @main() { return } func.func private @"odd name"() { return } }',
    )
    assert set(session.functions) == {"f.main", "f.odd name"}
    assert session.state.definitions.resolve("f") == "f.main"


def test_a_module_runs_on_numbers_of_python() -> None:
    module = shlo.parse(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
        "  %y = stablehlo.add %x, %x : tensor<f32>\n  return %y : tensor<f32>\n}"
    )
    assert shlo_kernel.run(module, 1.5) == (3.0,)
    assert shlo_kernel.step(module, 1.5).session.snapshot.position == 0
    with pytest.raises(RequestError, match="@main takes 1 argument, 2 given"):
        shlo_kernel.step(module, 1, 2)


def test_cells_of_stablehlo_are_completed() -> None:
    from IPython.core.completer import provisionalcompleter
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    shell.register_magics(StableHLOMagics(shell))
    shell.run_cell_magic("stablehlo", "", "%x = stablehlo.constant dense<1.0> : tensor<f32>\n")
    cell = "%%stablehlo\n\n%y = stablehlo.neg"
    with provisionalcompleter():
        found = [(each.text, each.start) for each in shell.Completer.completions(cell, len(cell))]
        plain = [each.text for each in shell.Completer.completions("prin", 4)]
    assert found[0] == ("stablehlo.negate", cell.index("stablehlo.neg"))
    assert "print" in plain


def test_a_cell_that_runs_again_closes_its_steppers(kernel_name: str) -> None:
    manager, client = start_new_kernel(kernel_name="python3")
    try:
        kernel = KernelClient(client)
        count = "len(ipywidgets.widgets.widget._instances)"
        for code in (
            f"{CELLS['load']}\nimport shlo, ipywidgets",
            "f = jnp.sin",
            "low = jax.jit(f).lower(1.0)",
        ):
            assert kernel.reply_to(client.execute(code))["status"] == "ok"
        counts: list[str] = []
        for code in ["shlo.debug(f, 1.0)", "%step low, 1.0"] * 3:
            request = client.execute(code, user_expressions={"count": count})
            counts.append(kernel.reply_to(request)["user_expressions"]["count"]["data"]["text/plain"])
        assert len(set(counts[1:])) == 1
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
