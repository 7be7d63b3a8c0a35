"""Reading JAX's data without running it, and judging what its programs give."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pytest

import shlo
import shlo_bytecode
from tests.corpora.artifacts import run
from tests.corpora.back_compat_data import assigned_values, entries

EIGH = """func.func @main(%a: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>) {
  %v, %w = stablehlo.custom_call @Eigh(%a) {backend_config = "1,1,9,0"} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>)
  return %v, %w : tensor<2x2xf64>, tensor<2xf64> }"""

KERNEL = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %r = stablehlo.custom_call @tpu_custom_call(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32> }"""


def write_data(folder: Path, name: str, text: str, inputs: str, outputs: str, more: str = "") -> None:
    """Writes a data file with one entry, data.x, whose program is `text`."""
    program = shlo_bytecode.write(shlo.parse(text)) if text else b"none"
    path = folder / "export_back_compat_test_data" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"import os\nimport numpy as np\narray = np.array\n{more}\ndata = {{}}\n"
        f'data["x"] = dict(platform="cpu", custom_call_targets={["tpu_custom_call"] if text is KERNEL else []},\n'
        f"  inputs=({inputs},), expected_outputs=({outputs},), mlir_module_serialized={program!r})\n"
    )


def test_literals_are_read_and_nothing_else() -> None:
    values = dict(
        assigned_values(
            "a = array([[1, -2], [3, inf]], dtype=float32)\n"
            "b = {'d': datetime.date(2024, 5, 31), 'c': (1.5-2j, [True, None])}\n"
            "c['k'] = dict(n=np.int32(7), s=b'\\x00' b'\\x01', t=array([1.5], dtype=dtype('bfloat16')))\n"
            "d = open('/etc/passwd').read()\ne = [x for x in (1, 2)]\nf = array([1], dtype=nothing)\ng = a\n"
        )
    )
    np.testing.assert_array_equal(values["a"], np.array([[1, -2], [3, np.inf]], "f4"))
    assert values["b"] == {"d": date(2024, 5, 31), "c": (1.5 - 2j, [True, None])}
    assert (values["c.k"]["n"], values["c.k"]["s"], values["c.k"]["t"].dtype.name) == (7, b"\0\1", "bfloat16")
    assert not {"d", "e", "f"} & values.keys()


@pytest.mark.parametrize(
    ("outputs", "verdict"),
    [
        ("array([[0.6, 0.8], [-0.8, 0.6]]), array([-1., 1.])", "passed"),
        ("array([[0.6, 0.8], [-0.8, 0.6]]), array([-1., 2.])", "failed"),
        ("array([[0.8, 0.6], [-0.6, 0.8]]), array([-1., 1.])", "failed"),
        ("array([[0.6, 0.8], [-0.8, 0.6]], dtype=float32), array([-1., 1.])", "failed"),
    ],
)
def test_eigenvectors_are_judged_by_the_matrix_that_they_make_up(
    tmp_path: Path, outputs: str, verdict: str
) -> None:
    """The recorded vectors have other signs than LAPACK's."""
    write_data(tmp_path / "jax", "cpu_eigh.py", EIGH, "array([[0.28, 0.96], [0.96, -0.28]])", outputs)
    (result,) = run(tmp_path / "jax")
    assert (result.key, result.verdict) == ("jax/cpu_eigh.py::data.x", verdict)


def test_removed_artifacts_are_beside_the_checkout_and_run_once(tmp_path: Path) -> None:
    other = EIGH.replace(
        "-> (tensor<2x2xf64>, tensor<2xf64>) {", "-> (tensor<2x2xf64>, tensor<2xf64>) attributes {a} {"
    )
    matrix, outputs = "array([[1., 0.], [0., 2.]])", "array([[1., 0.], [0., 1.]]), array([1., 2.])"
    write_data(tmp_path / "jax", "eigh.py", EIGH, matrix, outputs)
    write_data(tmp_path / "jax-history" / "1", "eigh.py", EIGH, matrix, outputs)
    write_data(tmp_path / "jax-history" / "2", "eigh_2.py", other, matrix, outputs)
    write_data(
        tmp_path / "jax-history" / "2",
        "kernel.py",
        KERNEL,
        "array([1., 2.], dtype=np.float32)",
        "array([1., 2.])",
    )
    write_data(tmp_path / "jax-history" / "2", "none.py", "", "1.", "1.")
    assert [(result.key.partition("::")[0], result.verdict) for result in run(tmp_path / "jax")] == [
        ("jax/eigh.py", "passed"),
        ("jax-history/eigh_2.py", "passed"),
        ("jax-history/kernel.py", "device kernel"),
        ("jax-history/none.py", "no program"),
    ]
    assert [result.key for result in run(tmp_path / "jax", "kernel")] == ["jax-history/kernel.py::data.x"]


def test_data_is_never_run(tmp_path: Path) -> None:
    write_data(tmp_path / "jax", "bad.py", EIGH, "1.", "1.", more="raise SystemExit(os.system('false'))")
    assert [entry.key for entry in entries(tmp_path / "jax")] == ["bad.py::data.x"]
