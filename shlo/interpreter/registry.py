"""The registry of kernels: the modules that a dialect names are loaded when a kernel is looked up."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from shlo.dialects import kernel_modules
from shlo.interpreter.kernel_api import Kernel, KernelEntry, KernelError, KernelFn, OpView
from shlo.ir.operations import Signature
from shlo.ir.types import QuantizedType, element_type_of

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
            for module in kernel_modules(name):
                import_module(module)
                if name in _kernels:
                    break
        except ImportError as error:  # of a package that is not installed, or of another distribution
            raise KernelError(f"the kernel of {name} does not load: {error}") from error
    return _kernels.get(name)


def kernel_for(op: OpView) -> KernelEntry | None:
    """Returns the kernel of an operation; where it has quantized operands or results, one that works on what
    they store. None where there is none."""
    entry = find_kernel(op.name)
    if entry is None or not _is_quantized(op.signature):
        return entry
    lifted: Callable[[KernelEntry], KernelEntry] = import_module(
        "shlo.interpreter.kernels.quantization.lifting"
    ).lifted
    return lifted(entry)


def _is_quantized(signature: Signature) -> bool:
    types = (*signature.operand_types, *signature.result_types)
    return any(isinstance(element_type_of(type_), QuantizedType) for type_ in types)
