"""Tensors of PyTorch as NumPy arrays: with gradients, on a GPU, of types that NumPy lacks."""

from __future__ import annotations

import sys
from typing import Any, Final

import ml_dtypes

from shlo.ir.dtypes import Array
from shlo.runner.errors import RequestError

_BITS: Final = {1: "uint8", 2: "int16"}
"""Types of PyTorch by how many bytes they have, as which NumPy gets elements of a type that it lacks."""


def is_torch_tensor(value: Any) -> bool:
    """Returns whether a value is a tensor of PyTorch; those of torchax are JAX's arrays inside."""
    classes: tuple[type, ...] = type(value).__mro__
    is_tensor = any((each.__module__, each.__qualname__) == ("torch", "Tensor") for each in classes)
    return is_tensor and classes[0].__module__.partition(".")[0] != "torchax"


def torch_array(what: str, tensor: Any) -> Array:
    """Returns the elements of a tensor, which messages call `what`; raises RequestError where it has none, or
    not one for each index."""
    layout = str(tensor.layout).removeprefix("torch.")
    if layout != "strided":
        raise RequestError(
            f"{what} is a tensor of PyTorch with layout {layout}, expected a dense one",
            "pass tensor.to_dense()",
        )
    if tensor.is_quantized:
        message = f"{what} is a quantized tensor of PyTorch, expected its numbers"
        raise RequestError(message, "pass tensor.dequantize()")
    if tensor.is_meta:
        raise RequestError(f"{what} is a tensor of PyTorch on the device meta, which has no values")
    plain = tensor.detach().cpu().resolve_conj().resolve_neg()
    name = str(plain.dtype).removeprefix("torch.")
    special = getattr(ml_dtypes, name, None)
    if special is not None and plain.element_size() in _BITS:
        bits = getattr(sys.modules["torch"], _BITS[plain.element_size()])
        return plain.contiguous().view(bits).numpy().view(special)
    try:
        return plain.numpy()
    except (TypeError, RuntimeError):
        raise RequestError(f"{what} has PyTorch's dtype {name}, expected one that StableHLO has") from None
