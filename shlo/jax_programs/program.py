"""Program of an object of Python's, with the arguments of a call: one place for all front ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from os import PathLike
from typing import Any, Final, cast

from msgspec import Struct

from shlo.api import parse, without_vhlo
from shlo.dialects.stablehlo.custom_call_targets import CUSTOM_PARTITIONING
from shlo.ir.operations import Function, Module
from shlo.ir.source import Source
from shlo.jax_programs.arguments import Arguments
from shlo.jax_programs.jax_library import jax, tree_util
from shlo.jax_programs.kinds import Kind, has_signature, kind_of, takes_arguments
from shlo.jax_programs.leaves import arrays_in
from shlo.jax_programs.lowering import (
    Partition,
    lower_by_itself,
    lower_function,
    lower_jitted,
    static_argnums_of,
)
from shlo.jax_programs.partitioned import with_partitioned_called
from shlo.jax_programs.signature import ENTRY, Signature, name_from_path, paths_of
from shlo.jax_programs.wrappers import WrappedCall, call_in_stage, unbound
from shlo.runner.arguments.call import entry_function
from shlo.runner.errors import RequestError
from shlo.runner.files import open_program, program_in
from shlo.text.numbers import plural

_ACCEPTED: Final = (
    "give a function with its arguments, a jitted function, what jax.jit(f).trace(...) or .lower(...) "
    "returns, an Exported, a module of jaxlib, a Module, or the text, bytes or path of a program"
)


class Program(Struct, frozen=True):
    """A program, and what leads from the arguments of a Python function to those of its `main` and back.

    Args:
        module: the program; it has a text, with the names and lines of Python where JAX tells them.
        signature: what the Python function takes and returns; None for a program that is no function of
            Python's.
        callbacks: the Python functions that host callbacks of the program call, by index.
    """

    module: Module
    signature: Signature | None = None
    callbacks: Sequence[Callable[..., Any]] = ()

    @property
    def text(self) -> str:
        """The program's text, with the names and lines of Python that it came from."""
        return self.module.source.text if self.module.source else self.module.to_text(locations=True)


class Call(Struct, frozen=True):
    """A program with the arguments of one call.

    Args:
        program: the program.
        inputs: what its entry function takes.
        parted: how a plain function's arguments were parted in arrays and others, or a library's wrapper has
            turned them into arrays.
    """

    program: Program
    inputs: Sequence[Any]
    parted: Partition | WrappedCall | None = None

    def result(self, values: Sequence[Any]) -> Any:
        """Returns what the entry function gives as the Python function returns it: a tuple of arrays for a
        program that is no function of Python's.
        """
        if self.program.signature is None:
            return tuple(values)
        signature, module = self.program.signature, self.program.module
        if isinstance(self.parted, WrappedCall) and self.parted.value is not None:
            return self.parted.returned(signature.arrays(module, values))
        result = signature.result(module, values)
        return self.parted.completed(result) if isinstance(self.parted, Partition) else result


def program_of(value: Any, given: Arguments | None = None) -> Program:
    """Returns the program that an object holds, which functions are lowered to with arguments.

    Raises RequestError, ParseError, and what a function raises.
    """
    given = given or Arguments()
    program, parted = _lowered(value, given)
    if program.signature is not None:
        if parted is None and not takes_arguments(value) and given != Arguments():
            program.signature.refuse_surplus(given)
    elif given.positional and (function := program.module.functions.get(ENTRY)) is not None:
        _refuse_count(function, len(_flattened(given)), exact=False)
    return program


def call_of(value: Any, given: Arguments, entry: str = ENTRY, platform: str | None = None) -> Call:
    """Returns the program that an object holds, with the arguments of a call.

    Args:
        value: what holds the program.
        given: what the Python function takes; what `entry` takes where there is none.
        entry: the function of a program that is no function of Python's.
        platform: chooses among those that a function was lowered for (default: the CPU, or else the first).

    Raises:
        RequestError: in the words of the caller; and what `program_of` raises.
    """
    program, parted = _lowered(value, given)
    if program.signature is None:
        return Call(program, _plain_inputs(program.module, given, entry, platform))
    if parted is None:
        leaves = program.signature.leaves(given)
    elif isinstance(parted, WrappedCall):
        leaves = parted.leaves
    else:
        leaves = [parted.leaves[number] for number in parted.numbers]
    return Call(program, program.signature.inputs(program.module, leaves, platform), parted)


