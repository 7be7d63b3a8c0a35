"""A module made ready to run: functions, blocks and instructions, each compiled when it is first needed.

`run` and `Process` drive the same instructions. Slots are value numbers: a function's values, those of
its nested regions among them, live in one list.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import cached_property, partial
from typing import Any, Protocol

from shlo.dialects import find_op_def
from shlo.interpreter.kernel_api import KernelError, Value
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.liveness import captures_of, last_uses, used_outside
from shlo.interpreter.program.shape_checks import refuse_wrong_blocks
from shlo.interpreter.program.type_fit import require_fit
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.values import byte_size, is_static
from shlo.interpreter.semantics import SEMANTICS, Semantics
from shlo.ir.attributes import Attribute, SymbolRefAttr
from shlo.ir.locations import place_of
from shlo.ir.operations import (
    Block,
    Function,
    Module,
    Operation,
    Region,
    Signature,
    ValueTable,
    functions_of,
    once_per_module,
    symbol_table,
)
from shlo.ir.source import Source, Span, place_in
from shlo.ir.types import Type


class Compiled(Protocol):
    """Python code generated for a function, a loop or a region. `captures` are the registers whose values a
    loop takes before those that it carries.
    """

    @property
    def captures(self) -> tuple[int, ...]:
        """Registers."""
        ...

    def call(
        self, context: ExecutionContext, values: Sequence[Value], more: Sequence[Value] = ()
    ) -> tuple[Value, ...]:
        """Calls the code; raises ExecutionError with the operation that failed."""
        ...


class SyncPoint(Enum):
    """How an instruction concerns other processes of a grid: not at all, only through instructions inside
    of it (or as part of the control flow around them), or as a point at which processes synchronise.
    """

    LOCAL = "local"
    CONTAINS = "contains"
    SYNC = "sync"


class Kind(Enum):
    """How an instruction is carried out: by its kernel, or by whoever drives the instructions."""

    KERNEL = "kernel"
    WHILE = "while"
    BRANCH = "branch"
    COUNT = "count"
    CALL = "call"
    JUMP = "jump"
    RETURN = "return"


NAMED_FUNCTIONS = ("called_computations", "programs", "infeed")
"""Attributes in which kernels find names of functions: those of custom_call and of run_parallel."""


class Instruction:
    """One operation, ready to run. `operands` also lists what a kernel's regions use from outside, at the
    end.

    `last_uses` are the registers that nothing needs after it; `dead_inside` those of them that no region of
    it uses either, so that control flow can drop them before it goes in. `verified` tells that its results
    once were of their declared types, `sync` whether processes of a grid synchronise there (None: not asked
    yet). `compiled_loop` is code generated for a loop, and `hotness` what `jit.hot` knows of its rounds
    before there is any. `native` is a loop's machine code (see `jit.native_loop`), `traced` what the fast
    lane of the debugger knows of a loop.
    """

    __slots__ = (
        "_size",
        "bound_kernel",
        "captures",
        "compiled_loop",
        "dead_inside",
        "hotness",
        "kind",
        "last_uses",
        "native",
        "operands",
        "operation",
        "regions",
        "results",
        "sync",
        "traced",
        "verified",
    )

    def __init__(
        self, operation: Operation, kind: Kind, captures: tuple[int, ...], last_uses: tuple[int, ...]
    ) -> None:
        self.operation = operation
        self.kind = kind
        self.captures = captures
        self.operands = operation.operands
        if kind is Kind.KERNEL and captures:
            self.operands += captures
        elif kind is Kind.CALL and callee_attribute(operation) is None:
            self.operands = operation.operands[1:]  # the first one is the function
        self.results = operation.results
        self.last_uses = last_uses
        self.dead_inside = tuple(
            register
            for register in last_uses
            if register not in captures and register not in operation.results
        )
        self.bound_kernel: BoundKernel | None = None
        self.sync: SyncPoint | None = None
        self.regions: tuple[CodeBlock, ...] | None = None
        self.verified = False
        self._size: int | None = None
        self.compiled_loop: Compiled | None = None
        self.hotness: object | None = None
        self.native: object | None = None
        self.traced: object | None = None

    @property
    def size(self) -> int:
        """How many bytes the results take, as far as their types tell."""
        if self._size is None:
            self._size = sum(map(byte_size, self.operation.signature.result_types))
        return self._size

    @property
    def is_sized(self) -> bool:
        """Whether the types of the results tell how many bytes they take."""
        return all(map(is_static, self.operation.result_types))


class CodeBlock:
    """A block as a list of instructions. `base` is where the operation that contains the block starts in
    the source; `index` and `points` are what the debugger knows of its instructions (see
    `replay.block_index` and `replay.program_points`).
    """

    __slots__ = (
        "arguments",
        "base",
        "block",
        "defined_at",
        "function",
        "index",
        "instructions",
        "outside",
        "points",
        "siblings",
        "values",
    )

    def __init__(
        self,
        function: FunctionCode,
        region: Region,
        block: Block,
        base: int,
        outside: tuple[CodeBlock, int] | None = None,
        used_elsewhere: frozenset[int] = frozenset(),
    ) -> None:
        self.function = function
        self.values = region.values
        self.block = block
        self.siblings: tuple[CodeBlock, ...] = (self,)
        self.base = base
        self.index: object | None = None
        self.points: dict[int, Any] = {}
        self.outside = outside  # the code, and the instruction in it, whose values this block may use
        self.arguments = block.arguments
        operations = block.operations
        captures = [
            captures_of(operation, region.values) if operation.regions else () for operation in operations
        ]
        ends = last_uses(block, captures, used_elsewhere)
        self.instructions = list(map(Instruction, operations, map(_kind_of, operations), captures, ends))
        self.defined_at = dict.fromkeys(self.arguments, -1)  # the instruction that defines a register
        for index, operation in enumerate(operations):
            self.defined_at.update(dict.fromkeys(operation.results, index))

    def span(self, index: int) -> Span:
        """Returns where the operation of an instruction is in the source."""
        return self.block.span(index, self.base)

    def place(self, index: int) -> str | None:
        """`file:line:column` of an instruction, None where nothing tells."""
        source = self.function.program.source
        if source is not None and index < len(self.block.starts):
            return source.place(self.span(index).start)
        return place_of(self.block.operations[index].location)

    def regions(self, index: int) -> tuple[CodeBlock, ...]:
        """Returns the code of an instruction's regions."""
        instruction = self.instructions[index]
        if instruction.regions is None:
            refuse_wrong_blocks(instruction.operation)
            start = self.span(index).start
            instruction.regions = tuple(
                blocks_of(
                    self.function, region, start, (self, index) if region.values is self.values else None
                )[0]
                for region in instruction.operation.regions
                if region.blocks or instruction.operation.name != "scf.if"
            )
        return instruction.regions

    def check_operands(self, index: int) -> None:
        """Raises KernelError where an instruction uses a value before it is defined, or as of another
        type.
        """
        operation = self.instructions[index].operation
        for position, (register, type_) in enumerate(
            zip(operation.operands, operation.signature.operand_types)
        ):
            if not self._defines(register, index):
                raise KernelError(f"operand {position} is used before it is defined")
            if type_ is not self.values.types[register] and type_ != self.values.types[register]:
                raise KernelError(f"operand {position} is {self.values.types[register]}, not {type_}")

    def _defines(self, register: int, before: int) -> bool:
        """Returns whether a value is defined when an instruction is reached."""
        defined = self.defined_at.get(register)
        if defined is not None:
            return defined < before
        if any(register in sibling.defined_at for sibling in self.siblings):
            return True
        return self.outside is not None and self.outside[0]._defines(register, self.outside[1])

    def callee(self, index: int) -> FunctionCode:
        """Returns the function that a call or composite calls; raises KernelError where there is none."""
        operation = self.instructions[index].operation
        name = callee_attribute(operation)
        if name is None:
            symbol = self._constant(operation.operands[0])
            if symbol is None:
                raise KernelError("calls a value that is no func.constant of its function")
        else:
            symbol = operation.attribute(name)
        if not isinstance(symbol, SymbolRefAttr):
            raise KernelError(f"needs the name of a function in '{name}'")
        return self.function.program.function("::".join((symbol.root, *symbol.nested)))

    def _constant(self, register: int) -> Attribute | None:
        """Returns the function that a value refers to, None where no func.constant gives it."""
        for code in self.siblings:
            index = code.defined_at.get(register, -1)
            if index >= 0 and code.instructions[index].operation.name == "func.constant":
                return code.instructions[index].operation.attribute("value")
        return self.outside[0]._constant(register) if self.outside is not None else None


