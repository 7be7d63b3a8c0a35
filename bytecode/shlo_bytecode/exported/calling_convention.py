"""What `main` takes before the arguments of the Python function that JAX lowered: the index of the platform
where it was lowered for several, values of dimension variables, and a token for each ordered effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from shlo.ir.attributes import ArrayAttr, DictionaryAttr, StringAttr
from shlo.ir.dtypes import dtype_of
from shlo.ir.operations import Function
from shlo.ir.types import RankedTensorType, TokenType

PLATFORM_INDEX: Final = "_platform_index"

Sizes = Sequence[tuple[str, int]]
"""Sizes of arguments: as the function's signature states each (a number or an expression), and the number."""


def leading_arguments(
    function: Function, count: int, sizes: Sizes, platform: int, has_platforms: bool
) -> list[Any]:
    """Returns the first `count` arguments of a function, None for tokens.

    Args:
        function: the function `main`.
        count: how many arguments come before those of the Python function.
        sizes: the sizes of all its arguments, which dimension variables are found in.
        platform: the index of the platform.
        has_platforms: whether it was lowered for several; older programs do not say which argument is the
            index.

    Raises:
        ValueError: nothing tells what an argument is.
    """
    kinds = _global_constants(function)
    return [
        _leading(function, at, kinds[at], sizes, platform, has_platforms and at == 0) for at in range(count)
    ]


def _leading(
    function: Function, at: int, kind: str | None, sizes: Sizes, platform: int, is_first_of_several: bool
) -> Any:
    type_ = function.type.inputs[at]
    if isinstance(type_, TokenType):
        return None
    if isinstance(type_, RankedTensorType):
        if kind == PLATFORM_INDEX or (kind is None and is_first_of_several):
            return dtype_of(type_.element_type).type(platform)
        size = next((size for text, size in sizes if text == kind), None)
        if size is not None:
            return dtype_of(type_.element_type).type(size)
    raise ValueError(
        f"expected a platform index, a dimension variable or a token, got argument {at}: {type_}"
    )


def _global_constants(function: Function) -> list[str | None]:
    """Returns what `jax.global_constant` says of each argument of a function."""
    built: list[str | None] = [None] * len(function.type.inputs)
    attributes = function.operation.attribute("arg_attrs")
    entries = attributes.values if isinstance(attributes, ArrayAttr) else ()
    for index, entry in enumerate(entries[: len(built)]):
        constants: Mapping[str, Any] = entry.as_dict() if isinstance(entry, DictionaryAttr) else {}
        kind = constants.get("jax.global_constant")
        built[index] = kind.value if isinstance(kind, StringAttr) else None
    return built