def _lowered(value: Any, given: Arguments) -> tuple[Program, Partition | WrappedCall | None]:
    """Returns the program, and for a plain function or a library's wrapper what became of its arguments."""
    value, given = unbound(value, given)
    kind = kind_of(value)
    if kind is None:
        raise RequestError(f"expected a program, got {_described(value)}", _ACCEPTED)
    if (given.static_argnums or given.static_argnames) and kind != "function":
        what = "static arguments are those of a plain function"
        raise RequestError(what, "jax.jit takes static_argnums, too")
    if kind == "wrapper":
        stage = lower_by_itself(value, given)
        if stage is not None:
            return _from_stage(stage, value, given)
    if kind == "staged":
        return _from_stage(value, getattr(value, "jit_wrapped", None), given)
    if kind in ("function", "wrapper"):
        lowered, parted = lower_function(value, given)
        arrays = [parted.leaves[number] for number in parted.numbers]
        called = partial(parted.call, value)
        jaxpr = lambda: jax().make_jaxpr(called)(arrays)  # noqa: E731
        return _from_lowered(lowered, jaxpr=jaxpr, has_static=True), parted
    if kind == "jitted":
        lowered = lower_jitted(value, given)
        jaxpr = lambda: value.trace(*given.positional, **given.named).jaxpr  # noqa: E731
        return _from_lowered(lowered, static_argnums_of(value), jaxpr, has_static=True), None
    if given.named and not has_signature(value):
        names = ", ".join(f"`{name}`" for name in given.named)
        raise RequestError(f"expected no keyword arguments for a program that is no function, got {names}")
    return _READERS[kind](value), None


def _plain_inputs(module: Module, given: Arguments, entry: str, platform: str | None) -> Sequence[Any]:
    """Returns the arguments of a program that is no function of Python's."""
    from shlo_bytecode.exported.exported import call_arguments

    function = entry_function(module, entry)
    try:
        inputs = call_arguments(module, entry, tuple(_flattened(given)), platform)
    except ValueError as error:
        raise RequestError(str(error)) from None
    _refuse_count(function, len(inputs))
    return inputs


def _flattened(given: Arguments) -> Sequence[Any]:
    """Returns the arrays of positional arguments."""
    if "jax" not in sys.modules:
        return given.positional
    return [array for argument in given.positional for array in arrays_in(argument)]


def _refuse_count(function: Function, count: int, exact: bool = True) -> None:
    """Raises RequestError for more arguments than a function takes, and for fewer if `exact`."""
    takes = len(function.type.inputs)
    if count > takes or (exact and count < takes):
        raise RequestError(f"@{function.name} takes {plural(takes, 'argument', 'no')}, {count} given")


@lru_cache(maxsize=8)
def _parsed(text: str, name: str) -> Module:
    return parse(text, name)


def _from_module(module: Module) -> Program:
    return Program(module)


def read_text(value: Any) -> Source | Module:
    """Returns the text that an object of the kinds "text" and "path" holds, or the program of bytecode.
    Raises RequestError.
    """
    if isinstance(value, str) and not value:
        raise RequestError("expected a program, got an empty text", _ACCEPTED)
    if kind_of(value) == "path":
        return open_program(os.fsdecode(cast("str | PathLike[str]", value)))
    if isinstance(value, (str, bytes)):
        return program_in(value)
    return value if isinstance(value, Source) else program_in(bytes(value))


def _from_text(value: Any) -> Program:
    read = read_text(value)
    return Program(read if isinstance(read, Module) else parse(read))


def _from_mlir(module: Any) -> Program:
    return Program(_parsed(module.operation.get_asm(enable_debug_info=True), "<jaxlib module>"))


def _from_traced(traced: Any) -> Program:
    return _from_lowered(traced.lower(), jaxpr=lambda: traced.jaxpr)


def _from_stage(
    stage: Any, function: Any, given: Arguments
) -> tuple[Program, Partition | WrappedCall | None]:
    """Returns the program of what a wrapper or library has lowered, and what became of the arguments."""
    if kind_of(stage) == "lowered":
        return _from_lowered(stage, has_static=True), None
    if hasattr(stage, "traced"):
        stage = stage.lower()
    if not hasattr(stage, "lowered"):
        _from_compiled(stage)
    if given == Arguments() and stage.lowered.in_tree.num_leaves:
        return _from_lowered(stage.lowered), None
    call = call_in_stage(stage, function, given)
    return _from_lowered(call.lowered, call=call), call