class FunctionCode:
    """A function: its types, its code, the seconds that a Python function generated for it would have saved
    of its runs, and that function, if there is one. `whole_size` counts its operations and those inside of
    control flow and calls, None until it was asked. `sequences_due` counts a call and tells whether that
    function is to be generated once more, with sequences (see `jit.sequences`); it is None where it is not.
    `partitions` is what `legacy_partitions` found, None until it was asked.
    """

    def __init__(self, program: Program, function: Function, region: Region) -> None:
        self.program = program
        self.name = function.name
        self.operation = function.operation
        self.region = region
        self.span = function.span
        self.argument_types: tuple[Type, ...] = function.type.inputs
        self.result_types: tuple[Type, ...] = function.type.results
        self.saved = 0.0
        self.whole_size: int | None = None
        self.compiled: Compiled | None = None
        self.may_generate = True
        self.sequences_due: Callable[[], bool] | None = None
        self.partitions: int | None = None
        self._code: CodeBlock | None = None

    @property
    def values(self) -> ValueTable:
        """The types and names of the function's values."""
        return self.region.values

    @property
    def place(self) -> str | None:
        """`file:line:column` of the function, None where nothing tells."""
        return place_in(self.program.source, self.span) or place_of(self.operation.location)

    @property
    def code(self) -> CodeBlock:
        """The function's first block; raises KernelError where it returns what is not declared."""
        if self._code is None:
            blocks = blocks_of(self, self.region, self.span.start)
            for block in blocks:
                if not block.instructions or block.instructions[-1].kind is not Kind.JUMP:
                    require_fit(f"@{self.name} returns", returned_types(block), self.result_types)
            self._code = blocks[0]
        return self._code


