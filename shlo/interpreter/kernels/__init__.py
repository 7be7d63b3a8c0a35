"""Kernels, in modules named after the families of the definitions."""

from __future__ import annotations

from importlib import import_module

from shlo.dialects import kernel_modules

_CHLO = ("chlo", "movement.broadcast", "reduction.top_k", "contraction.ragged_dot", "reduction.scan")
_STABLEHLO = (
    "elementwise.table",
    "elementwise.bitwise",
    "elementwise.comparison",
    "elementwise.conversion",
    "movement.creation",
    "movement.views",
    "indexing.dynamic_slice",
    "indexing.scatter",
    "movement.dynamic",
    "contraction.dot",
    "contraction.convolution",
    "reduction.reduce",
    "reduction.window",
    "reduction.sort",
    "random",
    "linalg.solvers",
    "normalization",
    "quantization.arithmetic",
    "effects",
    "spmd.channels",
    "spmd.collective",
    "spmd.processes",
)
_FAMILIES: dict[str, tuple[str, ...]] = {
    "stablehlo": _STABLEHLO,
    "chlo": _CHLO,
    "sdy": ("spmd.shardy", "movement.creation"),
    "check": ("upstream.checks",),
    "interpreter": ("upstream.probes", "spmd.run_parallel"),
    "quant": ("quantization.arithmetic",),
    "shape": ("upstream.shape",),
    "tensor": ("upstream.tensor",),
    "arith": ("upstream.arith",),
    "math": ("upstream.math",),
    "memref": ("movement.casts",),
    "bufferization": ("movement.casts",),
    "builtin": ("movement.casts",),
    "ub": ("movement.casts",),
    "cf": ("movement.casts",),
    "func": ("movement.casts",),
}
_loaded: set[str] = set()


def load_family_of(op_name: str) -> None:
    """Imports the modules that hold the kernel of an operation."""
    dialect = op_name.partition(".")[0]
    if dialect not in _loaded:
        _loaded.add(dialect)
        for family in _FAMILIES.get(dialect, ()):
            import_module(f"shlo.interpreter.kernels.{family}")
    for module in kernel_modules(op_name):
        import_module(module)
