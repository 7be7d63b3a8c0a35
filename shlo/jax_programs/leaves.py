"""Arrays of a call as NumPy arrays: JAX arrays, typed keys, Python's numbers, tensors of PyTorch."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final, cast

import ml_dtypes
import numpy as np

from shlo.ir.dtypes import Array, UnsupportedTypeError, element_type_for
from shlo.jax_programs.jax_library import jax, tree_util
from shlo.runner.errors import RequestError, shown

NARROWED: Final = {
    "float64": "float32",
    "int64": "int32",
    "uint64": "uint32",
    "complex128": "complex64",
}
"""What JAX makes of NumPy's element types of 64 bits unless `jax_enable_x64` is set."""

_BITS: Final = {1: "uint8", 2: "int16"}
"""Types of PyTorch by how many bytes they have, as which NumPy gets elements of a type that it lacks."""
_PYTHON_NUMBERS: Final = (bool, int, float, complex)


def is_array(leaf: Any) -> bool:
    """Returns whether a leaf is an array, or is taken for one by JAX: a number of Python or NumPy."""
    return isinstance(leaf, (*_PYTHON_NUMBERS, np.generic)) or (
        hasattr(leaf, "shape") and hasattr(leaf, "dtype") and not isinstance(leaf, type)
    )


def is_jax_array(leaf: Any) -> bool:
    """Returns whether a leaf is an array of JAX's with elements, no typed keys and nothing that is traced."""
    class_ = cast("type[object]", type(leaf))
    return class_.__name__ == "ArrayImpl" and class_.__module__.startswith("jax")


def array_in(value: Any) -> Array | None:
    """Returns a variable as a NumPy array: NumPy's and JAX's arrays, words of typed keys, numbers and lists
    of them of the types that JAX gives them. Returns None for what is no array, or has elements that
    StableHLO has no type for.
    """
    if is_key(getattr(value, "dtype", None)):
        value = jax().random.key_data(value)
    is_python = type(value) in (*_PYTHON_NUMBERS, list)
    is_array = hasattr(value, "dtype") and hasattr(value, "__array__") and not isinstance(value, type)
    if not is_python and not is_array:
        return None
    try:
        array = torch_array("the value", value) if is_torch_tensor(value) else np.asarray(value)
        element_type_for(array.dtype)
    except (TypeError, ValueError, RequestError):
        return None
    return array.astype(NARROWED.get(array.dtype.name, array.dtype)) if is_python else array


def shown_array(value: Any) -> Array | None:
    """Returns an array of NumPy, JAX or the like as a NumPy array, typed keys as their words; None for what
    is none. Raises RequestError where its elements cannot be had, or are no numbers.
    """
    dtype = getattr(value, "dtype", None)
    if dtype is None or not hasattr(value, "shape") or isinstance(value, type):
        return None
    if is_key(dtype):
        value = jax().random.key_data(value)
    array = _values("the array", value)
    try:
        element_type_for(array.dtype)
    except UnsupportedTypeError as error:
        raise RequestError(f"the array cannot be shown: {error}") from None
    return array


def arrays_in(argument: Any) -> Sequence[Any]:
    """Returns the arrays of an argument that is a pytree of JAX's arrays, typed keys as their words, the
    argument itself where it is anything else, as a number or a list of numbers.
    """
    leaves = tree_util().tree_leaves(argument)
    if leaves and any(isinstance(leaf, (jax().Array, np.ndarray)) for leaf in leaves):
        return [
            jax().random.key_data(leaf) if is_key(getattr(leaf, "dtype", None)) else leaf for leaf in leaves
        ]
    return [argument]


