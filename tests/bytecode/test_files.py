"""Large files: constants are views, and are written without being copied."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import shlo
import shlo_bytecode
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import Module, Operation, Signature

pytestmark = pytest.mark.slow

ELEMENTS = 1 << 24
TEXT = f"""
func.func @main() -> tensor<{ELEMENTS}xf32> {{
  %0 = stablehlo.constant dense<1.0> : tensor<{ELEMENTS}xf32>
  return %0 : tensor<{ELEMENTS}xf32>
}}
"""


def constant_of(module: Module) -> DenseElementsAttr:
    body = module.functions["main"].body
    assert body is not None
    value = body.blocks[0].operations[0].attribute("value")
    assert isinstance(value, DenseElementsAttr)
    return value


@pytest.fixture(scope="module")
def large_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns an artifact with a constant of 64 MiB."""
    module = shlo.parse(TEXT)
    body = module.functions["main"].body
    assert body is not None
    old = body.blocks[0].operations[0]
    numbers = np.arange(ELEMENTS, dtype=np.float32)
    value = DenseElementsAttr(constant_of(module).type, numbers)
    signature = Signature(old.name, (), old.result_types, {"value": value})
    body.blocks[0].operations[0] = Operation(signature, (), old.results)
    path = tmp_path_factory.mktemp("large") / "large.mlirbc"
    with path.open("wb") as file:
        shlo_bytecode.save_artifact(file, module, "1.0.0")
    return path


def test_listing_functions_decodes_no_constant(large_file: Path) -> None:
    module = shlo.load(large_file)
    assert list(module.functions) == ["main"]
    assert not constant_of(module).is_decoded
    assert constant_of(module).array[-1] == ELEMENTS - 1


COPY = """
import resource, sys, shlo, shlo_bytecode
module = shlo.load(sys.argv[1])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
with open(sys.argv[2], "wb") as file:
    shlo_bytecode.save_artifact(file, module, "1.4.0")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts kilobytes as Linux does")
def test_a_constant_is_copied_once_at_most(large_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.mlirbc"
    done = subprocess.run(
        [sys.executable, "-c", COPY, str(large_file), str(target)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) * 1024 < 1.2 * 4 * ELEMENTS
    copy = constant_of(shlo.load(target))
    assert copy.stored == constant_of(shlo.load(large_file)).stored
