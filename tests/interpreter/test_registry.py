"""Kernels are found in the modules that the registry names, and no others are loaded for them."""

from __future__ import annotations

import json
import subprocess
import sys

CODE = """
import json, sys
from shlo.interpreter import registry

def modules():
    return [name for name in sys.modules if name.startswith("shlo.interpreter.kernels.contraction.")]

registry.find_kernel("stablehlo.add")
before = modules()
missing = []
for name, module in registry._modules_by_name.items():
    registry.find_kernel(name)
    source = open(sys.modules[module].__file__).read()
    if f'"{name}"' not in source and f'"{name.partition(".")[2]}"' not in source:
        missing.append(name)
named = set(registry._modules_by_name)
registry.find_kernel("stablehlo.no_such_operation")
print(json.dumps([before, missing, sorted(set(registry._kernels) - named)]))
"""
UNNAMED = {
    *("interpreter.run_parallel", "quant.dcast", "quant.qcast", "quant.scast"),
    *("sdy.constant", "stablehlo.uniform_dequantize", "stablehlo.uniform_quantize"),
    *("stablehlo.async_done", "stablehlo.async_start", "stablehlo.partition_id", "stablehlo.replica_id"),
    *("stablehlo.all_gather", "stablehlo.all_reduce", "stablehlo.all_to_all", "stablehlo.reduce_scatter"),
    *("stablehlo.collective_broadcast", "stablehlo.collective_permute", "stablehlo.collective_reduce"),
    *(
        "stablehlo.cross-replica-sum",
        "stablehlo.infeed",
        "stablehlo.outfeed",
        "stablehlo.recv",
        "stablehlo.send",
    ),
}
"""Kernels for which all modules are loaded: those of grids, quantized types and other dialects."""


def test_kernels_are_in_the_modules_that_the_registry_names() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    contraction, missing, unnamed = json.loads(done.stdout)
    assert contraction == []
    assert missing == []
    assert set(unnamed) <= UNNAMED