def check_shape(name: str, leaf: Any, shape: Sequence[object]) -> None:
    """Raises RequestError where a leaf is no array of a shape; sizes that are no numbers fit every size."""
    if not is_array(leaf):
        raise RequestError(f"argument `{name}` is a {type(leaf).__qualname__}, expected an array")
    leaf_shape = tuple(np.shape(leaf)) if not hasattr(leaf, "shape") else tuple(leaf.shape)
    is_fixed = [str(size).isdecimal() for size in shape]
    fits = len(leaf_shape) == len(shape) and all(
        not fixed or int(str(size)) == there for fixed, size, there in zip(is_fixed, shape, leaf_shape)
    )
    if not fits:
        expected = f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
        raise RequestError(f"argument `{name}` has shape {leaf_shape}, expected {expected}")


def numpy_array(name: str, leaf: Any, dtype: Any) -> Any:
    """Returns a leaf as a NumPy array of the element type that a function was lowered for.

    `dtype` is JAX's: that of typed keys becomes words of their data. Python's numbers, and NumPy's types of
    64 bits where the function was lowered without x64, are converted as by JAX. Raises RequestError.
    """
    if is_key(dtype):
        if str(getattr(leaf, "dtype", None)) != str(dtype):
            other = getattr(leaf, "dtype", type(leaf).__qualname__)
            raise RequestError(f"argument `{name}` has dtype {other}, expected {dtype}")
        return np.asarray(jax().random.key_data(leaf))
    if is_key(getattr(leaf, "dtype", None)):
        raise RequestError(f"argument `{name}` is a typed key, expected {dtype}")
    wanted = np.dtype(dtype)
    array = _values(f"argument `{name}`", leaf)
    if array.dtype == wanted:
        return array
    is_number = isinstance(leaf, _PYTHON_NUMBERS) and not isinstance(leaf, np.generic)
    is_narrowed = NARROWED.get(array.dtype.name) == wanted.name and not hasattr(leaf, "addressable_shards")
    if is_narrowed or (is_number and _order(array.dtype) <= _order(wanted)):
        return array.astype(wanted)
    raise RequestError(f"argument `{name}` has dtype {array.dtype.name}, expected {wanted.name}")


def result_of(value: Any, dtype: Any) -> Any:
    """Returns a result as JAX's caller gets it, with typed keys in place of their words."""
    if not is_key(dtype):
        return value
    return jax().random.wrap_key_data(value, impl=dtype._impl.name)


def is_key(dtype: Any) -> bool:
    """Returns whether an element type of JAX's is that of typed keys."""
    return not isinstance(dtype, np.dtype) and str(dtype).startswith("key<")


def _values(what: str, leaf: Any) -> Any:
    """Returns the elements of an array, which messages call `what`; raises RequestError where it has none,
    or has them elsewhere."""
    core = sys.modules.get("jax.core")
    if core is not None and isinstance(leaf, core.Tracer):
        raise RequestError(f"{what} is being traced by JAX, expected an array with values")
    try:
        if is_torch_tensor(leaf):
            return torch_array(what, leaf)
        if getattr(leaf, "is_deleted", bool)():
            raise RequestError(f"{what} was donated and has no values any more")
        array = np.asarray(leaf)
    except (TypeError, ValueError, RuntimeError) as error:
        raise RequestError(f"{what} has no values here: {error}") from None
    if array.dtype.kind == "O":
        fault = "holds Python objects" if isinstance(leaf, np.ndarray) else f"is {shown(leaf)} without values"
        raise RequestError(f"{what} {fault}, expected an array of numbers")
    return array


def _order(dtype: np.dtype[Any]) -> int:
    """Returns a rank of the element type's kind: JAX converts Python's numbers to kinds of the same or a
    higher rank.
    """
    ranks = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
    return ranks.get(dtype.kind, 2 if "float" in dtype.name or dtype.kind == "V" else 1)


def is_torch_tensor(value: Any) -> bool:
    """Returns whether a value is a tensor of PyTorch; those of torchax are JAX's arrays inside."""
    classes: tuple[type, ...] = type(value).__mro__
    is_tensor = any((class_.__module__, class_.__qualname__) == ("torch", "Tensor") for class_ in classes)
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
