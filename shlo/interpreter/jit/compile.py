"""Functions, loops and bodies as Python functions whose source is generated."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from shlo.interpreter.jit.codegen import Emitter
from shlo.interpreter.jit.writer import SourceOrigin
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.kernels.numeric import SOURCE_NAMES
from shlo.interpreter.program.code import CodeBlock, Compiled, FunctionCode, Program
from shlo.interpreter.program.errors import located
from shlo.interpreter.program.linker import Linker
from shlo.interpreter.runtime.buffer_reuse import COUNT_IN_LOCAL, is_donatable
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.tiers import make_code
from shlo.ir.diagnostics import ExecutionError, ShloError

if TYPE_CHECKING:
    from shlo.interpreter.jit.sequences import SequenceEmitter

_filenames = itertools.count()


class Generated:
    """A generated function. `captures` are the slots whose values a loop takes before those it carries."""

    def __init__(
        self, function: Any, filename: str, origins: list[SourceOrigin | None], captures: tuple[int, ...]
    ) -> None:
        self.function = function
        self.captures = captures
        self._filename = filename
        self._origins = origins

    def call(
        self, context: ExecutionContext, values: Sequence[Value], more: Sequence[Value] = ()
    ) -> tuple[Value, ...]:
        """Calls the function; whatever fails in it is raised as an ExecutionError of the operation it
        failed in.
        """
        try:
            return self.function(context, *values, *more)
        except ExecutionError:
            raise
        except Exception as error:
            origin = self._origin_of(error.__traceback__)
            if origin is None:
                raise
            raise located(error, *origin) from error

    def _origin_of(self, traceback: TracebackType | None) -> SourceOrigin | None:
        line = 0
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == self._filename:
                line = traceback.tb_lineno
                break
            traceback = traceback.tb_next
        return self._origins[line - 2] if line > 1 else None


def generate_function(function: FunctionCode, linker: Linker) -> None:
    """Generates a function, once."""
    from shlo.interpreter.jit.sequences import sequences_due

    program = function.program
    with program.lock:
        if function.compiled is None and function.may_generate:
            function.compiled = _try(program, linker, partial(_emit_body, function.code, ()))
            function.may_generate = function.compiled is not None
            function.sequences_due = sequences_due(function) if function.may_generate else None


def generate_sequences(function: FunctionCode, linker: Linker) -> None:
    """Generates a function once more, with sequences, while the one without them goes on being called."""
    from shlo.interpreter.jit.sequences import SequenceEmitter

    program = function.program
    with program.lock:
        if function.sequences_due is None:
            return
        function.sequences_due = None

    def make() -> None:
        emitter = SequenceEmitter(program, linker, function.code)
        emit = partial(_emit_sequences, function.code, function.compiled, emitter)
        with program.lock:
            function.compiled = generate(program, emitter, emit) or function.compiled

    make_code("sequence", make)


def generate_loop(code: CodeBlock, index: int, linker: Linker) -> Compiled | None:
    """Generates a loop, None where it cannot be. The caller holds the program's lock."""
    captures = code.instructions[index].captures
    return _try(code.function.program, linker, partial(_emit_loop, code, index, captures), captures)


def generate_body(
    code: CodeBlock, captures: tuple[int, ...], on_arrays: bool, linker: Linker
) -> Generated | None:
    """Generates a region's block as a function of its captures and arguments; None where it cannot be."""
    program = code.function.program
    with program.lock:
        return _try(program, linker, partial(_emit_body, code, captures), captures, on_arrays)


def _try(
    program: Program,
    linker: Linker,
    emit: Callable[[Emitter], list[str]],
    captures: tuple[int, ...] = (),
    on_arrays: bool = False,
) -> Generated | None:
    emitter = Emitter(program, linker, on_arrays)
    return generate(program, emitter, partial(emit, emitter), captures)


def generate(
    program: Program,
    emitter: Emitter,
    emit: Callable[[], list[str]],
    captures: tuple[int, ...] = (),
    parameters: Sequence[str] = (),
) -> Generated | None:
    """Compiles what `emit` writes, None where it cannot be generated. The function takes the context, the
    `parameters`, and those that `emit` returns. The caller holds the program's lock.
    """
    try:
        parameters = [*parameters, *emit()]
    except ShloError:
        return None
    namespace = program.namespace
    if "__builtins__" not in namespace:
        namespace.update(
            SOURCE_NAMES,
            __builtins__={},
            np=np,
            ndarray=np.ndarray,
            int=int,
            abs=abs,
            count=sys.getrefcount,
            owns=is_donatable,
            LONE=COUNT_IN_LOCAL,
        )
    filename = f"<shlo {next(_filenames)}>"
    source = "\n".join([f"def generated({', '.join(('context', *parameters))}):", *emitter.lines])
    exec(compile(source, filename, "exec"), namespace)
    return Generated(namespace.pop("generated"), filename, emitter.origins, captures)


def _emit_loop(code: CodeBlock, index: int, captures: tuple[int, ...], emitter: Emitter) -> list[str]:
    scope, instruction = emitter.scope(code), code.instructions[index]
    captured = emitter.kept_parameters(scope, captures)
    carried = emitter.loop_parameters(scope, instruction.operands)
    loops = {"scf.while": emitter.structured_loop, "scf.for": emitter.counted_loop}
    write = loops.get(instruction.operation.name, emitter.while_loop)
    write(scope, SourceOrigin(code, index), carried)
    emit_returned(emitter, scope.names_of(instruction.results))
    return [*captured, *carried]


def _emit_body(code: CodeBlock, captures: tuple[int, ...], emitter: Emitter) -> list[str]:
    scope = emitter.scope(code)
    parameters = emitter.parameters(scope, (*captures, *code.arguments))
    emit_returned(emitter, emitter.block(scope, code))
    return parameters


def _emit_sequences(code: CodeBlock, without: Compiled | None, emitter: SequenceEmitter) -> list[str]:
    """Writes a function with sequences. It calls the one `without` them in runs that have handlers or stubs
    of their own for what sequences call."""
    parameters = _emit_body(code, (), emitter)
    if emitter.targets and without is not None:
        from shlo.interpreter.custom_calls.registry import is_replaced

        is_other = emitter.global_name("t", partial(is_replaced, frozenset(emitter.targets)))
        other = emitter.global_name("f", without.call)
        arguments = "".join(f"{name}, " for name in parameters)
        emitter.lines.insert(0, f" if {is_other}(context): return {other}(context, ({arguments}))")
        emitter.origins.insert(0, None)
    return parameters


def emit_returned(emitter: Emitter, names: Sequence[str]) -> None:
    """Writes that the code returns what variables refer to, as a tuple."""
    emitter.line(f"return ({''.join(f'{name}, ' for name in names)})")