class Program:
    """A module made ready to run by the specification or as XLA does. It keeps no reference to the Module, so
    that it can be kept as long as that lives.
    """

    def __init__(self, module: Module, semantics: Semantics = "spec") -> None:
        self.semantics: Semantics = semantics
        self.source: Source | None = module.source
        self._module = module.operation
        self._start = module.start
        self.bound_kernels: dict[Signature, BoundKernel] = {}
        self.namespace: dict[str, Any] = {}
        self.numbers: Iterator[int] = itertools.count()
        self.lock = threading.RLock()
        self.hoisted_bytes = 0
        self.runs = 0
        self.traced: object | None = None  # sequences of traced code (see jit.traced)
        self.kernel_names: dict[int, tuple[BoundKernel, str]] = {}
        self.fused_names: dict[object, str] = {}  # global names of chains, by what they compute

    @cached_property
    def functions(self) -> dict[str, FunctionCode]:
        """The functions that have bodies, by name; those of a nested module as `module::function`."""
        codes: dict[str, FunctionCode] = {}
        modules = [(self._module, self._start, "")]
        for module, start, prefix in modules:
            region = module.regions[0]
            for function in functions_of(region, start):
                if function.body is not None:
                    codes[prefix + function.name] = FunctionCode(self, function, function.body)
            for block in region.blocks:
                for index, operation in enumerate(block.operations):
                    if operation.name == "builtin.module" and operation.symbol is not None:
                        names = f"{prefix}{operation.symbol}::"
                        modules.append((operation, block.span(index, start).start, names))
        return codes

    @cached_property
    def symbols(self) -> dict[str, Operation]:
        """What the module itself names, functions aside: meshes, for example, also those carried as text."""
        from shlo.interpreter.topology.frontend_attributes import mesh_operations

        named = symbol_table(self._module.regions[0]).items()
        others = {name: operation for name, operation in named if operation.name != "func.func"}
        return {**dict(mesh_operations(self._module)), **others}

    def function(self, name: str) -> FunctionCode:
        """Returns a function by name; raises KernelError where the module has none of that name with a
        body."""
        function = self.functions.get(name)
        if function is None:
            names = ", ".join(f"@{name_}" for name_ in sorted(self.functions)[:8])
            raise KernelError(f"the module has no function @{name} with a body; it has {names or 'none'}")
        return function


def returned_types(code: CodeBlock) -> tuple[Type, ...]:
    """Returns the types of what a block, or one that it goes on with, returns."""
    if len(code.siblings) > 1:
        ends = [sibling for sibling in code.siblings if sibling.instructions[-1].kind is Kind.RETURN]
        code = ends[0] if ends else code
    if not code.instructions or code.instructions[-1].kind is not Kind.RETURN:
        raise KernelError("a region does not end with a return")
    return code.instructions[-1].operation.signature.operand_types


_programs: dict[str, Callable[[Module], Program]] = {
    semantics: once_per_module(partial(Program, semantics=semantics)) for semantics in SEMANTICS
}


def program_of(module: Module, semantics: Semantics = "spec") -> Program:
    """Returns the program of a module, compiled once for each semantics as long as the module lives; raises
    KernelError for a semantics that there is not.
    """
    compiled = _programs.get(semantics)
    if compiled is None:
        raise KernelError(f"expected semantics {' or '.join(SEMANTICS)}, got {semantics!r}")
    return compiled(module)


def names_functions(operation: Operation) -> bool:
    """Returns whether a kernel's operation names functions that it calls."""
    return any(operation.attribute(name) is not None for name in NAMED_FUNCTIONS)


def callee_attribute(operation: Operation) -> str | None:
    """Returns the attribute in which a call names its function, or None where its first operand is that."""
    op_def = find_op_def(operation.name)
    return op_def.callee if op_def is not None else None


def blocks_of(
    function: FunctionCode, region: Region, base: int, outside: tuple[CodeBlock, int] | None = None
) -> tuple[CodeBlock, ...]:
    """Returns the code of a region's blocks, each of which may go on with others of them. Raises KernelError
    for a region without blocks."""
    if len(region.blocks) == 1:
        return (CodeBlock(function, region, region.blocks[0], base, outside),)
    if not any(operation.successors for block in region.blocks for operation in block.operations):
        raise KernelError(f"a region of {len(region.blocks)} blocks cannot be run; it must have one")
    blocks = tuple(
        CodeBlock(function, region, block, base, outside, used_outside(block, region))
        for block in region.blocks
    )
    for code in blocks:
        code.siblings = blocks
    return blocks


def _kind_of(operation: Operation) -> Kind:
    op_def = find_op_def(operation.name)
    if op_def is not None and op_def.control_flow is not None:
        return Kind(op_def.control_flow)
    return Kind.RETURN if op_def is not None and op_def.has("terminator") else Kind.KERNEL
