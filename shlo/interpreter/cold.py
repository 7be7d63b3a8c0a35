"""What generated code calls where it cannot go straight ahead: operations that never ran, and functions."""

from __future__ import annotations

from shlo.interpreter.errors import note_call
from shlo.interpreter.kernel import Context, Value
from shlo.interpreter.limits import Budget
from shlo.interpreter.program import Code, FunctionCode
from shlo.ir.diagnostics import ExecutionError


class ColdInstruction:
    """An operation whose kernel is specialized when it is first reached, and whose results are always
    checked.
    """

    def __init__(self, code: Code, index: int) -> None:
        self._code = code
        self._index = index

    def __call__(self, context: Context, *operands: Value) -> Value:
        Budget().reserve(self._code.instructions[self._index].size, tuple)
        prepared = self._code.prepared(self._index)
        evaluate = prepared.evaluate
        result = evaluate(context, *operands) if prepared.entry.needs_context else evaluate(*operands)
        prepared.check(result)
        return result


class ColdCall:
    """A call of a function that is not put in place: gives its result, a tuple of several, or None."""

    def __init__(self, callee: FunctionCode, code: Code, index: int) -> None:
        self._callee = callee
        self._code = code
        self._index = index

    def __call__(self, context: Context, *arguments: Value) -> Value:
        from shlo.interpreter.execute import Run, call

        try:
            results = call(Run(context, Budget(), None, None), self._callee, list(arguments))
        except ExecutionError as error:
            note_call(error, self._code, self._index)
            raise
        if len(results) == 1:
            return results[0]
        return results or None
