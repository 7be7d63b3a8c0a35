"""Values in a recording of the debugger, as what operations of a program should give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from shlo.compare import paired_operations
from shlo.debugger.errors import DebuggerError
from shlo.debugger.recording.runs import RecordedRun
from shlo.divergence.programs import Event, Expected
from shlo.interpreter.program.code import Kind
from shlo.ir.operations import Module
from shlo.runner.errors import RequestError

_Key = tuple[int, int, int]
"""A process, the identity of an operation, how often the process had carried it out before."""


class RecordedValues:
    """The values that operations gave in a recorded run, in the order in which a process carried them out."""

    def __init__(self, path: str) -> None:
        """Reads a file; raises RequestError where it is no recording, or holds no values."""
        self._names: dict[int, str] = {}
        self._used: set[_Key] = set()
        try:
            self._run = RecordedRun(path)
            self._values = self._read()
        except DebuggerError as error:
            raise RequestError(str(error)) from None
        if all(value is None for values in self._values.values() for value in values):
            hint = "record with --record-values all"
            raise RequestError(f"expected a recording with values, got {path}, which has none", hint)

    @property
    def inputs(self) -> Sequence[Sequence[Any]]:
        """The arguments of each process."""
        return self._run.session.cursor.inputs

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of replicas and of partitions."""
        options = self._run.session.run.options
        return options.replicas, options.partitions

    def expected_of(self, module: Module) -> Callable[[Event], Expected | None]:
        """Returns what the operations of a program should give that belong to those of the recorded one."""
        recorded = self._run.session.run.modules[0]
        counterparts = {id(other): id(operation) for operation, other in paired_operations(recorded, module)}
        times: Counter[tuple[int, int]] = Counter()

        def expected(event: Event) -> Expected | None:
            key = event.process, counterparts.get(id(event.operation), 0)
            time = times[key]
            times[key] += 1
            values = self._values.get((*key, time))
            self._used.add((*key, time))
            return None if values is None else Expected(values)

        return expected

    def unused(self) -> Counter[str]:
        """Returns the names of recorded operations that nothing has been compared with, and how often."""
        left = self._values.keys() - self._used
        return Counter(self._names[operation] for _, operation, _ in left)

    def _read(self) -> dict[_Key, list[Any]]:
        values: dict[_Key, list[Any]] = {}
        times: Counter[tuple[int, int]] = Counter()
        last: tuple[int, int] | None = None
        for recorded in self._run.values():
            point = recorded.point
            if point.index == 0:
                continue
            instruction = point.code.instructions[point.index - 1]
            if instruction.kind is not Kind.KERNEL:
                continue
            key = recorded.process, id(instruction.operation)
            self._names[key[1]] = instruction.operation.name
            if (recorded.position, recorded.process) != last:
                last = recorded.position, recorded.process
                times[key] += 1
            values.setdefault((*key, times[key] - 1), []).append(recorded.value)
        return values
