"""The lines of a generated function, the variables in it, and which values they refer to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.code import CodeBlock, FunctionCode, Instruction, Program
from shlo.interpreter.program.linker import Linker
from shlo.interpreter.runtime.values import is_array, is_scalar_type
from shlo.ir.diagnostics import ShloError
from shlo.ir.types import Type

LINE_LIMIT = 12_000
NESTING_LIMIT = 12


class CannotGenerate(ShloError):
    """CodeBlock that is too long, nests too deeply, or is wrong, so that it is not generated."""


class SourceOrigin(NamedTuple):
    """The instruction that a line of generated source refers to."""

    code: CodeBlock
    position: int

    @property
    def instruction(self) -> Instruction:
        """The instruction itself."""
        return self.code.instructions[self.position]


def interface(instructions: Iterable[Instruction]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns the registers that instructions take from before, and those that they bind."""
    inputs: dict[int, None] = {}
    bound: dict[int, None] = {}
    for instruction in instructions:
        used = (*instruction.operands, *instruction.captures)
        inputs.update(dict.fromkeys(register for register in used if register not in bound))
        bound.update(dict.fromkeys(instruction.results))
    return tuple(inputs), tuple(bound)


class SourceScope:
    """The variables that refer to the values of one function, or of one place where it was put in for a
    call.
    """

    def __init__(self, code: CodeBlock, number: int, parent: SourceScope | None = None) -> None:
        self.function = code.function
        self.values = code.values
        self.number = number
        self.parent = parent
        self.names: dict[int, str] = {}

    def type_of(self, register: int) -> Type:
        """Returns the type of a value."""
        return self.values.types[register]

    def name_of(self, register: int) -> str:
        """Returns the variable that refers to a value."""
        name = self.names.get(register)
        if name is None:
            raise CannotGenerate("a value is used before it is defined")
        return name

    def names_of(self, registers: Iterable[int]) -> list[str]:
        """Returns the variables that refer to values."""
        return [self.name_of(register) for register in registers]

    def fresh(self, register: int) -> str:
        """Returns the name of the variable of a value."""
        return f"v{self.number}_{register}"

    def is_inside(self, function: FunctionCode) -> bool:
        """Returns whether a function is being put in here already."""
        scope: SourceScope | None = self
        while scope is not None:
            if scope.function is function:
                return True
            scope = scope.parent
        return False


class EmittedOp(NamedTuple):
    """An operation that is being written: where it is, its kernel, and the variables of its operands."""

    scope: SourceScope
    origin: SourceOrigin
    instruction: Instruction
    bound_kernel: BoundKernel
    names: Sequence[str]


