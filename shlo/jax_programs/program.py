"""Program of an object of Python's, with the arguments of a call: one place for all front ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from importlib.util import find_spec
from os import PathLike
from typing import Any, Final, cast

from msgspec import Struct

from shlo.api import parse, without_vhlo
from shlo.dialects.stablehlo.custom_call_targets import CUSTOM_PARTITIONING
from shlo.ir.operations import Function, Module
from shlo.ir.source import Source
from shlo.jax_programs.arguments import Arguments
from shlo.jax_programs.jax_library import jax, tree_util
from shlo.jax_programs.kept import call_again, lowered_once
from shlo.jax_programs.kinds import Kind, has_signature, kind_of
from shlo.jax_programs.leaves import arrays_in
from shlo.jax_programs.lowering import (
    Partition,
    lower_by_itself,
    lower_function,
    lower_jitted,
    static_argnums_of,
)
from shlo.jax_programs.partitioned import with_partitioned_called
from shlo.jax_programs.signature import ENTRY, JaxSignature, name_from_path, paths_of
from shlo.jax_programs.wrappers import WrappedCall, call_in_stage, unbound
from shlo.runner.arguments.call import entry_function
from shlo.runner.errors import RequestError
from shlo.runner.files import open_program, program_in
from shlo.text.numbers import plural

_ACCEPTED: Final = (
    "give a function with its arguments, a jitted function, what jax.jit(f).trace(...) or .lower(...) "
    "returns, an Exported, a module of jaxlib, a Module, or the text, bytes or path of a program"
)


class PythonProgram(Struct, frozen=True):
    """A program, and what leads from the arguments of a Python function to those of its `main` and back.

    Args:
        module: the program; it has a text, with the names and lines of Python where JAX tells them.
        signature: what the Python function takes and returns; None for a program that is no function of
            Python's.
        callbacks: the Python functions that host callbacks of the program call, by index.
    """

    module: Module
    signature: JaxSignature | None = None
    callbacks: Sequence[Callable[..., Any]] = ()

    @property
    def text(self) -> str:
        """The program's text, with the names and lines of Python that it came from."""
        return self.module.source.text if self.module.source else self.module.to_text(locations=True)


class ProgramCall(Struct, frozen=True):
    """A program with the arguments of one call.

    Args:
        program: the program.
        inputs: what its entry function takes.
        partition: how a plain function's arguments were partitioned into arrays and others, or
            how a library's wrapper has turned them into arrays.
    """

    program: PythonProgram
    inputs: Sequence[Any]
    partition: Partition | WrappedCall | None = None

    def result(self, values: Sequence[Any]) -> Any:
        """Returns what the entry function gives as the Python function returns it: a tuple of arrays for a
        program that is no function of Python's.
        """
        if self.program.signature is None:
            return tuple(values)
        signature, module = self.program.signature, self.program.module
        if isinstance(self.partition, WrappedCall) and self.partition.value is not None:
            return self.partition.returned(signature.arrays(module, values))
        result = signature.result(module, values)
        return self.partition.completed(result) if isinstance(self.partition, Partition) else result


def program_of(value: Any, arguments: Arguments | None = None) -> PythonProgram:
    """Returns the program that an object holds, which functions are lowered to with arguments.

    Raises RequestError, ParseError, and what a function raises.
    """
    arguments = arguments or Arguments()
    program, partition = _lowered(value, arguments)
    if program.signature is not None:
        is_lowered = kind_of(value) not in ("function", "jitted", "wrapper")
        if partition is None and is_lowered and arguments != Arguments():
            program.signature.refuse_surplus(arguments)
    elif arguments.positional and (function := program.module.functions.get(ENTRY)) is not None:
        _refuse_count(function, len(_flattened(arguments)), exact=False)
    return program


def call_of(value: Any, arguments: Arguments, entry: str = ENTRY, platform: str | None = None) -> ProgramCall:
    """Returns the program that an object holds, with the arguments of a call.

    Args:
        value: what holds the program.
        arguments: what the Python function takes; what `entry` takes where there is none.
        entry: the function of a program that is no function of Python's.
        platform: chooses among those that a function was lowered for (default: the CPU, or else the first).

    Raises:
        RequestError: in the words of the caller; and what `program_of` raises.
    """
    program, partition = _lowered(value, arguments)
    if program.signature is None:
        return ProgramCall(program, _plain_inputs(program.module, arguments, entry, platform))
    if partition is None:
        leaves = program.signature.leaves(arguments)
    elif isinstance(partition, WrappedCall):
        leaves = partition.leaves
    else:
        leaves = [partition.leaves[number] for number in partition.numbers]
    return ProgramCall(program, program.signature.inputs(program.module, leaves, platform), partition)


