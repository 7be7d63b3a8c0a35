"""A definition, a kernel, a function of the reference and a check program add an operation: no list of the project or of its tests knows it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.extension_points.distribution import ROOT

pytestmark = pytest.mark.slow

DEFINITION = '''
LEAKY_RELU = OpDef(
    "stablehlo.leaky_relu",
    "Multiplies negative elements by alpha.",
    operands=(operand("operand", FLOAT),),
    attributes=(required("alpha", I32_ATTR),),
    results=(operand("result", FLOAT),),
    format="$operand `,` `alpha` `=` $alpha attr-dict `:` type(same)",
    traits=ELEMENTWISE,
    constraints=formulas("""
        C1: baseline_type(operand) = baseline_type(result)
    """),
)
'''
KERNEL = '''

@kernel("stablehlo.leaky_relu")
def leaky_relu(op: OpView) -> KernelFn:
    """Multiplies negative elements by alpha."""
    alpha = op.result_dtype().type(op.integer("alpha"))
    return lambda x: np.where(x < 0, x * alpha, x)
'''
MEANING = '''

@meaning()
def leaky_relu(op: Op, operand: Tensor) -> Tensor:
    """The element; times alpha where it is negative."""
    alpha = Element(op.result_type(), float(op.attribute("alpha")))
    return elementwise(op.result_type(), lambda x: x * alpha if x.value < 0 else x, operand)
'''
PROGRAM = """func.func @leaky_relu_spec_example() {
  %operand = stablehlo.constant dense<[-2.0, 3.0]> : tensor<2xf64>
  %result = stablehlo.leaky_relu %operand, alpha = 4 : tensor<2xf64>
  check.expect_eq_const %result, dense<[-8.0, 3.0]> : tensor<2xf64>
  func.return
}
"""
FAMILY = "shlo/dialects/stablehlo/ops/elementwise.py"
KERNELS = "shlo/interpreter/kernels/elementwise/comparison.py"
REFERENCE = "shlo/reference/elementwise.py"
TESTS = (
    *("tests/dialects", "tests/docs/test_constraints_page.py", "tests/docs/test_ops_page.py"),
    *("tests/fuzzing/test_generator.py", "tests/interpreter/test_registry.py", "tests/ops/test_examples.py"),
    *("tests/ops/test_ops.py", "tests/reference/test_reference.py"),
)


def test_a_definition_a_kernel_a_meaning_and_a_program_add_an_operation(tmp_path: Path) -> None:
    copy = _copy_of_project(tmp_path / "copy")
    _rewrite(copy / FAMILY, "\nOP_DEFS = UNARY", f"{DEFINITION}\nOP_DEFS = (LEAKY_RELU,) + UNARY")
    for name, text in ((KERNELS, KERNEL), (REFERENCE, MEANING)):
        module = copy / name
        _rewrite(module, module.read_text("utf-8"), module.read_text("utf-8") + text)
    (copy / "tests" / "ops" / "leaky_relu.mlir").write_text(PROGRAM)
    for page in ("ops", "constraints"):  # `make docs`
        _python(copy, f"docs/generate_{page}.py")
    chosen = "leaky_relu or page or registry or op_defs or vhlo or programs_are_named or quantized_meaning"
    _python(copy, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-k", chosen, *TESTS)
    where = _python(copy, "-m", "shlo", "ops", "leaky_relu", "--where")
    subjects = {line.split()[0] for line in where.splitlines()[1:]}
    assert subjects == {"definition", "kernel", "reference", "test", "document"}


def _copy_of_project(target: Path) -> Path:
    """Returns a copy of the files that git does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).exists():
            shutil.copyfile(ROOT / name, path)
    return target


def _rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8", newline="\n")


def _python(folder: Path, *arguments: str) -> str:
    path = os.pathsep.join((str(folder), str(folder / "bytecode")))
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
