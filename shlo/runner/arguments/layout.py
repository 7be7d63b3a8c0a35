"""Shape and dtype of a generated tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.ir.dtypes import UnsupportedTypeError, dtype_of
from shlo.ir.types import RankedTensorType
from shlo.runner.errors import RequestError


def layout_of(type_: RankedTensorType, label: str, hint: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Returns the shape and dtype of an array of that type.

    Raises RequestError where a size is unknown (with the `hint`), where no array can hold such elements, and
    where the machine has not the memory.
    """
    from shlo.interpreter.runtime.limits import memory_limit

    if not type_.is_static:
        raise RequestError(f"{label} has type {type_}, of which no value can be made up", hint)
    try:
        dtype = dtype_of(type_.element_type)
    except UnsupportedTypeError as error:
        raise RequestError(f"{label}: {error}") from None
    if type_.element_count * dtype.itemsize > memory_limit():
        raise RequestError(f"{label} has type {type_}, which is more than this machine's memory")
    return type_.static_shape, dtype
