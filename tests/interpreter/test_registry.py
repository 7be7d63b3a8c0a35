"""Kernels are found in the modules that dialects name, and few others are loaded for them."""

from __future__ import annotations

import json
import subprocess
import sys

CODE = """
import json, sys
from importlib import import_module
from pkgutil import walk_packages
from shlo.dialects import all_op_defs
from shlo.interpreter import kernels, registry

registry.find_kernel("stablehlo.add")
contractions = [name for name in sys.modules if name.startswith("shlo.interpreter.kernels.contraction.")]
found = {op_def.name for op_def in all_op_defs() if registry.find_kernel(op_def.name)}
for module in walk_packages(kernels.__path__, "shlo.interpreter.kernels."):
    import_module(module.name)
print(json.dumps([contractions, sorted(set(registry._kernels) - found)]))
"""


def test_kernels_are_in_the_modules_that_the_dialects_name() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    contractions, missed = json.loads(done.stdout)
    assert contractions == []
    assert missed == []
