"""What every operation does: kernels, in modules named after the families of the cards."""

from __future__ import annotations

from importlib import import_module

_CHLO = ("chlo", "broadcasting", "top_k", "ragged_dot", "scan")
_STABLEHLO = (
    "elementwise",
    "bitwise",
    "comparison",
    "conversion",
    "creation",
    "data_movement",
    "indexing",
    "scattering",
    "dynamism",
    "dot",
    "convolution",
    "reduction",
    "windows",
    "sorting",
    "random",
    "linear_algebra",
    "normalization",
    "quantization",
    "effects",
    "channels",
    "collective",
    "processes",
)
_FAMILIES: dict[str, tuple[str, ...]] = {
    "stablehlo": _STABLEHLO,
    "chlo": _CHLO,
    "sdy": ("annotations", "creation"),
    "check": ("checks",),
    "interpreter": ("probes", "run_parallel"),
    "quant": ("quantization",),
    "shape": ("shape",),
    "tensor": ("tensor",),
    "arith": ("arith",),
    "math": ("math",),
    "memref": ("casts",),
    "bufferization": ("casts",),
    "builtin": ("casts",),
    "ub": ("casts",),
    "cf": ("casts",),
    "func": ("casts",),
}
_loaded: set[str] = set()


def load_family_of(op_name: str) -> None:
    """Imports the modules that hold the kernels of an operation's dialect, once."""
    dialect = op_name.partition(".")[0]
    if dialect in _loaded:
        return
    _loaded.add(dialect)
    for family in _FAMILIES.get(dialect, ()):
        import_module(f"shlo.interpreter.kernels.{family}")