def call_again_of(value: Any, positional: Sequence[Any], named: Mapping[str, Any]) -> ProgramCall | None:
    """Returns a call of a function that was lowered for the like arguments before; None where that is not
    known, or callbacks belong to the run.
    """
    again = call_again(value, positional, named)
    if again is None:
        return None
    program, leaves = again
    return ProgramCall(program, program.signature.inputs(program.module, leaves))


def _lowered(value: Any, arguments: Arguments) -> tuple[PythonProgram, Partition | WrappedCall | None]:
    """Returns the program, and for a plain function or a library's wrapper what became of its arguments."""
    value, arguments = unbound(value, arguments)
    kind = kind_of(value)
    if kind is None:
        name = type(value).__qualname__
        article = "an" if name[:1].lower() in "aeiou" else "a"
        raise RequestError(f"expected a program, got {article} {name}", _ACCEPTED)
    if (arguments.static_argnums or arguments.static_argnames) and kind != "function":
        what = "static arguments are those of a plain function"
        raise RequestError(what, "jax.jit takes static_argnums, too")
    if kind == "wrapper":
        stage = lower_by_itself(value, arguments)
        if stage is not None:
            return _from_stage(stage, value, arguments)
    if kind == "staged":
        return _from_stage(value, getattr(value, "jit_wrapped", None), arguments)
    if kind in ("function", "wrapper"):
        return lowered_once(value, arguments, partial(_from_function, value, arguments))
    if kind == "jitted":
        return lowered_once(value, arguments, partial(_from_jitted, value, arguments))
    if arguments.named and not has_signature(value):
        names = ", ".join(f"`{name}`" for name in arguments.named)
        raise RequestError(f"expected no keyword arguments for a program that is no function, got {names}")
    return _READERS[kind](value), None


def _from_function(function: Any, arguments: Arguments) -> tuple[PythonProgram, Partition]:
    lowered, partition = lower_function(function, arguments)
    arrays = [partition.leaves[number] for number in partition.numbers]
    called = partial(partition.call, function)
    jaxpr = lambda: jax().make_jaxpr(called)(arrays)  # noqa: E731
    return _from_lowered(lowered, jaxpr=jaxpr, has_static=True), partition


def _from_jitted(function: Any, arguments: Arguments) -> tuple[PythonProgram, None]:
    lowered = lower_jitted(function, arguments)
    jaxpr = lambda: function.trace(*arguments.positional, **arguments.named).jaxpr  # noqa: E731
    return _from_lowered(lowered, static_argnums_of(function), jaxpr, has_static=True), None


def _plain_inputs(module: Module, arguments: Arguments, entry: str, platform: str | None) -> Sequence[Any]:
    """Returns the arguments of a program that is no function of Python's."""
    from shlo_bytecode.exported.exported import call_arguments

    function = entry_function(module, entry)
    try:
        inputs = call_arguments(module, entry, tuple(_flattened(arguments)), platform)
    except ValueError as error:
        raise RequestError(str(error)) from None
    _refuse_count(function, len(inputs))
    return inputs


def _flattened(arguments: Arguments) -> Sequence[Any]:
    """Returns the arrays of positional arguments."""
    if "jax" not in sys.modules:
        return arguments.positional
    return [array for argument in arguments.positional for array in arrays_in(argument)]


def _refuse_count(function: Function, count: int, exact: bool = True) -> None:
    """Raises RequestError for more arguments than a function takes, and for fewer if `exact`."""
    takes = len(function.type.inputs)
    if count > takes or (exact and count < takes):
        raise RequestError(f"@{function.name} takes {plural(takes, 'argument', 'no')}, {count} given")


@lru_cache(maxsize=8)
def _parsed(text: str, name: str) -> Module:
    return parse(text, name)


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


def _from_text(value: Any) -> PythonProgram:
    read = read_text(value)
    return PythonProgram(read if isinstance(read, Module) else parse(read))


def _from_stage(
    stage: Any, function: Any, arguments: Arguments
) -> tuple[PythonProgram, Partition | WrappedCall | None]:
    """Returns the program of what a wrapper or library has lowered, and what became of the arguments."""
    if kind_of(stage) == "lowered":
        return _from_lowered(stage, has_static=True), None
    if hasattr(stage, "traced"):
        stage = stage.lower()
    if not hasattr(stage, "lowered"):
        _from_compiled(stage)
    if arguments == Arguments() and stage.lowered.in_tree.num_leaves:
        return _from_lowered(stage.lowered), None
    call = call_in_stage(stage, function, arguments)
    return _from_lowered(call.lowered, call=call), call


