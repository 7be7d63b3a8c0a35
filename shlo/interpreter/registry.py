"""The registry of kernels: the modules of an operation's dialect are loaded when the first is looked up."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from shlo.dialects import kernel_modules
from shlo.interpreter.kernel_api import Kernel, KernelEntry, KernelError, KernelFn, OpView
from shlo.ir.operations import Signature
from shlo.ir.types import QuantizedType, element_type_of

_CHLO = (
    "kernels.chlo",
    "kernels.movement.broadcast",
    "kernels.reduction.top_k",
    "kernels.contraction.ragged_dot",
    "kernels.reduction.scan",
)
_STABLEHLO = (
    "kernels.elementwise.table",
    "kernels.elementwise.bitwise",
    "kernels.elementwise.comparison",
    "kernels.elementwise.conversion",
    "kernels.movement.creation",
    "kernels.movement.views",
    "kernels.indexing.dynamic_slice",
    "kernels.indexing.scatter",
    "kernels.movement.dynamic",
    "kernels.contraction.dot",
    "kernels.contraction.convolution",
    "kernels.reduction.reduce",
    "kernels.reduction.window",
    "kernels.reduction.sort",
    "kernels.random",
    "kernels.linalg.solvers",
    "kernels.normalization",
    "kernels.quantization.arithmetic",
    "kernels.effects",
    "custom_calls.kernel",
    "kernels.spmd.channels",
    "kernels.spmd.collective",
    "kernels.spmd.processes",
)
_FAMILIES: dict[str, tuple[str, ...]] = {
    "stablehlo": _STABLEHLO,
    "chlo": _CHLO,
    "sdy": ("kernels.spmd.shardy", "kernels.movement.creation"),
    "check": ("kernels.upstream.checks",),
    "interpreter": ("kernels.upstream.probes", "kernels.spmd.run_parallel"),
    "quant": ("kernels.quantization.arithmetic",),
    "shape": ("kernels.upstream.shape",),
    "tensor": ("kernels.upstream.tensor",),
    "arith": ("kernels.upstream.arith",),
    "math": ("kernels.upstream.math",),
    "memref": ("kernels.movement.casts",),
    "bufferization": ("kernels.movement.casts",),
    "builtin": ("kernels.movement.casts",),
    "ub": ("kernels.movement.casts",),
    "cf": ("kernels.movement.casts",),
    "func": ("kernels.movement.casts",),
}
"""For each dialect the modules of `shlo.interpreter` that register its kernels."""

_QUANTIZATION = "quantization.lifting"

_kernels: dict[str, KernelEntry] = {}
_loaded: set[str] = set()


def kernel(
    *names: str,
    needs_context: bool = False,
    expression: Callable[[OpView], str | None] | None = None,
    in_place: Callable[[OpView], KernelFn | None] | None = None,
) -> Callable[[Kernel], Kernel]:
    """Registers a kernel for the operations of these names."""

    def register(function: Kernel) -> Kernel:
        for name in names:
            if name in _kernels:
                raise AssertionError(f"two kernels for {name}")
            _kernels[name] = KernelEntry(function, needs_context, expression, in_place)
        return function

    return register


def find_kernel(name: str) -> KernelEntry | None:
    """Returns the kernel of an operation, None where there is none."""
    if name not in _kernels:
        dialect = name.partition(".")[0]
        try:
            if dialect not in _loaded:
                _loaded.add(dialect)
                for module in _FAMILIES.get(dialect, ()):
                    import_module(f"shlo.interpreter.{module}")
            for module in kernel_modules(name):
                import_module(module)
        except ImportError as error:  # of a package that is not installed, or of another distribution
            raise KernelError(f"the kernel of {name} does not load: {error}") from error
    return _kernels.get(name)


def kernel_for(op: OpView) -> KernelEntry | None:
    """Returns the kernel of an operation; where it has quantized operands or results, one that works on what
    they store. None where there is none.
    """
    entry = find_kernel(op.name)
    if entry is None or not _is_quantized(op.signature):
        return entry
    lifted: Callable[[KernelEntry], KernelEntry] = import_module(
        f"shlo.interpreter.kernels.{_QUANTIZATION}"
    ).lifted
    return lifted(entry)


def _is_quantized(signature: Signature) -> bool:
    types = (*signature.operand_types, *signature.result_types)
    return any(isinstance(element_type_of(type_), QuantizedType) for type_ in types)