def _from_lowered(
    lowered: Any,
    static_argnums: Sequence[int] | None = None,
    jaxpr: Callable[[], Any] | None = None,
    has_static: bool = False,
    call: WrappedCall | None = None,
) -> Program:
    """Returns the program of a `Lowered`; `jaxpr` gives what was traced before. What it keeps in private is
    used where it is there: which arguments it takes, their names, constants, and the functions of callbacks.
    """
    lowering = getattr(lowered, "_lowering", None)
    known: Mapping[str, Any] = getattr(lowering, "compile_args", {})
    takes: list[Any] = tree_util().tree_leaves(lowered.args_info, is_leaf=_is_argument)
    text = lowered.as_text(debug_info=True)
    kept = known.get("kept_var_idx")
    constants = tuple(getattr(lowering, "const_args", ()))
    own = (
        None
        if kept is None
        else [number - len(constants) for number in sorted(kept) if number >= len(constants)]
    )
    names = _names(lowered.in_tree, _told_names(known)[len(constants) :])
    if call is not None:
        text = call.renamed(text, names)
        names = [new or old for old, new in zip(names, call.argument_names)]
    signature = Signature(
        in_tree=lowered.in_tree,
        out_tree=lowered.out_tree,
        names=names,
        shapes=[each.shape for each in takes],
        dtypes=[each.dtype for each in takes],
        kept=own,
        constants=constants,
        result_dtypes=[each.dtype for each in known.get("global_out_avals", ())],
        static_argnums=static_argnums,
        has_static=has_static,
    )
    module = _parsed(text, "<jax>")
    if jaxpr is not None and CUSTOM_PARTITIONING in text:
        module = with_partitioned_called(module, jaxpr(), known.get("keepalive") or ())
    return Program(module, signature, tuple(known.get("host_callbacks") or ()))


def _from_exported(exported: Any) -> Program:
    """Returns the program of an `Exported`, whose attributes are public."""
    signature = Signature(
        in_tree=exported.in_tree,
        out_tree=exported.out_tree,
        names=_names(exported.in_tree, ()),
        shapes=[each.shape for each in exported.in_avals],
        dtypes=[each.dtype for each in exported.in_avals],
        kept=exported.module_kept_var_idx,
        result_dtypes=[each.dtype for each in exported.out_avals],
        platforms=exported.platforms,
    )
    return Program(without_vhlo(_parsed(exported.mlir_module(), "<jax.export>")), signature)


def _from_compiled(compiled: Any) -> Program:
    """Raises RequestError: a `Compiled` keeps nothing of the program that XLA has compiled."""
    raise RequestError(
        "expected StableHLO, got a Compiled, which has kept XLA's optimised HLO alone: pass f.lower(...) "
        "instead, without .compile()"
    )


def _described(value: Any) -> str:
    name = type(value).__qualname__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _from_torch(model: Any) -> Program:
    """Raises RequestError: PyTorch's programs become StableHLO by way of other packages."""
    raise RequestError(
        f"expected StableHLO or a function of JAX, got a {type(model).__qualname__} of PyTorch",
        "weights, f = torchax.extract_jax(model), and then f(weights, args) in place of model(*args); "
        "docs/jax.md has other ways",
    )


_READERS: Final[dict[Kind, Callable[[Any], Program]]] = {
    "module": _from_module,
    "text": _from_text,
    "path": _from_text,
    "mlir": _from_mlir,
    "traced": _from_traced,
    "lowered": _from_lowered,
    "compiled": _from_compiled,
    "torch": _from_torch,
    "exported": _from_exported,
}


def _is_argument(node: object) -> bool:
    """Returns whether a node of `args_info` is what JAX says of one argument."""
    return hasattr(node, "donated")


def _told_names(known: Mapping[str, Any]) -> Sequence[str | None]:
    """Returns JAX's names of the arguments, as far as it tells."""
    info = getattr(known.get("all_args_info"), "debug_info", None)
    return tuple(getattr(info, "arg_names", None) or ())


def _names(tree: Any, told: Sequence[str | None]) -> list[str]:
    """Returns the names of the leaves of (args, kwargs), those that JAX tells where it tells all."""
    paths = paths_of(tree)
    if len(told) != len(paths):
        told = (None,) * len(paths)
    return [name or name_from_path(path) for name, path in zip(told, paths)]
