"""Slow-path stubs called by generated code: operations that never ran, and functions."""

from __future__ import annotations

from shlo.interpreter.kernel_api import KernelFn, Value
from shlo.interpreter.program.code import CodeBlock, FunctionCode
from shlo.interpreter.program.errors import note_call
from shlo.interpreter.program.linker import Linker
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.limits import Budget
from shlo.ir.diagnostics import ExecutionError


class KernelStub:
    """An operation whose kernel is specialized when it is first reached, and whose results are checked.

    It is in the program's namespace under `name`, where the kernel takes its place once it can be
    trusted.
    """

    def __init__(self, code: CodeBlock, index: int, name: str, linker: Linker) -> None:
        self._linker = linker
        self._code = code
        self._index = index
        self._name = name

    def __call__(self, context: ExecutionContext, *operands: Value) -> Value:
        """Returns the checked result of the kernel, which replaces the stub once it is trusted."""
        Budget().reserve(self._code.instructions[self._index].size, tuple)
        bound_kernel = self._linker.kernel(self._code, self._index)
        evaluate = (
            bound_kernel.evaluate
            if bound_kernel.entry.needs_context
            else _without_context(bound_kernel.evaluate)
        )
        result = evaluate(context, *operands)
        bound_kernel.check(result)
        if bound_kernel.may_trust:
            self._code.function.program.namespace[self._name] = evaluate
        return result


def _without_context(evaluate: KernelFn) -> KernelFn:
    def evaluate_operands(context: ExecutionContext, *operands: Value) -> Value:
        return evaluate(*operands)

    return evaluate_operands


class CallStub:
    """A call of a function that is not put in place: gives its result, a tuple of several, or None."""

    def __init__(self, callee: FunctionCode, code: CodeBlock, index: int, linker: Linker) -> None:
        self._linker = linker
        self._callee = callee
        self._code = code
        self._index = index

    def __call__(self, context: ExecutionContext, *arguments: Value) -> Value:
        """Returns the callee's result, a tuple of several, or None."""
        try:
            results = self._linker.call(context, self._callee, list(arguments))
        except ExecutionError as error:
            note_call(error, self._code, self._index)
            raise
        if len(results) == 1:
            return results[0]
        return results or None