def _from_lowered(
    lowered: Any,
    static_argnums: Sequence[int] | None = None,
    jaxpr: Callable[[], Any] | None = None,
    has_static: bool = False,
    call: WrappedCall | None = None,
) -> PythonProgram:
    """Returns the program of a `Lowered`; `jaxpr` gives what was traced before. What it keeps in private is
    used where it is there: which arguments it takes, their names, constants, and the functions of callbacks.
    """
    lowering = getattr(lowered, "_lowering", None)
    compile_args: Mapping[str, Any] = getattr(lowering, "compile_args", {})

    def is_argument(node: object) -> bool:
        return hasattr(node, "donated")

    takes: list[Any] = tree_util().tree_leaves(lowered.args_info, is_leaf=is_argument)
    text = lowered.as_text(debug_info=True)
    kept_indices = compile_args.get("kept_var_idx")
    constants = tuple(getattr(lowering, "const_args", ()))
    argument_indices = (
        None
        if kept_indices is None
        else [number - len(constants) for number in sorted(kept_indices) if number >= len(constants)]
    )
    argument_names = (
        getattr(getattr(compile_args.get("all_args_info"), "debug_info", None), "arg_names", None) or ()
    )
    names = _names(lowered.in_tree, argument_names[len(constants) :])
    if call is not None:
        text = call.renamed(text, names)
        names = [new or old for old, new in zip(names, call.argument_names)]
    signature = JaxSignature(
        in_tree=lowered.in_tree,
        out_tree=lowered.out_tree,
        names=names,
        shapes=[argument.shape for argument in takes],
        dtypes=[argument.dtype for argument in takes],
        used=argument_indices,
        constants=constants,
        result_dtypes=[aval.dtype for aval in compile_args.get("global_out_avals", ())],
        static_argnums=static_argnums,
        has_static=has_static,
    )
    module = _parsed(text, "<jax>")
    if jaxpr is not None and CUSTOM_PARTITIONING in text:
        module = with_partitioned_called(module, jaxpr(), compile_args.get("keepalive") or ())
    return PythonProgram(module, signature, tuple(compile_args.get("host_callbacks") or ()))


def _from_exported(exported: Any) -> PythonProgram:
    """Returns the program of an `Exported`, whose attributes are public."""
    signature = JaxSignature(
        in_tree=exported.in_tree,
        out_tree=exported.out_tree,
        names=_names(exported.in_tree, ()),
        shapes=[aval.shape for aval in exported.in_avals],
        dtypes=[aval.dtype for aval in exported.in_avals],
        used=exported.module_kept_var_idx,
        result_dtypes=[aval.dtype for aval in exported.out_avals],
        platforms=exported.platforms,
    )
    return PythonProgram(without_vhlo(_parsed(exported.mlir_module(), "<jax.export>")), signature)


def _from_compiled(compiled: Any) -> PythonProgram:
    """Raises RequestError: a `Compiled` keeps nothing of the program that XLA has compiled."""
    raise RequestError(
        "expected StableHLO, got a Compiled, which has kept XLA's optimised HLO alone: pass f.lower(...) "
        "instead, without .compile()"
    )


def _from_torch(model: Any) -> PythonProgram:
    """Raises RequestError: PyTorch's programs become StableHLO by way of other packages."""
    name = type(model).__qualname__
    way = (
        "weights, program = torchax.export.exported_program_to_stablehlo(exported), and then program on "
        "weights, (args,) in place of exported"
        if name == "ExportedProgram"
        else "weights, f = torchax.extract_jax(model), and then f(weights, args) in place of model(*args)"
    )
    first = "" if find_spec("torchax") else "pip install torchax; then "
    article = "an" if name[0] in "AEIOU" else "a"
    raise RequestError(
        f"expected StableHLO or a function of JAX, got {article} {name} of PyTorch",
        f"{first}{way}; docs/jax.md has other ways",
    )


_READERS: Final[dict[Kind, Callable[[Any], PythonProgram]]] = {
    "module": PythonProgram,
    "text": _from_text,
    "path": _from_text,
    "mlir": lambda module: PythonProgram(
        _parsed(module.operation.get_asm(enable_debug_info=True), "<jaxlib module>")
    ),
    "traced": lambda traced: _from_lowered(traced.lower(), jaxpr=lambda: traced.jaxpr),
    "lowered": _from_lowered,
    "compiled": _from_compiled,
    "torch": _from_torch,
    "exported": _from_exported,
}


def _names(tree: Any, told_names: Sequence[str | None]) -> list[str]:
    """Returns the names of the leaves of (args, kwargs), those that JAX tells where it tells all."""
    paths = paths_of(tree)
    if len(told_names) != len(paths):
        told_names = (None,) * len(paths)
    return [name or name_from_path(path) for name, path in zip(told_names, paths)]