class SourceWriter:
    """Collects lines of source, each beside the instruction it refers to, and counts who needs a variable.

    `on_arrays` is for code that works on whole arrays of scalars: there no value is a NumPy scalar.
    """

    def __init__(self, program: Program, linker: Linker, on_arrays: bool = False) -> None:
        self.program = program
        self.linker = linker
        self.on_arrays = on_arrays
        self.lines: list[str] = []
        self.origins: list[SourceOrigin | None] = []
        self.holders: Counter[str] = Counter()  # how many values a variable refers to; it is emptied at none
        self.constants: dict[str, Value] = {}
        self.computed: dict[object, str] = {}
        """Keys of operations, and expressions of elements, with the variables that had their values last. A
        loop assigns its carried ones at its end."""
        self._scalars: dict[tuple[str, bytes], str] = {}
        self._around: list[dict[object, str]] = []
        self._indent = 1
        self._scopes = 0

    def line(self, text: str, origin: SourceOrigin | None = None) -> None:
        """Adds a line of source."""
        if len(self.lines) >= LINE_LIMIT:
            raise CannotGenerate("too many operations")
        self.lines.append(" " * self._indent + text)
        self.origins.append(origin)

    def open_block(self, head: str) -> int:
        """Starts an indented block; gives where its lines begin."""
        self.line(head)
        self._around.append(self.computed)
        self.computed = dict(self.computed)
        self._indent += 1
        if self._indent > NESTING_LIMIT:
            raise CannotGenerate("too deep")
        return len(self.lines)

    def close_block(self, start: int) -> None:
        """Ends an indented block, with `pass` where no lines were added from `start` on."""
        if len(self.lines) == start:
            self.line("pass")
        self.computed = self._around.pop()
        self._indent -= 1

    def scope(self, code: CodeBlock, parent: SourceScope | None = None) -> SourceScope:
        """Returns a scope for the values of a block's table."""
        self._scopes += 1
        return SourceScope(code, self._scopes, parent)

    def bind(self, scope: SourceScope, register: int, name: str) -> None:
        """Lets a variable refer to one more value."""
        scope.names[register] = name
        self.holders[name] += 1

    def make_scalar(self, name: str) -> None:
        """Sees to it that a variable which may hold an array of rank 0 holds a NumPy scalar."""
        self.line(f"if {name}.__class__ is ndarray: {name} = {name}[()]")

    def define(self, scope: SourceScope, register: int) -> str:
        """Returns the variable for a value that is defined now."""
        name = scope.fresh(register)
        self.bind(scope, register, name)
        return name

    def parameters(self, scope: SourceScope, registers: Sequence[int]) -> list[str]:
        """Returns the variables of values that the generated function is given."""
        names = [self.define(scope, register) for register in registers]
        for register, name in zip(registers, names):
            if self.is_scalar(scope.type_of(register)):
                self.make_scalar(name)
        return names

    def kept_parameters(self, scope: SourceScope, registers: Sequence[int]) -> list[str]:
        """Returns the variables of values that the caller keeps, so that they are never overwritten."""
        names = self.parameters(scope, registers)
        self.holders.update(names)
        return names

    def loop_parameters(self, scope: SourceScope, registers: Sequence[int]) -> list[str]:
        """Returns the variables of what a loop carries first: values of the types of registers."""
        names = [f"p{position}" for position in range(len(registers))]
        for name, register in zip(names, registers):
            if self.is_scalar(scope.type_of(register)):
                self.make_scalar(name)
        return names

    def is_scalar(self, type_: Type) -> bool:
        """Returns whether values of a type are NumPy scalars in this code."""
        return not self.on_arrays and is_scalar_type(type_)

    def die(self, scope: SourceScope, registers: Sequence[int], spared: Sequence[str] = ()) -> None:
        """Values that nothing needs any more: variables that may hold arrays are emptied."""
        emptied: list[str] = []
        for register in registers:
            name = scope.names.get(register)
            if name is None or name in self.constants:
                continue
            self.holders[name] -= 1
            is_done = self.holders[name] == 0 and name not in spared and self.is_assigned(name)
            if is_done and not self.is_scalar(scope.type_of(register)):
                emptied.append(name)
        if emptied:
            self.line(f"{' = '.join(emptied)} = None")

    def is_assigned(self, name: str) -> bool:
        """Returns whether a variable has been assigned by the lines so far."""
        return True

    def constant(self, scope: SourceScope, register: int, value: Value) -> None:
        """Lets a global name refer to a value that is known now."""
        if is_array(value) and self.is_scalar(scope.type_of(register)):
            value = value[()]
        if is_array(value):
            value.flags.writeable = False
        name = self.scalar_name(value) if isinstance(value, np.generic) else self.global_name("c", value)
        self.constants[name] = value
        self.bind(scope, register, name)

    def scalar_name(self, value: Value) -> str:
        """Returns the global name of a scalar, one for all of the same bits."""
        key = str(value.dtype), value.tobytes()
        if key not in self._scalars:
            self._scalars[key] = self.global_name("c", value)
        return self._scalars[key]

    def global_name(self, prefix: str, value: Any) -> str:
        """Returns a new global name that refers to a value."""
        name = f"{prefix}{next(self.program.numbers)}"
        self.program.namespace[name] = value
        return name
