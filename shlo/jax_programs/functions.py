"""`shlo.run`, `shlo.debug` and the like, on whatever holds a program.

    shlo.run(f, x, y)       the results of a function, jitted or not, by shlo's interpreter
    shlo.debug(f, x, y)     the debugger on it: on the terminal, or as a widget in a notebook
    shlo.check(f, x, y)     what is wrong with its program
    shlo.show(f, x, y)      its program; shlo.show(x): an array or pytree; shlo.show(x, y): where two differ
    shlo.diff(f, g, x, y)   how the programs of two functions differ; shlo.diff(x, y): two arrays or pytrees
    shlo.why(f, x, y)       why it gives NaN, wrong numbers or nothing, as cards
    shlo.sanitize(f, x, y)  what the specification leaves open when it runs
    shlo.cost(f, x, y)      its FLOPs, bytes and memory, by operation, name scope and line of Python
    shlo.save("f.mlir", f, x, y)

In place of a function any object that holds a program may be given: what JAX traces, lowers and exports,
modules of jaxlib and of shlo, texts, bytes, paths. Keyword arguments are those of the function; `options`
has those of the run (`shlo.interpreter.RunOptions`). A keyword such as `engine` that is a parameter of the
function, too, is the function's; shlo's is then in `options`, or in `with shlo.options(engine="xla"):`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, Protocol, TypeVar, overload

from shlo import api
from shlo.engines import DEFAULT, Placement, engine_of
from shlo.interpreter.options import RunOptions
from shlo.ir.diagnostics import Diagnostic, ExecutionError
from shlo.ir.operations import Module
from shlo.ir.source import Source
from shlo.jax_programs.arguments import Arguments
from shlo.jax_programs.jax_library import tree_util
from shlo.jax_programs.kinds import has_signature, is_path, kind_of
from shlo.jax_programs.program import ProgramCall, call_again_of, call_of, program_of, read_text
from shlo.jax_programs.routing import Options, options_by_name, route_keywords
from shlo.jax_programs.tracebacks import with_caller_tracebacks
from shlo.runner.errors import RequestError, shown

if TYPE_CHECKING:
    from shlo.compare.report import Difference
    from shlo.costs import Rules
    from shlo.costs.report import Cost
    from shlo.diagnosis.report import Diagnosis
    from shlo.engines import Engine
    from shlo.ir.dtypes import Array
    from shlo.jax_programs.debugging import FrontEnd
    from shlo.pages.tree_difference import TreeDifference
    from shlo.runner.leaves import Leaf
    from shlo.sanitizer.report import SanitizedRun
    from shlo.shadow.report import ShadowedRun

Names = str | Sequence[str]
Numbers = int | Sequence[int]
EngineName = Literal["interpreter", "reference", "xla"]
"""Engines by name; any other is an object, `shlo.engines.engine_of("pjrt:PLUGIN")`."""

P = ParamSpec("P")
R = TypeVar("R")


class _Stage(Protocol):
    """What JAX traces, lowers and exports: it has the structure of its arguments."""

    @property
    def in_tree(self) -> Any: ...


ProgramLike = Module | Source | str | bytes | bytearray | memoryview | PathLike[str] | _Stage
"""What holds a program and is no function."""

AnyFunction = Callable[..., Any]
Shadow = Literal["f64"]
Execute = Callable[[Module, Sequence[Any], "RunOptions"], tuple[Any, ...]]


@overload
def run(program: Callable[P, R], /, *arguments: P.args, **keywords: P.kwargs) -> R: ...
@overload
def run(
    program: Callable[..., R],
    /,
    *arguments: Any,
    engine: EngineName | Engine,
    options: Options = None,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> R: ...
@overload
def run(
    program: Callable[..., R],
    /,
    *arguments: Any,
    options: Options,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> R: ...
@overload
def run(
    program: Callable[..., R],
    /,
    *arguments: Any,
    static_argnums: Numbers,
    static_argnames: Names = (),
    **keywords: Any,
) -> R: ...
@overload
def run(program: Callable[..., R], /, *arguments: Any, static_argnames: Names, **keywords: Any) -> R: ...
@overload
def run(
    program: AnyFunction | ProgramLike,
    /,
    *arguments: Any,
    shadow: Shadow,
    options: Options = None,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> ShadowedRun: ...
@overload
def run(
    program: ProgramLike,
    /,
    *arguments: Any,
    engine: EngineName | Engine = "interpreter",
    options: Options = None,
    **keywords: Any,
) -> Any: ...
@with_caller_tracebacks
@route_keywords
def run(
    program: Any,
    /,
    *arguments: Any,
    engine: str | Engine = "interpreter",
    shadow: str | None = None,
    options: Options = None,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> Any:
    """Runs a program and returns its results as NumPy arrays that the caller owns.

    A function of Python's takes what it always takes, and its results have the structure that it gives them
    (typed keys are JAX arrays). Operations of VHLO run as those of StableHLO. Specification: "Execution".
    With a `shadow`, returns a `ShadowedRun` of these `results`, which is printed as what digits they lose.

    Args:
        program: a function, jitted or not; a `Traced`, `Lowered` or `Exported`; a module of jaxlib; a
            Module; a text, bytes, or a path.
        arguments: arrays, or numbers and lists that fit, and pytrees of them for a function of Python's.
        engine: what runs it: shlo's interpreter, or "xla" (docs/engines.md).
        shadow: "f64" to run it in float64 beside itself, with the interpreter (docs/shadow.md).
        options: how to run it, by the names of the fields of `RunOptions`: `max_steps`, `max_bytes`,
            `semantics` ("xla" to do as XLA on CPU where it departs from the specification on purpose,
            docs/differences.md), `stubs` and `handlers` of custom calls, `seed`; `platform`, one of
            those that it was lowered for, with the engine "xla" the kind of devices; and `devices`, how many
            of them.
        static_argnums: positions of static arguments, where `program` is a function that is not jitted.
        static_argnames: names of static arguments, likewise.
        keywords: arguments of the function; for a program that is none, the options.

    Raises:
        RequestError: the arguments do not fit.
        ExecutionError: the program cannot be run to its end; what digits it lost before that is its note.
        EngineError: the engine cannot run it, or is not there.
        ParseError: a text is no program.
        TypeError: an option is unknown.
    """
    if shadow is not None:
        if engine != "interpreter":
            raise RequestError(f"expected the interpreter for a shadow, got the engine {engine}")
        call_arguments = Arguments.of(arguments, keywords, static_argnums, static_argnames)
        return _shadowed(program, call_arguments, shadow, options)
    if isinstance(program, Module):
        named = {} if options is None else options_by_name(options)  # in a `with` block there are some
        run_keywords: dict[str, Any] = {"engine": engine, **named, **keywords}
        return api.run(program, *arguments, **run_keywords)
    if options is None and engine == DEFAULT and not static_argnums and not static_argnames:
        again = call_again_of(program, arguments, keywords)
        if again is not None:
            return again.result(engine_of(engine).execute(again.program.module, again.inputs, RunOptions()))
    call_arguments = Arguments.of(arguments, keywords, static_argnums, static_argnames)
    call_arguments, run_options = _own_options(program, call_arguments, options)
    platform, devices = run_options.pop("platform", None), run_options.pop("devices", None)
    of_devices, of_export = (None, platform) if engine == DEFAULT else (platform, None)
    is_anywhere = of_devices is None and devices is None
    runs = engine_of(engine, None if is_anywhere else Placement(of_devices, devices))
    call = call_of(program, call_arguments, run_options.get("entry", "main"), of_export)
    if call.program.callbacks:
        run_options = {"callbacks": call.program.callbacks, **run_options}
    chosen = RunOptions.of(run_options)
    return call.result(runs.execute(api.without_vhlo(call.program.module), call.inputs, chosen))


def _shadowed(program: Any, call_arguments: Arguments, shadow: str, options: Options) -> ShadowedRun:
    from shlo.jax_programs.python_folders import module_sources
    from shlo.shadow.report import ShadowedRun, lines_of
    from shlo.shadow.run import ShadowRun, check_precision

    check_precision(shadow)
    runs, sources = ShadowRun(), module_sources()
    try:
        results = _executed(runs.execute, program, call_arguments, options)
    except ExecutionError as error:
        if runs.losses.looked_at:
            error.add_note("\n".join(lines_of(runs.losses, sources)))
        raise
    return ShadowedRun(results, runs.losses, sources)


def _executed(execute: Execute, program: Any, call_arguments: Arguments, options: Options) -> Any:
    """Returns the results of a call that the interpreter runs in this way."""
    call, run_options = _call(program, call_arguments, options)
    chosen = RunOptions.of({"callbacks": call.program.callbacks, **run_options})
    return call.result(execute(api.without_vhlo(call.program.module), call.inputs, chosen))


@overload
def debug(program: Callable[P, Any], /, *arguments: P.args, **keywords: P.kwargs) -> Any: ...
@overload
def debug(
    program: AnyFunction,
    /,
    *arguments: Any,
    front_end: FrontEnd | None,
    listen: str | None = None,
    shadow: Shadow | None = None,
    options: Options = None,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> Any: ...
@overload
def debug(
    program: AnyFunction,
    /,
    *arguments: Any,
    listen: str | None,
    shadow: Shadow | None = None,
    options: Options = None,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> Any: ...
@overload
def debug(
    program: AnyFunction,
    /,
    *arguments: Any,
    shadow: Shadow | None,
    options: Options = None,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> Any: ...
@overload
def debug(
    program: AnyFunction,
    /,
    *arguments: Any,
    options: Options,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> Any: ...
@overload
def debug(
    program: AnyFunction,
    /,
    *arguments: Any,
    static_argnums: Numbers,
    static_argnames: Names = (),
    **keywords: Any,
) -> Any: ...
@overload
def debug(program: AnyFunction, /, *arguments: Any, static_argnames: Names, **keywords: Any) -> Any: ...
@overload
def debug(
    program: ProgramLike,
    /,
    *arguments: Any,
    front_end: FrontEnd | None = None,
    listen: str | None = None,
    shadow: Shadow | None = None,
    options: Options = None,
    **keywords: Any,
) -> Any: ...
@with_caller_tracebacks
@route_keywords
def debug(
    program: AnyFunction | ProgramLike,
    /,
    *arguments: Any,
    front_end: FrontEnd | None = None,
    listen: str | None = None,
    shadow: Shadow | None = None,
    options: Options = None,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> Any:
    """Opens the debugger on a program with arguments: on the terminal, or as a widget in a notebook.

    Args:
        program: as for `run`.
        arguments: as for `run`.
        front_end: what to open instead: a function that gets the Session, and whose result is returned.
        listen: open nothing, and wait for editors that attach (docs/dap.md) at HOST:PORT of the loopback
            interface; port 0 takes any, which is printed. Goes on when one of them terminates the program.
        shadow: "f64" to show what digits values lack beside the same program in float64 (docs/shadow.md).
        options: as for `run`; and `memory`, how many bytes the recording may take.
        static_argnums: as for `run`.
        static_argnames: as for `run`.
        keywords: as for `run`.

    Raises:
        RequestError: the arguments do not fit, or there is no terminal.
        ParseError: a text is no program.
    """
    from shlo.jax_programs.debugging import check_front_end, launch_of, open_front_end

    check_front_end(front_end)
    call_arguments = Arguments.of(arguments, keywords, static_argnums, static_argnames)
    call, run_options = _call(program, call_arguments, options)
    launch = launch_of(call, run_options)
    if shadow is not None:
        launch.follow_shadow(shadow)
    return open_front_end(launch, front_end, listen)


@overload
def check(program: Callable[P, Any], /, *arguments: P.args, **keywords: P.kwargs) -> list[Diagnostic]: ...
@overload
def check(
    program: AnyFunction,
    /,
    *arguments: Any,
    static_argnums: Numbers,
    static_argnames: Names = (),
    **keywords: Any,
) -> list[Diagnostic]: ...
@overload
def check(
    program: AnyFunction, /, *arguments: Any, static_argnames: Names, **keywords: Any
) -> list[Diagnostic]: ...
@overload
def check(program: ProgramLike, /, *arguments: Any, **keywords: Any) -> list[Diagnostic]: ...
@with_caller_tracebacks
@route_keywords
def check(
    program: AnyFunction | ProgramLike,
    /,
    *arguments: Any,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> list[Diagnostic]:
    """Returns what is wrong with a program, a text that cannot be read included: errors where the MLIR tools
    reject it, warnings where only the specification does.

    The arguments, as for `run`, are those that a function is lowered with. Raises RequestError.
    """
    from shlo.runner.validity import ProgramFindings, findings_of

    call_arguments = Arguments.of(arguments, keywords, static_argnums, static_argnames)
    if kind_of(program) in ("text", "path") and call_arguments == Arguments():
        source = read_text(program)
        if isinstance(source, Source):
            return ProgramFindings(source, findings_of(source)[1])
    module = program_of(program, call_arguments).module
    return ProgramFindings(module.source, api.verify(module))


@with_caller_tracebacks
@route_keywords
def show(
    program: Any,
    /,
    *arguments: Any,
    locations: bool = False,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> None:
    """Shows a program, an array or a pytree: prints it, or displays it in a notebook.

    Args:
        program: as for `run`; or an array of NumPy or JAX, of which type, statistics and numbers are shown,
            in a notebook with a picture; or a pytree of arrays, such as a model, gradients or the state of an
            optimizer, of which leaves with NaN and infinities are shown first.
        arguments: those that a function is lowered with, as for `run`; beside an array or pytree, another
            one, and where the two differ is shown.
        locations: whether the names and lines of Python that operations came from are shown, too.
        static_argnums: as for `run`.
        static_argnames: as for `run`.
        keywords: as for `run`.

    Raises:
        RequestError: the arguments do not fit, or an array has no elements here.
        ParseError: a text is no program.
    """
    from shlo.jax_programs.debugging import show_array, show_bundle, show_program, show_tree

    call_arguments = Arguments.of(arguments, keywords, static_argnums, static_argnames)
    leaves = _shown_leaves(program, call_arguments)
    if leaves is None:
        show_program(program_of(program, call_arguments), locations)
    elif call_arguments != Arguments():
        from shlo.pages.results import result_bundle

        show_bundle(result_bundle(_tree_difference(leaves, call_arguments)))
    elif len(leaves) == 1 and not leaves[0].path and (array := _root_array(program, leaves[0])) is not None:
        show_array(array)
    else:
        show_tree(leaves, type(program).__name__)


@with_caller_tracebacks
@route_keywords
def diff(
    before: Any,
    after: Any,
    /,
    *arguments: Any,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> Difference | TreeDifference:
    """Returns how two programs, arrays or pytrees differ, which is printed, and false where they do not.

    Functions are lowered with the same arguments, as for `run`. Names of values, the order of operations,
    locations and names of private functions do not count. It is printed as `shlo diff --text` prints it.
    Leaves of pytrees are compared by their paths: how many elements differ, by how much at most, also in
    units in the last place, and where. Raises RequestError and ParseError.
    """
    leaves = None if arguments or keywords else _shown_leaves(before, Arguments())
    if leaves is not None and _shown_leaves(after, Arguments()) is not None:
        return _tree_difference(leaves, Arguments((after,)))
    call_arguments, programs = (
        Arguments.of(arguments, keywords, static_argnums, static_argnames),
        (before, after),
    )
    if call_arguments != Arguments() and not any(map(has_signature, programs)):
        raise RequestError("expected no arguments: neither program is a function of Python's")
    programs = [
        program_of(program, call_arguments if has_signature(program) else Arguments()) for program in programs
    ]
    from shlo.compare import compare
    from shlo.compare.report import Difference

    comparison = compare(*(api.without_vhlo(program.module) for program in programs))
    return Difference(comparison.details, comparison.functions, comparison.operations)


@with_caller_tracebacks
@route_keywords
def sanitize(
    program: Any,
    /,
    *arguments: Any,
    names: str = "",
    options: Options = None,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> SanitizedRun:
    """Runs a program with the interpreter, and returns its results with what the specification leaves open in
    the run: integers that wrap, indices out of bounds and the like (docs/sanitizer.md). It is printed as
    `shlo run --sanitize` prints that, and false where there is nothing.

    Args:
        program: as for `run`.
        arguments: as for `run`.
        names: what to look for, as `--sanitize=` takes it: `-add,+nan`.
        options: as for `run`.
        static_argnums: as for `run`.
        static_argnames: as for `run`.
        keywords: as for `run`.

    Raises:
        RequestError: the arguments do not fit, or a name is unknown.
        ExecutionError: the program cannot be run to its end; what was found before that is its note.
        ParseError: a text is no program.
        TypeError: an option is unknown.
    """
    from shlo.jax_programs.python_folders import module_sources
    from shlo.sanitizer.report import SanitizedRun, lines_of
    from shlo.sanitizer.run import Sanitizer
    from shlo.sanitizer.selection import Selection

    sanitizer, sources = Sanitizer(Selection.of(names)), module_sources()
    call_arguments = Arguments.of(arguments, keywords, static_argnums, static_argnames)
    try:
        results = _executed(sanitizer.execute, program, call_arguments, options)
    except ExecutionError as error:
        if sanitizer.findings:
            error.add_note("\n".join(lines_of(sanitizer.findings, sources)))
        raise
    return SanitizedRun(results, sanitizer.findings, sources)


@overload
def why(program: Callable[P, Any], /, *arguments: P.args, **keywords: P.kwargs) -> Diagnosis: ...
@overload
def why(
    program: AnyFunction,
    /,
    *arguments: Any,
    options: Options,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> Diagnosis: ...
@overload
def why(
    program: AnyFunction,
    /,
    *arguments: Any,
    static_argnums: Numbers,
    static_argnames: Names = (),
    **keywords: Any,
) -> Diagnosis: ...
@overload
def why(program: AnyFunction, /, *arguments: Any, static_argnames: Names, **keywords: Any) -> Diagnosis: ...
@overload
def why(program: ProgramLike, /, *arguments: Any, options: Options = None, **keywords: Any) -> Diagnosis: ...
@with_caller_tracebacks
@route_keywords
def why(
    program: AnyFunction | ProgramLike,
    /,
    *arguments: Any,
    options: Options = None,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> Diagnosis:
    """Runs a program with all checks, and returns the causes of NaN, infinities, wrong numbers and processes
    that wait for each other, the likeliest first (docs/why.md). It is printed as `shlo why` prints them, and
    false where there are none.

    Args:
        program: as for `run`.
        arguments: as for `run`.
        options: as for `run`.
        static_argnums: as for `run`.
        static_argnames: as for `run`.
        keywords: as for `run`.

    Raises:
        RequestError: the arguments do not fit.
        ExecutionError: the program cannot be started.
        ParseError: a text is no program.
        TypeError: an option is unknown.
    """
    from shlo.diagnosis.diagnose import diagnose
    from shlo.interpreter.options import RunOptions
    from shlo.jax_programs.python_folders import module_folders

    call_arguments = Arguments.of(arguments, keywords, static_argnums, static_argnames)
    call, run_options = _call(program, call_arguments, options)
    chosen = RunOptions.of({"callbacks": call.program.callbacks, **run_options})
    module = api.without_vhlo(call.program.module)
    return diagnose([module], [call.inputs], lambda: chosen, module_folders())


@overload
def cost(program: Callable[P, Any], /, *arguments: P.args, **keywords: P.kwargs) -> Cost: ...
@overload
def cost(
    program: AnyFunction,
    /,
    *arguments: Any,
    entry: str,
    rules: Rules = "shlo",
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> Cost: ...
@overload
def cost(
    program: AnyFunction,
    /,
    *arguments: Any,
    rules: Rules,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> Cost: ...
@overload
def cost(
    program: AnyFunction,
    /,
    *arguments: Any,
    static_argnums: Numbers,
    static_argnames: Names = (),
    **keywords: Any,
) -> Cost: ...
@overload
def cost(program: AnyFunction, /, *arguments: Any, static_argnames: Names, **keywords: Any) -> Cost: ...
@overload
def cost(
    program: ProgramLike, /, *arguments: Any, entry: str = "main", rules: Rules = "shlo", **keywords: Any
) -> Cost: ...
@with_caller_tracebacks
@route_keywords
def cost(
    program: AnyFunction | ProgramLike,
    /,
    *arguments: Any,
    entry: str = "main",
    rules: Rules = "shlo",
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> Cost:
    """Returns what running a program once costs, without running it: FLOPs, bytes and memory by liveness, by
    operation, name scope and line of Python. It is printed as `shlo cost` prints it (docs/cost.md).

    Args:
        program: as for `run`.
        arguments: those that a function is lowered with, as for `run`.
        entry: the name of the program's function.
        rules: "xla" counts as XLA's cost analysis of a program that was not optimised does: a loop once, -1
            for a custom call, CHLO's functions as what they are expanded to.
        static_argnums: as for `run`.
        static_argnames: as for `run`.
        keywords: as for `run`.

    Raises:
        RequestError: the arguments do not fit.
        ParseError: a text is no program.
        ValueError: the program has no function of that name with a body.
    """
    from shlo.costs.report import cost_with_text

    call_arguments = Arguments.of(arguments, keywords, static_argnums, static_argnames)
    return cost_with_text(api.cost(program_of(program, call_arguments).module, entry, rules))


@with_caller_tracebacks
@route_keywords
def save(
    path: str | PathLike[str],
    program: Any,
    /,
    *arguments: Any,
    static_argnums: Numbers = (),
    static_argnames: Names = (),
    **keywords: Any,
) -> None:
    """Writes a program to a file, and the arguments beside it, in a `.npz` file that `shlo run` and `shlo
    debug` take.

    Args:
        path: the program's file: `.mlir` for a text with names and lines of Python, `.mlirbc` for bytecode.
        program: as for `run`.
        arguments: as for `run`; without any, and with shapes in place of arrays, the program alone is
            written.
        static_argnums: as for `run`.
        static_argnames: as for `run`.
        keywords: as for `run`.

    Raises:
        RequestError: the file's name has another end, or cannot be written.
        ParseError: a text is no program.
    """
    from shlo.runner.arguments.call import entry_function, parameters_of
    from shlo.runner.files import replace_file, save_arrays

    call_arguments = Arguments.of(arguments, keywords, static_argnums, static_argnames)
    if not is_path(path):
        what = f"expected the path of a file, and then a program, got {shown(path)}"
        raise RequestError(what, 'write shlo.save("f.mlir", f, *arguments)')
    file_path = Path(path)
    if file_path.suffix not in (".mlir", ".mlirbc"):
        raise RequestError(f"expected a file that ends with .mlir or .mlirbc, got {file_path.name}")
    leaves: list[Any] = (
        tree_util().tree_leaves(call_arguments.tree)
        if call_arguments.positional or call_arguments.named
        else []
    )
    has_shapes = any(type(leaf).__name__ == "ShapeDtypeStruct" for leaf in leaves)
    call = (
        call_of(program, call_arguments)
        if (call_arguments.positional or call_arguments.named) and not has_shapes
        else None
    )
    lowered = call.program if call else program_of(program, call_arguments)
    if file_path.suffix == ".mlir":
        data = lowered.text.encode("utf-8", "surrogateescape")
    else:
        import shlo_bytecode

        data = shlo_bytecode.write(lowered.module)
    replace_file(str(file_path), lambda file: file.write(data))
    if call is not None:
        parameters = parameters_of(entry_function(lowered.module, "main"))
        names = [parameter.name or f"arg{parameter.index}" for parameter in parameters]
        arrays = {name: array for name, array in zip(names, call.inputs) if array is not None}
        save_arrays(str(file_path.with_suffix(".npz")), arrays)


def _shown_leaves(value: Any, call_arguments: Arguments) -> list[Leaf] | None:
    """Returns the leaves of an array or pytree that is to be shown; None for a program. A model is a program
    where it is called with arguments, a pytree alone or beside one of its own class.
    """
    from shlo.jax_programs.trees import leaves_of

    kind = kind_of(value)
    if kind is not None and kind != "function":
        return None
    others = call_arguments.positional
    is_call = kind == "function" and call_arguments != Arguments()
    return None if is_call and [type(other) for other in others] != [type(value)] else leaves_of(value)


def _root_array(value: Any, leaf: Leaf) -> Array | None:
    """Returns what is shown of a value that is a leaf; raises RequestError for an array without numbers."""
    from shlo.jax_programs.leaves import shown_array

    return shown_array(value) if isinstance(leaf.value, str) else leaf.value


def _tree_difference(leaves: Sequence[Leaf], call_arguments: Arguments) -> TreeDifference:
    """Returns how the leaves of an array or pytree differ from those of the only argument beside it; raises
    RequestError.
    """
    from shlo.jax_programs.trees import leaves_of
    from shlo.pages.tree_difference import TreeDifference
    from shlo.runner.pairs import pairs_of

    others = call_arguments.positional
    other_leaves = leaves_of(others[0]) if len(others) == 1 and not call_arguments.named else None
    if other_leaves is None:
        raise RequestError("expected nothing, or another array or pytree, beside an array or pytree")
    return TreeDifference(pairs_of(leaves, other_leaves))


def _call(program: Any, call_arguments: Arguments, options: Options) -> tuple[ProgramCall, dict[str, Any]]:
    """Returns a program with the arguments of a call, and the options of the run."""
    call_arguments, chosen = _own_options(program, call_arguments, options)
    platform = chosen.pop("platform", None)
    return call_of(program, call_arguments, chosen.get("entry", "main"), platform), chosen


def _own_options(
    program: Any, call_arguments: Arguments, options: Options
) -> tuple[Arguments, dict[str, Any]]:
    """Returns the arguments of a call, and the options of the run: keyword arguments are such where the
    program is no function of Python's.
    """
    chosen = options_by_name(options)
    if not has_signature(program):
        return Arguments(call_arguments.positional), {**chosen, **call_arguments.named}
    return call_arguments, chosen
