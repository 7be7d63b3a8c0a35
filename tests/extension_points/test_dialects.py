"""Operations and dialects of other distributions, installed beside the project."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.extension_points.distribution import ROOT, documented_files, install, run_beside

pytestmark = pytest.mark.slow

QUANTIZED = """
func.func @main() -> tensor<2xi8> {
  %0 = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %2 = stablehlo.leaky_relu %1, alpha = 0.5 : tensor<2x!quant.uniform<i8:f32, 0.5>>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xi8>
  return %3 : tensor<2xi8>
}
"""
NEW_DIALECT = {
    "pyproject.toml": """
        [project]
        name = "scaled"
        version = "1.0"
        [project.entry-points."shlo.dialects"]
        scaled = "scaled:DIALECT"
        """.replace("        ", ""),
    "scaled.py": """
from shlo.dialects.opdef import OpDef, dialect_of, operand, traits
from shlo.dialects.stablehlo.ops.parts import FLOAT
from shlo.interpreter.registry import kernel

TWICE = OpDef(
    "scaled.twice",
    "Each element, twice.",
    operands=(operand("operand", FLOAT),),
    results=(operand("result", FLOAT),),
    format="operands attr-dict `:` type(same)",
    traits=traits("elementwise"),
)
DIALECT = dialect_of("scaled", [TWICE], kernels=("scaled",))


@kernel("scaled.twice")
def twice(op):
    return lambda x: x + x
""",
}


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns where the distribution of CONTRIBUTING.md is installed."""
    return install(documented_files(), tmp_path_factory.mktemp("leaky"))


def test_an_operation_of_a_distribution_is_like_one_of_shlo(target: Path) -> None:
    outcome = run_beside(
        target, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/extension_points/with_leaky_relu.py"
    )
    assert outcome.returncode == 0, outcome.stdout


def test_quantized_tensors_are_refused_until_the_definition_says_how(tmp_path: Path) -> None:
    files = documented_files()
    definitions = files["shlo_leaky/definitions.py"]
    files["shlo_leaky/definitions.py"] = definitions.replace('    quantized="dequantize",\n', "")
    assert files["shlo_leaky/definitions.py"] != definitions
    program = tmp_path / "quantized.mlir"
    program.write_text(QUANTIZED)
    outcome = run_beside(install(files, tmp_path), "-m", "shlo", "run", str(program))
    assert outcome.returncode == 1
    assert "quantized.mlir:5:3: error: stablehlo.leaky_relu: is not defined for quantized" in outcome.stderr


def test_a_distribution_may_bring_a_dialect_of_its_own(tmp_path: Path) -> None:
    program = tmp_path / "twice.mlir"
    program.write_text("""
        func.func @main() -> tensor<f32> {
          %0 = stablehlo.constant dense<1.5> : tensor<f32>
          %1 = scaled.twice %0 : tensor<f32>
          return %1 : tensor<f32>
        }""")
    outcome = run_beside(install(NEW_DIALECT, tmp_path), "-m", "shlo", "run", str(program))
    assert outcome.stdout.splitlines()[-1] == "3.", outcome.stderr


def test_two_definitions_of_one_operation_name_their_distributions(target: Path, tmp_path: Path) -> None:
    files = {name: text.replace("shlo-leaky", "other-leaky") for name, text in documented_files().items()}
    program = tmp_path / "leaky.mlir"
    program.write_text('"stablehlo.leaky_relu"() : () -> ()')
    run = "import sys; from shlo.cli import main; sys.path.append(sys.argv[1]); sys.exit(main(sys.argv[2:]))"
    outcome = run_beside(target, "-c", run, str(install(files, tmp_path)), "check", str(program))
    assert outcome.returncode == 2
    assert outcome.stderr == (
        "error: the operation 'stablehlo.leaky_relu' is defined by the distributions shlo-leaky and other-leaky;"
        " uninstall one of them\n"
    )


def test_checking_shlos_own_operations_searches_no_distributions() -> None:
    programs = sorted(str(path) for path in (ROOT / "tests" / "ops").glob("*.mlir"))
    code = (
        "import sys; from shlo.cli import main; code = main(['check', *sys.argv[1:]]);"
        " print(code, 'importlib.metadata' in sys.modules)"
    )
    outcome = subprocess.run(
        [sys.executable, "-c", code, *programs], capture_output=True, text=True, check=True, timeout=300
    )
    assert outcome.stdout.splitlines()[-1] == "0 False", outcome
