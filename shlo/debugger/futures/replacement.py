"""Replacement of an operation: the text of another one, read with the names that are in scope."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping
from typing import Final

from shlo.debugger.errors import DebuggerError
from shlo.debugger.replay.edits import Replacement
from shlo.debugger.replay.program_points import ProgramPoint, value_name
from shlo.interpreter.engine.binding import run_function
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.kernel_api import KernelError, Value
from shlo.interpreter.program.code import Kind, Program, program_of
from shlo.interpreter.program.errors import unlocated
from shlo.interpreter.program.sync_points import SyncPoint, call_target, sync_point_of
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.semantics import Semantics
from shlo.ir.attributes import StringAttr, TypeAttr
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.source import Source
from shlo.ir.types import FunctionType, Type
from shlo.syntax.notebook_cell import Cell, parse_cell
from shlo.verifier import verify

FUNCTION: Final = "<replacement>"
"""The name of the function that holds the operation; no name in a text is like it unless it is quoted."""

LONGEST: Final = 1 << 16
"""How many characters the text of an operation may have."""

_ALIAS = re.compile(r"\s*loc\(#\w+\)\s*\Z")


def compile_replacement(
    module: Module, semantics: Semantics, frames: list[Frame], text: str, is_alone: bool
) -> Replacement:
    """Returns the operation of a text, ready to run in the place of the next one of a process. Raises
    DebuggerError where it is no single operation without effects that has the same types of results.
    """
    if len(text) > LONGEST:
        raise DebuggerError(f"expected at most {LONGEST} characters of text, got {len(text)}")
    frame = frames[-1]
    registers = dict(_in_scope(frames))
    types = {name: frame.code.values.types[register] for name, register in registers.items()}
    source = Source(_ALIAS.sub("", text), "<replacement>")
    cell = parse_cell(source, _with_firsts(types))
    _refuse(cell.diagnostics)
    operation = _only_operation(cell)
    old = frame.instruction.operation
    if operation.result_types != old.result_types:
        raise DebuggerError(
            f"expected an operation with results {_types(old)}, got {operation.name} with {_types(operation)}"
        )
    function = _function_of(cell, operation, len(source.text))
    _refuse(verify(_declared(module, function, source)))
    program = program_of(_extended(module, function, source), semantics)
    _require_plain(program, is_alone)
    code = program.function(FUNCTION)

    def evaluate(context: ExecutionContext, values: list[Value]) -> tuple[Value, ...]:
        try:
            with context.active():
                return run_function(context, code, values)
        except KernelError as error:
            raise unlocated(error, code) from error

    used = (name if name in registers else f"{name}#0" for name in cell.used)
    return Replacement(tuple(registers[name] for name in used), evaluate)


def _in_scope(frames: list[Frame]) -> Iterator[tuple[str, int]]:
    """Yields names and registers of the values that the next operation may use, the innermost last."""
    innermost = frames[-1]
    start = len(frames) - 1
    while frames[start].region is not None:
        start -= 1
    for frame in frames[start:]:
        if frame.code.values is innermost.code.values:
            bound = [
                register for result in frame.code.instructions[: frame.index] for register in result.results
            ]
            for register in (*frame.code.arguments, *bound):
                yield value_name(frame.code, register), register


def _with_firsts(types: Mapping[str, Type]) -> dict[str, Type]:
    """Adds the name of several results, which is that of the first."""
    firsts = {name.removesuffix("#0"): type_ for name, type_ in types.items() if name.endswith("#0")}
    return firsts | dict(types)


def _only_operation(cell: Cell) -> Operation:
    if len(cell.block.operations) != 1:
        raise DebuggerError(f"expected one operation, got {len(cell.block.operations)}")
    operation = cell.block.operations[0]
    if operation.name in ("func.func", "builtin.module"):
        raise DebuggerError(f"expected an operation of a block, got {operation.name}")
    return operation


def _require_plain(program: Program, is_alone: bool) -> None:
    """Raises DebuggerError for an operation with effects, or in which other processes take part."""
    code = program.function(FUNCTION).code
    point = ProgramPoint(code, 0)
    name = point.operation.name
    if code.instructions[0].kind in (Kind.JUMP, Kind.RETURN):
        raise DebuggerError(f"expected an operation that ends no block, got {name}")
    if point.has_effect or call_target(point.operation):
        raise DebuggerError(f"expected an operation without effects, got {name}")
    if not is_alone and sync_point_of(code, 0) is not SyncPoint.LOCAL:
        raise DebuggerError(f"expected an operation of one process, got {name}")


def _function_of(cell: Cell, operation: Operation, size: int) -> Operation:
    """Returns the operation as a function of the values that it uses."""
    types, arguments = cell.values.types, tuple(cell.used.values())
    end = Operation(Signature("func.return", operation.result_types), operation.results)
    starts, ends = array("q", [cell.block.starts[0], size]), array("q", [cell.block.ends[0], size])
    block = Block([operation, end], arguments, "", starts, ends)
    type_ = FunctionType(tuple(types[value] for value in arguments), operation.result_types)
    properties = {"sym_name": StringAttr(FUNCTION), "function_type": TypeAttr(type_)}
    return Operation(Signature("func.func", properties=properties), regions=(Region((block,), cell.values),))


def _declared(module: Module, function: Operation, source: Source) -> Module:
    """Returns a module with a function, and declarations of the others, which are not judged again."""
    operations = [*map(_declaration, module.body.blocks[0].operations), function]
    starts = array("q", [0] * len(operations))
    ends = array("q", [*starts[1:], len(source.text)])
    return _module(module, Block(operations, (), "", starts, ends), source)


def _extended(module: Module, function: Operation, source: Source) -> Module:
    """Returns a module with one function more, whose text is behind that of the module."""
    old = module.body.blocks[0]
    operations = [*old.operations, function]
    if module.source is None or len(old.starts) != len(old.operations):
        return _module(module, Block(operations), None)
    start = len(module.source.text) + 1
    starts, ends = old.starts + array("q", [start]), old.ends + array("q", [start + len(source.text)])
    text = Source(f"{module.source.text}\n{source.text}", module.source.name)
    return _module(module, Block(operations, (), "", starts, ends), text)


def _module(module: Module, block: Block, source: Source | None) -> Module:
    operation = Operation(module.operation.signature, regions=(Region((block,), ValueTable()),))
    return Module(operation, source, (), module.resources)


def _declaration(operation: Operation) -> Operation:
    """Returns a function without its body, which is not judged again; any other operation itself."""
    if operation.name != "func.func":
        return operation
    properties = {**operation.signature.properties, "sym_visibility": StringAttr("private")}
    empty = Region((), ValueTable())
    return Operation(Signature(operation.name, properties=properties), regions=(empty,))


def _refuse(diagnostics: list[Diagnostic] | tuple[Diagnostic, ...]) -> None:
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]
    if errors:
        raise DebuggerError("; ".join(diagnostic.message for diagnostic in errors[:3]))


def _types(operation: Operation) -> str:
    return f"({', '.join(map(str, operation.result_types))})"
