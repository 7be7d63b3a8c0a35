"""`shlo split`: the units of a program, each a program of its own with arguments and expected results.

Units are operations, called functions, or operations of one name scope that follow each other. Those that are
alike (the same operations, attributes and types) are one unit, with the values of its first execution.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, pairwise
from math import sqrt
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct, field
from msgspec.structs import asdict

from shlo.dialects.constants import is_constant
from shlo.divergence.single_ops import SingleModules
from shlo.divergence.tolerances import HALF, allowance_of
from shlo.engines.command.case_files import write_case, write_manifest
from shlo.interpreter import run
from shlo.interpreter.execution import make_grid
from shlo.interpreter.kernel_steps import KernelStep, kernel_steps, path_of
from shlo.interpreter.options import RunOptions
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.interpreter.runtime.profile import Progress
from shlo.ir.dtypes import Array, dtype_of, float_limits
from shlo.ir.name_stack import scope_of
from shlo.ir.operations import Module, Operation
from shlo.ir.types import ComplexType, FloatType, element_type_of
from shlo.reduction.control_flow import is_control_flow
from shlo.runner.statistics import tensor_of
from shlo.transforms.rewriting.extraction import module_of
from shlo.transforms.rewriting.rebuild import reached_from

By = Literal["operation", "call", "scope"]
"""What becomes a unit."""

CONTROL_FLOW: Final = "the operations that it runs are units"
CONSTANT: Final = "the programs hold its value"
NOT_RUN: Final = "this run does not reach it"
NO_TENSOR: Final = "it takes or returns other values than tensors"
UNUSED: Final = "nothing uses it, or this run does not reach it"
MOST_NAME: Final = 80
"""Characters of a subject that the name of a folder has."""


class Unit(Struct):
    """A unit that was written.

    Args:
        name: of its folder.
        subject: the operation, function or scope.
        type: the type of its first argument's elements, of its first result's where it has no argument.
        place: `file:line:column` of its first execution, None where nothing tells.
        path: the calls and iterations that lead there, outermost first.
        allowed: how far results may be apart, as manifests tell it.
        count: how many operations, calls or groups of the program it covers.
        executions: how often those were executed.
    """

    name: str
    subject: str
    type: str
    place: str | None
    path: tuple[str, ...]
    allowed: dict[str, Any]
    count: int = 1
    executions: int = 1


class LeftOut(Struct, frozen=True):
    """What is in no unit: an operation or function, how many of it the program has, and why."""

    subject: str
    count: int
    reason: str


class Split(Struct, frozen=True):
    """What `split_program` has written."""

    units: Sequence[Unit]
    left_out: Sequence[LeftOut]


def split_program(
    module: Module,
    arguments: Sequence[Any],
    options: RunOptions,
    by: By,
    folder: Path,
    progress: Progress | None = None,
) -> Split:
    """Runs a program with the interpreter and writes its units to a folder, with a manifest.

    Args:
        module: the program.
        arguments: what `options.entry` is called with.
        options: how it runs, in one process.
        by: what becomes a unit.
        folder: where the units are written: a folder for each, and `manifest.json`.
        progress: is told how many operations of the entry function are done.

    Raises:
        ExecutionError: the interpreter cannot run the program.
    """
    grid = make_grid([module], [arguments], options)
    splitter = {"operation": _Operations, "call": _Calls, "scope": _Scopes}[by](module, options, folder)
    grid.processes[0].keeps_values = by == "call"
    for step in kernel_steps(grid, progress):
        splitter.take(step)
    split = Split(list(splitter.units.values()), list(splitter.left_out()))
    rows = [_row(unit) for unit in split.units]
    write_manifest(folder, rows, by=by, left_out=[asdict(entry) for entry in split.left_out])
    return split


def _row(unit: Unit) -> dict[str, Any]:
    told = {name: getattr(unit, name) for name in ("name", "type", "place", "path", "count", "executions")}
    return {**told, "judge": "interpreter", **unit.allowed}


class _Splitter:
    """Writes a unit when its first execution is over, and counts the others."""

    def __init__(self, module: Module, options: RunOptions, folder: Path) -> None:
        self.module = reached_from(module, options.entries[0])
        self.options, self._folder = options, folder
        self.units: dict[str, Unit] = {}
        self.reasons = dict[str, str]()
        self._of_source: dict[Any, Unit | None] = {}
        self._titles = Counter[str]()

    def take(self, step: KernelStep) -> None:
        """Takes a step of the run."""
        raise NotImplementedError

    def left_out(self) -> Iterator[LeftOut]:
        """Yields what is in no unit."""
        raise NotImplementedError

    def is_known(self, source: Any) -> bool:
        """Returns whether an operation, call or group of the program was executed before, and counts it."""
        if source not in self._of_source:
            return False
        unit = self._of_source[source]
        if unit is not None:
            unit.executions += 1
        return True

    def add(
        self,
        source: Any,
        subject: str,
        step: KernelStep,
        module: Module,
        arguments: Sequence[Any],
        results: Sequence[Any] | None = None,
        allowed: dict[str, Any] | None = None,
    ) -> None:
        """Writes a unit, unless there is one with that text; `results` are computed where they are None."""
        text = module.to_text()
        unit = self.units.get(text)
        if unit is not None:
            unit.count, unit.executions = unit.count + 1, unit.executions + 1
        else:
            given = list(map(tensor_of, arguments))
            expected = list(map(tensor_of, run(module, *arguments) if results is None else results))
            values = [value for value in (*given, *expected) if value is not None]
            if len(values) < len(given) + len(expected):
                self.reasons.setdefault(subject, NO_TENSOR)
            elif values:
                unit = self._written(
                    subject, step, module, values[: len(given)], values[len(given) :], allowed
                )
                self.units[text] = unit
        self._of_source[source] = unit

    def _written(
        self,
        subject: str,
        step: KernelStep,
        module: Module,
        arguments: Sequence[Array],
        expected: Sequence[Array],
        allowed: dict[str, Any] | None,
    ) -> Unit:
        (function,) = [function for function in module.functions.values() if function.name == "main"]
        types = (*function.type.inputs, *function.type.results)
        type_ = str(element_type_of(types[0]))
        title = f"{_file_name(subject)}-{type_}"
        name = f"{title}-{self._titles[title]}"
        self._titles[title] += 1
        write_case(self._folder / name, module, arguments, expected)
        allowed = allowed or {"op": subject, **_half_of_the_digits(module)}
        return Unit(name, subject, type_, step.place, path_of(step.frames), allowed)


class _Operations(_Splitter):
    """Units of one operation."""

    def __init__(self, module: Module, options: RunOptions, folder: Path) -> None:
        super().__init__(module, options, folder)
        self._modules = SingleModules()
        self._executed: dict[int, Operation] = {}

    def take(self, step: KernelStep) -> None:
        """Takes a step of the run."""
        operation = step.operation
        self._executed[id(operation)] = operation
        single = self._modules.of(step.code, step.instruction)
        if single is None or self.is_known(id(operation)):
            return
        name, operands = operation.name, single.arguments_of(step.operands)
        self.add(id(operation), name, step, single.module, operands, step.values, allowance_of(name))

    def left_out(self) -> Iterator[LeftOut]:
        """Yields operations that are in no unit."""
        reasons = {**self._modules.not_alone, **self.reasons}
        counts = Counter[tuple[str, str]]()
        for operation in _operations_of(self.module):
            name = operation.name
            if is_control_flow(operation):
                counts[name, CONTROL_FLOW] += 1
            elif id(operation) not in self._executed:
                counts[name, NOT_RUN] += 1
            elif self._of_source.get(id(operation)) is None:
                counts[name, reasons.get(name, CONSTANT)] += 1
        return (LeftOut(name, count, reason) for (name, reason), count in counts.items())


def _operations_of(module: Module) -> Iterator[Operation]:
    """Yields the operations of a program that an interpreter executes by themselves: those inside of others
    that are no control flow, and what ends blocks, left out.
    """
    waiting = [function.operation for function in module.functions.values()]
    while waiting:
        for region in waiting.pop().regions:
            for block in region.blocks:
                for operation in block.operations[:-1]:
                    yield operation
                    if is_control_flow(operation):
                        waiting.append(operation)


class _Calls(_Splitter):
    """Units of one called function, with what it calls."""

    def take(self, step: KernelStep) -> None:
        """Takes a step of the run."""
        for below, frame in pairwise(step.frames):
            source = frame.function.name, id(below.instruction.operation)
            if frame.region is None and not self.is_known(source):
                arguments = [frame.registers[number] for number in frame.function.code.arguments]
                self.add(source, frame.function.name, step, self._callee(frame.function.name), arguments)

    def is_known(self, source: Any) -> bool:
        """Returns whether a call was executed before; how often its function was is not counted."""
        return source in self._of_source

    def _callee(self, name: str) -> Module:
        function = self.module.functions[name]
        assert function.body is not None
        block, table = function.body.blocks[0], function.body.values
        symbols = [
            operation
            for operation in reached_from(self.module, name).body.blocks[0].operations
            if operation is not function.operation
        ]
        *operations, end = block.operations
        return module_of(operations, block.arguments, end.operands, table, self.module.resources, symbols)

    def left_out(self) -> Iterator[LeftOut]:
        """Yields functions that are no unit."""
        names = {name for name, _ in self._of_source} | set(self.options.entries)
        for name in self.module.functions:
            if name not in names or name in self.reasons:
                yield LeftOut(name, 1, self.reasons.get(name, "no operation of it runs"))


class _ScopeGroup(Struct):
    """Operations of one scope that follow each other in a block, with the constants that they use.

    Args:
        scope: the scope.
        indices: of their instructions.
        inputs: the values that come from elsewhere.
        results: the values that are used elsewhere.
        module: the program of them.
        values: what is known of values in the first execution.
    """

    scope: str
    indices: Sequence[int]
    inputs: Sequence[int]
    results: Sequence[int]
    module: Module
    values: dict[int, Any] = field(default_factory=dict[int, Any])


class _Scopes(_Splitter):
    """Units of the operations of one scope that follow each other; control flow, and what says nothing
    alone, lies between them.
    """

    def __init__(self, module: Module, options: RunOptions, folder: Path) -> None:
        super().__init__(module, options, folder)
        self._modules = SingleModules()
        self._groups: dict[int, tuple[CodeBlock, dict[int, _ScopeGroup]]] = {}

    def take(self, step: KernelStep) -> None:
        """Takes a step of the run."""
        code, index = step.code, step.instruction
        if id(code) not in self._groups:
            self._groups[id(code)] = code, self._groups_of(code)
        group = self._groups[id(code)][1].get(index)
        if group is None or (index == group.indices[0] and self.is_known(id(group))):
            return
        if id(group) in self._of_source:
            return
        group.values |= dict(zip(code.instructions[index].operands, step.operands))
        group.values |= dict(zip(step.operation.results, step.values))
        if index == group.indices[-1]:
            arguments, results = (
                [group.values[number] for number in numbers] for numbers in (group.inputs, group.results)
            )
            self.add(id(group), group.scope, step, group.module, arguments, results)
            group.values.clear()

    def _groups_of(self, code: CodeBlock) -> dict[int, _ScopeGroup]:
        """Returns the groups of a block, by the indices of their instructions."""
        rows = [
            (scope_of(instruction.operation.location), self._is_alone(code, index), index)
            for index, instruction in enumerate(code.instructions)
            if not is_constant(instruction.operation)
        ]
        groups: dict[int, _ScopeGroup] = {}
        for (scope, is_alone), members in groupby(rows, lambda row: row[:2]):
            indices = [index for *_, index in members]
            group = self._group(code, scope, indices) if is_alone else None
            groups |= {} if group is None else dict.fromkeys(indices, group)
        return groups

    def _is_alone(self, code: CodeBlock, index: int) -> bool:
        is_kernel = code.instructions[index].kind is Kind.KERNEL
        return is_kernel and self._modules.of(code, index) is not None

    def _group(self, code: CodeBlock, scope: str, indices: Sequence[int]) -> _ScopeGroup | None:
        """Returns a group; None where nothing uses what it computes."""
        instructions, inside = code.instructions, set(indices)
        used = dict.fromkeys(number for index in indices for number in instructions[index].operands)
        constants = list(_constants_of(code, used))
        operations = [*constants, *(instructions[index].operation for index in indices)]
        own = {result for operation in operations for result in operation.results}
        outside = {
            number
            for index, instruction in enumerate(instructions)
            if index not in inside
            for number in (*instruction.operation.operands, *instruction.operands)
        }
        results = [number for index in indices for number in instructions[index].operation.results]
        results = [number for number in results if number in outside]
        inputs = [number for number in used if number not in own]
        resources = self.module.resources
        module = module_of(operations, inputs, results, code.values, resources)
        return _ScopeGroup(scope or "no scope", indices, inputs, results, module) if results else None

    def left_out(self) -> Iterator[LeftOut]:
        """Yields operations that are in no unit."""
        inside = {
            id(code.instructions[index].operation)
            for code, groups in self._groups.values()
            for index, group in groups.items()
            if self._of_source.get(id(group)) is not None
        }
        reasons = {**self._modules.not_alone, **self.reasons}
        counts = Counter(
            operation.name
            for operation in _operations_of(self.module)
            if id(operation) not in inside and not is_constant(operation)
        )
        flows = {op.name for op in _operations_of(self.module) if is_control_flow(op)}
        for name, count in counts.items():
            yield LeftOut(name, count, CONTROL_FLOW if name in flows else reasons.get(name, UNUSED))


def _constants_of(code: CodeBlock, numbers: Collection[int]) -> Iterator[Operation]:
    """Yields the constants of a block, and of those around it, that define some of these values."""
    around: CodeBlock | None = code
    while around is not None:
        for instruction in around.instructions:
            operation = instruction.operation
            if is_constant(operation) and any(result in numbers for result in operation.results):
                yield operation
        around = around.outside[0] if around.outside else None


def _file_name(subject: str) -> str:
    """Returns a name of letters, digits and underscores alone."""
    return re.sub(r"\W+", "_", subject.removeprefix("stablehlo."), flags=re.ASCII)[:MOST_NAME] or "unit"


def _half_of_the_digits(module: Module) -> dict[str, Any]:
    """Returns how far results of many operations may be apart, as `Tolerances.together` says it."""
    elements = {element_type_of(type_) for operation, _ in module.walk() for type_ in operation.result_types}
    floats = [dtype_of(type_) for type_ in elements if isinstance(type_, FloatType | ComplexType)]
    epsilon = max((float_limits(dtype).epsilon for dtype in floats), default=0.0)
    return {"ulps": 1 / sqrt(epsilon) if epsilon else 0.0, "of": "tensor", "reason": HALF}
