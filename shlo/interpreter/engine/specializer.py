"""The specialiser: binds the kernels of a program's instructions, once for all that are alike."""

from __future__ import annotations

from shlo.interpreter.engine.region_body import RegionBody
from shlo.interpreter.jit.linker import Linker
from shlo.interpreter.kernel_api import Body, OpView, Value
from shlo.interpreter.program.bound_kernel import BoundKernel, bind_capturing_kernel, bind_kernel
from shlo.interpreter.program.code import NAMED_FUNCTIONS, CodeBlock, names_functions
from shlo.ir.attributes import ArrayAttr, Attribute, SymbolRefAttr


def specialize(code: CodeBlock, index: int, linker: Linker) -> BoundKernel:
    """Returns the kernel of an instruction, bound when it is first needed; its regions run with `linker`.

    Operations without regions share the kernels of their signatures. Raises KernelError where the
    instruction has no kernel or its kernel refuses it.
    """
    instruction = code.instructions[index]
    if instruction.bound_kernel is None:
        code.check_operands(index)
        instruction.bound_kernel = _specialized(code, index, linker)
    return instruction.bound_kernel


def _specialized(code: CodeBlock, index: int, linker: Linker) -> BoundKernel:
    instruction, program = code.instructions[index], code.function.program
    operation = instruction.operation
    signature = operation.signature
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


def _callees(code: CodeBlock, index: int, linker: Linker) -> tuple[RegionBody, ...]:
    """Returns the bodies of the functions that an instruction names in its attributes, as far as they
    exist."""
    operation, functions = code.instructions[index].operation, code.function.program.functions
    symbols = [symbol for name in NAMED_FUNCTIONS for symbol in _symbols(operation.attribute(name))]
    known = [functions.get(symbol.root) for symbol in symbols]
    return tuple(RegionBody(function.code, (), linker) for function in known if function is not None)


def _symbols(attribute: Attribute | None) -> list[SymbolRefAttr]:
    """Returns the symbols in an array of them, or of arrays of them."""
    if isinstance(attribute, SymbolRefAttr):
        return [attribute]
    values = attribute.values if isinstance(attribute, ArrayAttr) else ()
    return [symbol for value in values for symbol in _symbols(value)]
