"""The registry of kernels, whose modules are found and loaded when a kernel of theirs is looked up."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from shlo.dialects import kernel_modules
from shlo.interpreter.kernel_api import Kernel, KernelEntry, KernelError, KernelFn, OpView
from shlo.ir.operations import Signature
from shlo.ir.types import QuantizedType, element_type_of

_KERNELS = "shlo.interpreter.kernels."
_OF_OTHER_DIALECTS: dict[str, tuple[str, ...]] = {
    "chlo": ("chlo", "movement.broadcast", "contraction.ragged_dot"),
    "sdy": ("spmd.shardy",),
    **dict.fromkeys(("check", "interpreter"), ("upstream.testing",)),
    "arith": ("upstream.arith",),
    "math": ("upstream.math",),
    **dict.fromkeys(
        ("tensor", "shape", "memref", "bufferization", "builtin", "ub", "cf", "func"), ("upstream.tensor",)
    ),
}
"""Modules of `shlo.interpreter.kernels` that only the programs of a dialect other than StableHLO need, each
loaded where those before it have no kernel for an operation."""

_OF_STABLEHLO: dict[str, str] = {
    "contraction.convolution": "convolution dynamic_conv",
    "contraction.dot": "dot dot_general einsum unary_einsum",
    "effects": "after_all create_token get_tuple_element optimization_barrier tuple",
    "elementwise.bitwise": (
        "count_leading_zeros popcnt shift_left shift_right_arithmetic shift_right_logical"
    ),
    "elementwise.comparison": "compare select",
    "elementwise.conversion": "bitcast_convert complex convert reduce_precision",
    "elementwise.table": (
        "abs add and atan2 cbrt ceil clamp cosine divide exponential exponential_minus_one floor imag "
        "is_finite log log_plus_one logistic maximum minimum multiply negate not or power real remainder "
        "round_nearest_afz round_nearest_even rsqrt sign sine sqrt subtract tan tanh xor"
    ),
    "indexing.dynamic_slice": ("dynamic_gather dynamic_slice dynamic_update_slice gather torch_index_select"),
    "indexing.scatter": "scatter",
    "linalg": "cholesky fft triangular_solve",
    "movement.creation": "constant iota",
    "movement.dynamic": (
        "dynamic_broadcast_in_dim dynamic_iota dynamic_pad dynamic_reshape real_dynamic_slice "
        "set_dimension_size"
    ),
    "movement.views": (
        "broadcast broadcast_in_dim concatenate get_dimension_size pad reshape reverse slice transpose"
    ),
    "normalization": "batch_norm_grad batch_norm_inference batch_norm_training",
    "random": "rng rng_bit_generator",
    "reduction.reduce": "map reduce",
    "reduction.sort": "sort",
    "reduction.window": "reduce_window select_and_scatter",
}
"""Modules of `shlo.interpreter.kernels` and the operations whose kernels they register. Only they are loaded
for a program that has no others: all of them take longer than a small program."""

_modules_by_name = {
    "chlo.scan": f"{_KERNELS}reduction.reduce",
    "chlo.top_k": f"{_KERNELS}reduction.sort",
    "stablehlo.custom_call": "shlo.interpreter.custom_calls.registry",
} | {
    f"stablehlo.{name}": _KERNELS + module
    for module, names in _OF_STABLEHLO.items()
    for name in names.split()
}
_kernels: dict[str, KernelEntry] = {}


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
        try:
            if name in _modules_by_name:
                import_module(_modules_by_name[name])
                return _kernels[name]
            for module in _OF_OTHER_DIALECTS.get(name.partition(".")[0], ()):
                import_module(_KERNELS + module)
                if name in _kernels:
                    return _kernels[name]
            _load_shared()
            for module in kernel_modules(name):
                import_module(module)
        except ImportError as error:  # of a package that is not installed, or of another distribution
            raise KernelError(f"the kernel of {name} does not load: {error}") from error
    return _kernels.get(name)


@cache
def _load_shared() -> None:
    """Imports every module of kernels but those that only one other dialect needs."""
    from pkgutil import walk_packages

    others = {_KERNELS + module for modules in _OF_OTHER_DIALECTS.values() for module in modules}
    for module in walk_packages(import_module(_KERNELS[:-1]).__path__, _KERNELS):
        if module.name not in others:
            import_module(module.name)


def kernel_for(op: OpView) -> KernelEntry | None:
    """Returns the kernel of an operation; where it has quantized operands or results, one that works on what
    they store. None where there is none."""
    entry = find_kernel(op.name)
    if entry is None or not _is_quantized(op.signature):
        return entry
    lifted: Callable[[KernelEntry], KernelEntry] = import_module(f"{_KERNELS}quantization.lifting").lifted
    return lifted(entry)


def _is_quantized(signature: Signature) -> bool:
    types = (*signature.operand_types, *signature.result_types)
    return any(isinstance(element_type_of(type_), QuantizedType) for type_ in types)
