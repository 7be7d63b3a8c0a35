"""Single operations on an engine: a module for each signature, which the engine compiles once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from shlo.dialects import find_op_def
from shlo.engines import Engine, EngineError
from shlo.interpreter.options import RunOptions
from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.spmd.needed_grid import IDS
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Module, Operation, Signature, ValueTable
from shlo.ir.symbols import symbols_in
from shlo.transforms.rewriting.extraction import module_of


class SingleOp(Struct, frozen=True):
    """A module of one operation, and which of its instruction's operands it takes; None: all of them."""

    module: Module
    takes: tuple[int, ...] | None = None

    def arguments_of(self, operands: Sequence[Any]) -> Sequence[Any]:
        """Returns the arguments of the module, of the operands of its instruction."""
        return operands if self.takes is None else [operands[at] for at in self.takes]


class SingleModules:
    """The modules of operations. `not_alone` tells which say nothing where they are run alone, and why."""

    def __init__(self) -> None:
        self._modules: dict[Any, Module] = {}
        self._of_operation: dict[int, tuple[Operation, SingleOp | None]] = {}
        self.not_alone: dict[str, str] = {}

    def leave_out(self, operation: Operation) -> None:
        """Gives no module of an operation from now on."""
        self._of_operation[id(operation)] = operation, None

    def of(self, code: CodeBlock, index: int) -> SingleOp | None:
        """Returns the module of an instruction's operation, the same for the same signature; None for
        constants, whose values the program has, and for what says nothing alone.
        """
        operation = code.instructions[index].operation
        single = self._of_operation.get(id(operation))
        if single is None:
            single = self._of_operation[id(operation)] = operation, self._module_of(code, index)
        return single[1]

    def _module_of(self, code: CodeBlock, index: int) -> SingleOp | None:
        instruction = code.instructions[index]
        operation = instruction.operation
        op_def = find_op_def(operation.name)
        if op_def is not None and (op_def.has("constant") or op_def.has("annotation")):
            return None  # the program has their values
        if (op_def is not None and op_def.has("effect")) or operation.name in IDS:
            self.not_alone.setdefault(operation.name, "what it gives is not determined by its operands")
            return None
        if next(symbols_in(operation), None) is not None:
            self.not_alone.setdefault(operation.name, "it names functions or meshes of the program")
            return None
        if not operation.regions:
            module = self._modules.get(operation.signature)
            if module is None:
                module = self._modules[operation.signature] = _alone(operation.signature)
            return SingleOp(module)
        takes = {number: at for at, number in reversed(list(enumerate(instruction.operands)))}
        module = module_of([operation], tuple(takes), operation.results, code.values)
        return SingleOp(self._modules.setdefault(module.to_text(), module), tuple(takes.values()))


class SingleOps:
    """Runs operations of programs one by one. `refused` tells which the engine did not run, by name, and why;
    `not_alone` which say nothing where they are run alone.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._single_modules = SingleModules()
        self.refused: dict[str, str] = {}
        self.not_alone = self._single_modules.not_alone

    def results(self, code: CodeBlock, index: int, inputs: Sequence[Any]) -> tuple[Any, ...] | None:
        """Returns what an instruction gives for its operands (see `Instruction.operands`), None where the
        engine cannot run it alone.
        """
        operation = code.instructions[index].operation
        single = self._single_modules.of(code, index)
        if single is None:
            return None
        try:
            return self._engine.execute(single.module, single.arguments_of(inputs), RunOptions())
        except (EngineError, ExecutionError) as error:
            self._leave_out(operation, str(error))
            return None

    def call(self, code: CodeBlock, index: int, inputs: Sequence[Any]) -> tuple[Module, Sequence[Any]]:
        """Returns the module of an instruction that was run alone, and its arguments."""
        single = self._single_modules.of(code, index)
        assert single is not None
        return single.module, single.arguments_of(inputs)

    def grid_results(
        self, code: CodeBlock, index: int, inputs: Sequence[Sequence[Any]], shape: tuple[int, int]
    ) -> list[tuple[Any, ...]] | None:
        """Returns what an instruction gives to each process of a grid of replicas and partitions for the
        operands of each, None where the engine cannot run it alone.
        """
        operation = code.instructions[index].operation
        single = self._single_modules.of(code, index)
        if single is None:
            return None
        operands = [single.arguments_of(process_inputs) for process_inputs in inputs]
        options = RunOptions(replicas=shape[0], partitions=shape[1])
        try:
            return self._engine.execute_grid([single.module], operands, options)
        except (EngineError, ExecutionError) as error:
            self._leave_out(operation, str(error))
            return None

    def _leave_out(self, operation: Operation, reason: str) -> None:
        self.refused.setdefault(operation.name, reason)
        self._single_modules.leave_out(operation)


def _alone(signature: Signature) -> Module:
    """Returns a module of an operation without regions, with an argument for each operand."""
    types = [*signature.operand_types, *signature.result_types]
    numbers, count = tuple(range(len(types))), len(signature.operand_types)
    operation = Operation(signature, numbers[:count], numbers[count:])
    return module_of([operation], numbers[:count], numbers[count:], ValueTable(types, [""] * len(types)))
