"""Functions, blocks and single instructions run to their end, as fast as can be; their kernels are bound when
they are first needed, once for all that are alike."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from shlo.interpreter.engine.control_flow import FrameStack
from shlo.interpreter.engine.fast_path import FastPath
from shlo.interpreter.engine.frames import Frame, fill, function_frame
from shlo.interpreter.engine.region_body import RegionBody
from shlo.interpreter.jit.hot import hot_function, note_run
from shlo.interpreter.kernel_api import Body, OpView, Value
from shlo.interpreter.program.bound_kernel import BoundKernel, bind_capturing_kernel, bind_kernel
from shlo.interpreter.program.code import NAMED_FUNCTIONS, CodeBlock, FunctionCode, names_functions
from shlo.interpreter.program.linker import Linker
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.limits import Budget
from shlo.interpreter.runtime.profile import Progress
from shlo.interpreter.runtime.tiers import uncounted, work_seconds
from shlo.interpreter.semantics import Semantics
from shlo.ir.attributes import ArrayAttr, Attribute, SymbolRefAttr
from shlo.ir.operations import Signature
from shlo.ir.types import Type


class _Linker(Linker):
    def kernel(self, code: CodeBlock, index: int) -> BoundKernel:
        instruction = code.instructions[index]
        if instruction.bound_kernel is None:
            code.check_operands(index)
            with uncounted():
                instruction.bound_kernel = _bind_instruction(code, index, self)
        return instruction.bound_kernel

    def call(
        self, context: ExecutionContext, function: FunctionCode, arguments: list[Value]
    ) -> tuple[Value, ...]:
        compiled = hot_function(function, self)
        if compiled is not None:
            return compiled.call(context, arguments)
        start = work_seconds()
        results = FastPath(FrameStack(function_frame(function, arguments)), context, self, Budget()).run()
        note_run(function, work_seconds() - start)
        return results

    def run_block(
        self, context: ExecutionContext, code: CodeBlock, registers: list[Value], arguments: list[Value]
    ) -> tuple[Value, ...]:
        fill(registers, code.arguments, arguments)
        arguments.clear()
        return FastPath(FrameStack(Frame(code, registers)), context, self, Budget()).run()


LINKER: Final = _Linker()


def bound_kernel(code: CodeBlock, index: int) -> BoundKernel:
    """Returns the kernel of an instruction, bound when it is first needed. Raises KernelError where the
    instruction has no kernel or its kernel refuses it."""
    return LINKER.kernel(code, index)


def run_function(
    context: ExecutionContext,
    function: FunctionCode,
    arguments: list[Value],
    progress: Progress | None = None,
) -> tuple[Value, ...]:
    """Runs a function within the limits of a context and returns its results. The list of arguments is
    emptied, so that the function alone holds them.
    """
    if not context.budget.is_limited and context.meter is None and progress is None:
        return LINKER.call(context, function, arguments)
    stack = FrameStack(function_frame(function, arguments))
    return FastPath(stack, context, LINKER, context.budget, context.meter, progress).run()


def run_instruction(context: ExecutionContext, code: CodeBlock, index: int, registers: list[Value]) -> None:
    """Carries out one instruction that does not end its block: puts its results into `registers`, and drops
    what it uses last from them.
    """
    stack = FrameStack(Frame(code, registers, index))
    FastPath(stack, context, LINKER, context.budget).run(index + 1)


def _bind_instruction(code: CodeBlock, index: int, linker: Linker) -> BoundKernel:
    """Binds the kernel of an instruction, whose regions run with `linker`. Operations without regions share
    the kernels of their signatures, and without attributes those of their types."""
    instruction, program = code.instructions[index], code.function.program
    operation = instruction.operation
    signature = operation.signature
    if not operation.regions and not signature.properties and not signature.attributes:
        types = signature.operand_types, signature.result_types
        return _bind_by_types(signature.name, *types, program.semantics)
    if not operation.regions and not names_functions(operation):
        bound_kernel = program.bound_kernels.get(signature)
        if bound_kernel is None:
            op_view = OpView(signature, symbols=program.symbols, semantics=program.semantics)
            bound_kernel = program.bound_kernels[signature] = bind_kernel(op_view)
        return bound_kernel
    captures = instruction.captures
    bodies = tuple(RegionBody(region, captures, linker) for region in code.regions(index))
    extra = len(instruction.operands) - len(operation.operands)
    if not extra:
        callees = _callees(code, index, linker)
        return bind_kernel(OpView(signature, bodies, callees, program.symbols, program.semantics))

    def bind(captured: tuple[Value, ...]) -> tuple[Body, ...]:
        return tuple(body.bound(captured) for body in bodies)

    op_view = OpView(signature, bodies, (), program.symbols, program.semantics)
    return bind_capturing_kernel(op_view, bind, extra)


@lru_cache(maxsize=1024)
def _bind_by_types(
    name: str, operands: tuple[Type, ...], results: tuple[Type, ...], semantics: Semantics
) -> BoundKernel:
    """Binds the kernel of an operation of which nothing but its name and types matters, for all programs."""
    return bind_kernel(OpView(Signature(name, operands, results), semantics=semantics))


def _callees(code: CodeBlock, index: int, linker: Linker) -> tuple[RegionBody, ...]:
    """Returns the bodies of the functions that an instruction names in its attributes, as far as they
    exist."""
    operation, functions = code.instructions[index].operation, code.function.program.functions
    symbols = [symbol for name in NAMED_FUNCTIONS for symbol in _symbols(operation.attribute(name))]
    callees = [functions.get(symbol.root) for symbol in symbols]
    return tuple(RegionBody(function.code, (), linker) for function in callees if function is not None)


def _symbols(attribute: Attribute | None) -> list[SymbolRefAttr]:
    """Returns the symbols in an array of them, or of arrays of them."""
    if isinstance(attribute, SymbolRefAttr):
        return [attribute]
    values = attribute.values if isinstance(attribute, ArrayAttr) else ()
    return [symbol for value in values for symbol in _symbols(value)]
