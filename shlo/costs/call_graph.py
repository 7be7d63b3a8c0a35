"""Functions that a function reaches by calls, callers before what they call."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.costs.op_work import OpWorks
from shlo.ir.operations import Function, Module, walk


class CallGraph:
    """The functions with bodies that run when one runs.

    `order` has callers before what they call; `is_cyclic` tells which calls go back to a function that is
    running already.
    """

    def __init__(self, module: Module, entry: str, works: OpWorks) -> None:
        self._works = works
        self._functions = module.functions
        self._callees: dict[str, tuple[str, ...]] = {}
        self._back: set[tuple[str, str]] = set()
        self.order: list[Function] = self._sorted(entry)

    def is_cyclic(self, caller: str, callee: str) -> bool:
        """Returns whether a call is one of a function by itself, over others or not."""
        return (caller, callee) in self._back

    def find(self, name: str) -> Function | None:
        """Returns a function that has a body."""
        function = self._functions.get(name)
        return function if function is not None and function.body is not None else None

    def _sorted(self, entry: str) -> list[Function]:
        left: list[Function] = []
        state = {entry: "open"}
        stack: list[tuple[str, Iterator[str]]] = [(entry, iter(self._called(entry)))]
        while stack:
            name, callees = stack[-1]
            callee = next(callees, None)
            if callee is None:
                stack.pop()
                state[name] = "done"
                left.append(self._functions[name])
            elif callee not in state:
                state[callee] = "open"
                stack.append((callee, iter(self._called(callee))))
            elif state[callee] == "open":
                self._back.add((name, callee))
        return left[::-1]

    def _called(self, name: str) -> tuple[str, ...]:
        if name not in self._callees:
            body = self._functions[name].body
            operations = walk(body) if body is not None else ()
            callees = (self._works.of(operation.signature).callee for operation, _ in operations)
            names = dict.fromkeys(callees)
            self._callees[name] = tuple(name for name in names if name is not None and self.find(name))
        return self._callees[name]
