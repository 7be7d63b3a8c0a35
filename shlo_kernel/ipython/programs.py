"""Programs that other libraries hold: what JAX lowers and exports, and shlo's own modules.

Their classes are known by name, so that nothing of JAX is imported here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import shlo
from shlo.ir.dtypes import dtype_of
from shlo.ir.operations import Module
from shlo.ir.types import RankedTensorType
from shlo.runner.arguments.call import entry_function
from shlo.runner.errors import RequestError

if TYPE_CHECKING:
    from shlo_kernel.widgets.stepper import Stepper


READERS: Final[dict[tuple[str, str], tuple[str, dict[str, Any]]]] = {
    ("jax._src.stages", "Lowered"): ("as_text", {"debug_info": True}),
    ("jax.stages", "Lowered"): ("as_text", {"debug_info": True}),
    ("jax._src.export._export", "Exported"): ("mlir_module", {}),
    ("shlo.ir.operations", "Module"): ("to_text", {"locations": True}),
}
"""The methods that return a program's text, and what they take to write all locations, by the module and the
name of the program's class."""


def is_program(value: Any) -> bool:
    """Returns whether a value is a program."""
    return _key(value) in READERS


def text_of(program: Any, located: bool = False) -> str:
    """Returns the program's text for people, or with the lines of Python that it came from."""
    method, options = READERS[_key(program)]
    return getattr(program, method)(**(options if located else {}))


def module_of(program: Any) -> Module:
    """Returns the program as a module; raises ParseError."""
    return program if isinstance(program, Module) else _parsed(text_of(program, located=True))


def _key(value: Any) -> tuple[str, str]:
    return type(value).__module__, type(value).__qualname__


@lru_cache(maxsize=8)
def _parsed(text: str) -> Module:
    return shlo.parse(text)


def run(program: Any, *arguments: Any, **named: Any) -> Any:
    """Runs a program of JAX or a Module, see `shlo_kernel.run`."""
    module = module_of(_checked(program))
    results = shlo.run(module, *inputs_of(program, module, arguments, named))
    return program.out_tree.unflatten(results) if hasattr(program, "out_tree") else results


def step(program: Any, *arguments: Any, **named: Any) -> Stepper:
    """Returns a widget for a program step by step, see `shlo_kernel.step`."""
    from shlo.debugger.session import session_for
    from shlo_kernel.widgets.stepper import Stepper

    module = module_of(_checked(program))
    module = _parsed(text_of(module, located=True)) if module.source is None else module
    return Stepper(session_for(module, inputs_of(program, module, arguments, named)))


def _checked(program: Any) -> Any:
    if not is_program(program):
        hint = "give what jax.jit(f).lower(...) returns, or a Module"
        raise RequestError(f"a {type(program).__qualname__} is no program", hint)
    return program


def inputs_of(program: Any, module: Module, arguments: Sequence[Any], named: dict[str, Any]) -> list[Any]:
    """Returns the arrays that the function `main` takes from what the Python function takes."""
    function = entry_function(module, "main")
    types = function.type.inputs
    leaves = list(arguments)
    if hasattr(program, "in_tree"):
        leaves = _kept(program, program.in_tree.flatten_up_to((tuple(arguments), named)), len(types))
    if len(leaves) != len(types):
        raise RequestError(f"@main takes {len(types)} arrays, {len(leaves)} given")
    return [_converted(leaf, type_) for leaf, type_ in zip(leaves, types)]


def _kept(program: Any, leaves: list[Any], count: int) -> list[Any]:
    """Returns the arrays without those that JAX left out, because the function does not use them."""
    if len(leaves) == count:
        return leaves
    lowering = getattr(program, "_lowering", None)
    kept = getattr(lowering, "compile_args", {}).get("kept_var_idx")
    kept = getattr(program, "module_kept_var_idx", kept)
    if kept is None:
        raise RequestError("JAX left arguments out", "lower jax.jit(f, keep_unused=True)")
    return [leaves[index] for index in sorted(kept)]


def _converted(leaf: Any, type_: Any) -> Any:
    """Returns an array of a parameter's element type, as JAX converts Python's numbers and wider floats."""
    array = np.asarray(leaf)
    if not isinstance(type_, RankedTensorType):
        return array
    wanted = dtype_of(type_.element_type)
    return array.astype(wanted) if np.can_cast(array.dtype, wanted, "same_kind") else array
