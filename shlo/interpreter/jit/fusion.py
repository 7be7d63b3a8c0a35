"""Collects elementwise operations of generated code into chains, which become one call each.

An operation that can be fused is not written at once: it waits in a chain of operations on arrays of its
shape, until a line of code needs one of the chain's results, or control flow begins or ends. What nothing
else needs by then is never stored as a whole.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import field

from shlo.dialects import has_trait
from shlo.interpreter.jit.fused import FusedKernel
from shlo.interpreter.jit.writer import LINE_LIMIT, EmittedOp, SourceOrigin, SourceWriter
from shlo.interpreter.kernel_api import Value, is_like_ufunc
from shlo.interpreter.kernels.numeric import FAST_DTYPES, element_dtype
from shlo.interpreter.kernels.reduction.blocks import block_reduction
from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.loops.chain import ChainReduction, ChainStep, FusedChain, is_broadcast
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.code import Program
from shlo.interpreter.program.linker import Linker
from shlo.interpreter.program.row_order import without_order
from shlo.interpreter.runtime.buffer_reuse import OVERWRITE_FROM
from shlo.interpreter.runtime.tiers import policy
from shlo.interpreter.runtime.values import byte_size, is_array
from shlo.ir.types import RankedTensorType, Type

MOST_SEPARATE: Final = 4
"""Elements up to which operations on arrays become operations on each element: a scalar of NumPy's takes a
tenth of the time of an array."""
SCALAR_SECONDS: Final = 5e-8
SEPARATING_SECONDS: Final = 2e-7
"""What an operation on scalars costs, and the elements of an array."""
KERNEL_SECONDS: Final = 4e-7
ELEMENT_SECONDS: Final = 3e-10
"""What the call of a kernel costs, and about what each element costs it."""
LEAST_SHARED: Final = 1 << 17
"""Elements from which on operations that cannot be machine code are worth sharing among threads."""
LEAST_ALONE: Final = 1 << 20
"""Elements from which on a single operation is worth sharing among threads."""
LEAST_TWO_PASSES: Final = 1 << 14
"""The same for maximum and minimum of floats, whose kernels look at each element twice."""
MOST_STEPS: Final = 200
NOT_FUSED: Final = frozenset({"stablehlo.power"})
"""Operations whose kernels look at more than one element."""
REPEATABLE: Final = frozenset({"stablehlo.broadcast_in_dim", "stablehlo.reduce", "stablehlo.reshape"})
"""Operations beside elementwise ones that are not computed twice of equal values."""
KEPT_SHARE: Final = 16
"""How much larger an array is than a reduction of it that is kept."""

if TYPE_CHECKING:
    from shlo.interpreter.jit.row_updates import RowUpdates

_NAMES = re.compile(r"v\d+_\d+")


class PendingChain(FusedChain, eq=False):
    """A chain that waits to be written: of operations that can be machine code, or of others, which only
    threads make quicker."""

    is_native: bool = True
    results: set[str] = field(default_factory=set[str])
    """Variables of the results of steps and reductions."""
    uniform: set[str] = field(default_factory=set[str])
    """Values that repeat one number."""
    origin: SourceOrigin | None = None

    @property
    def work(self) -> int:
        """How many operations compute something."""
        return sum(not is_broadcast(step.bound) for step in self.steps)

    def pays_separately(self, outputs: int) -> bool:
        """Returns whether operations on each element cost less than those on arrays, for so many results."""
        if self.reductions or not has_few_elements(self.shape):
            return False
        arrays = sum(name not in self.constants and not is_number(self.types[name]) for name in self.inputs)
        around = SEPARATING_SECONDS * arrays + policy().separate_seconds * outputs
        scalars = SCALAR_SECONDS * self.work * math.prod(self.shape)
        return around + scalars < KERNEL_SECONDS * len(self.steps)

    @property
    def is_worth_it(self) -> bool:
        """Whether one call costs less than those of the kernels, or threads can share the only one."""
        if self.reductions:
            return True
        if has_few_elements(self.shape):
            return False
        if not self.is_native:
            return math.prod(self.shape) >= LEAST_SHARED
        if self.work == 1:
            from shlo.interpreter.kernels.elementwise.float_minmax import FloatMinMax

            (only,) = [step.bound for step in self.steps if not is_broadcast(step.bound)]
            takes_two_passes = isinstance(without_order(only.evaluate), FloatMinMax)
            return math.prod(self.shape) >= (LEAST_TWO_PASSES if takes_two_passes else LEAST_ALONE)
        seconds = KERNEL_SECONDS + ELEMENT_SECONDS * math.prod(self.shape)
        return self.work >= 2 and self.work * seconds > policy().chain_seconds

    def is_reduction(self, name: str) -> bool:
        """Returns whether a variable is that of a reduction's result."""
        return any(name == reduction.result for reduction in self.reductions)

    def can_reduce(self, bound: BoundKernel, name: str) -> bool:
        """Returns whether a value of the chain can be reduced block by block as it is computed."""
        reduction = block_reduction(bound.evaluate)
        steps = [step for step in self.steps if step.result == name]
        if reduction is None or not self.is_native or not steps or is_broadcast(steps[0].bound):
            return False
        blocks = {
            reducer.block
            for reduction in self.reductions
            if (reducer := block_reduction(reduction.bound.evaluate))
        }
        return name not in self.uniform and blocks <= {reduction.block}


class PendingChains:
    """The chains that wait, one for a shape and whether they can be machine code."""

    def __init__(self) -> None:
        self._chains: dict[tuple[Sizes, bool], PendingChain] = {}

    def __bool__(self) -> bool:
        return bool(self._chains)

    def of_result(self, name: str) -> PendingChain | None:
        """Returns the chain that computes a variable, None where it is computed already."""
        return next((chain for chain in self._chains.values() if name in chain.results), None)

    def of_shape(self, shape: Sizes, is_native: bool) -> PendingChain:
        """Returns the chain for arrays of a shape, of operations that can be machine code or of others."""
        return self._chains.setdefault((shape, is_native), PendingChain(shape, is_native=is_native))

    def remove(self, chain: PendingChain) -> None:
        """Forgets a chain that is being written."""
        self._chains.pop((chain.shape, chain.is_native), None)

    def all(self) -> list[PendingChain]:
        """Returns all chains."""
        return list(self._chains.values())

    def before_line(self, text: str) -> list[PendingChain]:
        """Returns the chains that must be written before a line: it needs their results, assigns variables
        that they take, or leaves a loop.
        """
        if text.startswith(("if not ", "break")):
            return self.all()
        assigned = set(_NAMES.findall(text.partition(" = ")[0])) if " = " in text else set[str]()
        names = set(_NAMES.findall(text))
        return [
            chain
            for chain in self._chains.values()
            if not names.isdisjoint(chain.results) or not assigned.isdisjoint(chain.inputs)
        ]


def has_few_elements(shape: Sizes) -> bool:
    """Returns whether operations on arrays of a shape may become operations on each element."""
    return 0 < math.prod(shape) <= min(MOST_SEPARATE, policy().fused_elements - 1)


def fusible_shape(bound: BoundKernel) -> Sizes | None:
    """Returns the shape of an operation that can be part of a chain, None for any other."""
    op_view = bound.op_view
    if len(op_view.result_types) != 1 or bound.entry.needs_context or not bound.may_trust:
        return None
    types = (*op_view.operand_types, *op_view.result_types)
    if not op_view.operand_types or not all(map(_is_plain, types)):
        return None
    shape = op_view.result_type().static_shape
    if not shape or (math.prod(shape) < policy().fused_elements and not has_few_elements(shape)):
        return None
    if is_broadcast(bound):
        return shape if _only_repeats(bound) else None
    if not has_trait(op_view.name, "elementwise") or op_view.name in NOT_FUSED:
        return None
    operands = [op_view.tensor_type(index).static_shape for index in range(len(op_view.operand_types))]
    return shape if shape in operands and all(operand in (shape, ()) for operand in operands) else None


def _only_repeats(bound: BoundKernel) -> bool:
    op_view = bound.op_view
    dimensions = list(op_view.integers("broadcast_dimensions"))
    sizes = op_view.tensor_type(0).static_shape
    return dimensions == sorted(dimensions) and sizes != op_view.result_type().static_shape


def _is_plain(type_: Type) -> bool:
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return False
    try:
        return element_dtype(type_).char in FAST_DTYPES
    except Exception:  # a type that no array can hold
        return False


def is_number(type_: Type) -> bool:
    """Returns whether a type is that of tensors of rank 0."""
    return isinstance(type_, RankedTensorType) and type_.shape == ()


def the_number(value: Value) -> Any:
    """Returns the number that a constant is or repeats, None where it has several."""
    if not is_array(value):
        return value if np.isscalar(value) else None
    if value.size == 0 or any(value.strides):
        return None
    return value[(0,) * value.ndim]


def element_template(bound_kernel: BoundKernel) -> str | None:
    """Returns the source of an operation on scalars, with `{0}`, `{1}` for them; None where there is none."""
    make = bound_kernel.entry.expression
    return None if make is None else make(bound_kernel.op_view)


def can_separate(bound_kernel: BoundKernel) -> bool:
    """Returns whether an operation of a chain can be one on each element."""
    if is_broadcast(bound_kernel):
        return is_number(bound_kernel.op_view.operand_types[0])
    return element_template(bound_kernel) is not None


def write_elements(writer: SourceWriter, chain: PendingChain, outputs: Sequence[str]) -> None:
    """Writes a chain's operations on each element, and the arrays of its results."""
    elements = {name: _elements_of(writer, chain, name) for name in chain.inputs}
    for step in chain.steps:
        operands = [elements[name] for name in step.operands]
        template = element_template(step.bound)
        if template is None:  # a broadcast
            (elements[step.result],) = operands
        else:
            elements[step.result] = [
                _element_variable(writer, template.format(*arguments), chain.origin)
                for arguments in zip(*operands)
            ]
    shape = "" if len(chain.shape) == 1 else f".reshape({chain.shape})"
    for name in outputs:
        dtype = element_dtype(chain.types[name]).name
        writer.line(f"{name} = np.array(({', '.join(elements[name])},), np.{dtype}){shape}", chain.origin)


def _elements_of(writer: SourceWriter, chain: PendingChain, name: str) -> Sequence[str]:
    """Returns the variables of the elements of a chain's input; a number is each of them."""
    count = math.prod(chain.shape)
    if name in chain.constants:
        return [writer.scalar_name(chain.constants[name])] * count
    if is_number(chain.types[name]):
        return [name] * count
    if name in writer.constants:
        return [writer.scalar_name(value) for value in writer.constants[name].flat]
    names = [_variable(writer) for _ in range(count)]
    writer.line(f"{', '.join(names)}, = {name}.flat")
    return names


def _element_variable(writer: SourceWriter, expression: str, origin: SourceOrigin | None) -> str:
    """Returns the variable of an expression, whose assignment it writes where there is none."""
    variable = writer.computed.get(expression)
    if variable is None:
        variable = writer.computed[expression] = _variable(writer)
        writer.line(f"{variable} = {expression}", origin)
    return variable


def _variable(writer: SourceWriter) -> str:
    return f"t{next(writer.program.numbers)}"


class ChainWriter(SourceWriter):
    """Lets elementwise operations wait in chains, and writes the calls of chains and of kernels.

    `fuses` tells whether chains of elementwise operations become one call each.
    """

    fuses = True

    def __init__(self, program: Program, linker: Linker, on_arrays: bool = False) -> None:
        super().__init__(program, linker, on_arrays)
        self.pending = PendingChains()
        self._constants_by_rows: dict[str, str] = {}
        self._equals: dict[str, str] = {}
        """The first variables of the values of others."""

    def line(self, text: str, origin: SourceOrigin | None = None) -> None:
        """Adds a line of source, behind the chains that it needs."""
        if self.pending:
            for chain in self.pending.before_line(text):
                self.write_chain(chain)
        super().line(text, origin)

    def open_block(self, head: str) -> int:
        """Starts an indented block, behind all chains."""
        self.write_chains()
        return super().open_block(head)

    def close_block(self, start: int) -> None:
        """Ends an indented block with the chains in it."""
        self.write_chains()
        super().close_block(start)

    def is_assigned(self, name: str) -> bool:
        """Returns whether a variable has been assigned by the lines so far: not one of a chain that waits."""
        return self.pending.of_result(name) is None

    def repeated(self, emitted: EmittedOp, key: object) -> bool:
        """Lets the variable of an equal operation's result refer to the result, if the value is still there;
        False where the operation must be written."""
        name, (result,) = self.computed.get(key), emitted.instruction.results
        if name is None:
            return False
        is_there = self.holders[name] > 0 or self.pending.of_result(name) is not None
        is_number = self.is_scalar(emitted.scope.type_of(result))
        if is_there or (is_number and not emitted.bound_kernel.op_view.bodies):
            self.bind(emitted.scope, result, name)
            return True
        return False

    def note(self, emitted: EmittedOp, key: object) -> None:
        """Notes which variable has the result of an operation with a key. Small results of reductions of
        large arrays are kept: what follows from equal ones is equal, and need not be computed again."""
        op_view, name = emitted.bound_kernel.op_view, emitted.scope.name_of(emitted.instruction.results[0])
        first = self.computed.get(key, name)
        self._equals[name], self.computed[key] = self._equals.get(first, first), name
        if op_view.bodies and byte_size(op_view.operand_types[0]) >= KEPT_SHARE * emitted.bound_kernel.size:
            self.holders[name] += 1

    def key_of(self, emitted: EmittedOp) -> object:
        """Returns a key that operations have in common which compute the same of equal values; None for one
        that is to be computed each time."""
        op_view, one = emitted.bound_kernel.op_view, emitted.bound_kernel.op_view.signature
        bodies = [body.single_operation for body in op_view.bodies]
        is_trusted = self.fuses and emitted.instruction.verified and emitted.bound_kernel.may_trust
        is_repeatable = has_trait(one.name, "elementwise") or one.name in REPEATABLE
        if self.on_arrays or not is_trusted or not is_repeatable or len(one.result_types) != 1:
            return None
        if any(body is None or body.properties for body in bodies):
            return None
        attributes = (
            *one.properties.items(),
            *one.attributes.items(),
            *[body.name for body in bodies if body],
        )
        return one.name, one.operand_types, one.result_types, attributes, *map(self._equal_of, emitted.names)

    def _equal_of(self, name: str) -> object:
        """Returns what variables of equal values have in common."""
        number = the_number(self.constants[name]) if name in self.constants else None
        return self._equals.get(name, name) if number is None else np.asarray(number).tobytes()

    def fused(self, emitted: EmittedOp) -> bool:
        """Lets an operation wait in a chain; False where it must be written now."""
        scope, origin, instruction, bound_kernel, names = emitted
        if self.on_arrays or not self.fuses or not instruction.verified:
            return False
        shape = fusible_shape(bound_kernel)
        if shape is None or len(names) != len(bound_kernel.op_view.operand_types):
            return False
        is_tiny = has_few_elements(shape)
        if is_tiny and (len(self.lines) > LINE_LIMIT // 2 or not can_separate(bound_kernel)):
            return False
        is_native = is_tiny or self._is_native(bound_kernel)
        numbers = {name: the_number(self.constants[name]) for name in names if name in self.constants}
        for name in names:  # before the chain for the shape is asked for: writing others may end it
            source = self.pending.of_result(name)
            is_other = source is not None and (source.shape, source.is_native) != (shape, is_native)
            is_new = source is not None and source.is_reduction(name)
            if source is not None and (is_other or is_new or is_broadcast(bound_kernel)):
                self.write_chain(source)
        chain = self.pending.of_shape(shape, is_native)
        uniform = [
            name in chain.uniform or numbers.get(name) is not None or is_number(scope.type_of(register))
            for name, register in zip(names, instruction.operands)
        ]
        if all(uniform) and not is_tiny and not is_broadcast(bound_kernel):
            return False
        for name, register in zip(names, instruction.operands):
            self._chain_input(chain, name, scope.type_of(register), numbers.get(name))
        result = self.define(scope, instruction.results[0])
        chain.steps.append(ChainStep(bound_kernel, tuple(names), result))
        chain.results.add(result)
        chain.types[result] = bound_kernel.op_view.result_types[0]
        if all(uniform):
            chain.uniform.add(result)
        chain.origin = origin
        if len(chain.steps) >= MOST_STEPS:
            self.write_chain(chain)
        return True

    def reduced(self, emitted: EmittedOp) -> bool:
        """Lets a reduction by blocks wait with the chain that computes its operand; False where it must be
        written now."""
        scope, origin, instruction, bound_kernel, names = emitted
        if self.on_arrays or not self.fuses or not instruction.verified or len(names) != 2:
            return False
        source, initial = names
        chain = self.pending.of_result(source)
        if chain is None or initial not in self.constants or not bound_kernel.may_trust:
            return False
        if not chain.can_reduce(bound_kernel, source):
            return False
        result = self.define(scope, instruction.results[0])
        chain.reductions.append(ChainReduction(bound_kernel, source, initial, result))
        chain.results.add(result)
        chain.types[result] = bound_kernel.op_view.result_types[0]
        chain.origin = origin
        return True

    def _is_native(self, bound_kernel: BoundKernel) -> bool:
        """Returns whether an operation can be in a chain of machine code, if there is any."""
        if not policy().makes("chain"):
            return True
        from shlo.interpreter.loops.elements import can_write

        return can_write(bound_kernel)

    def _chain_input(self, chain: PendingChain, name: str, type_: Type, number: Any) -> None:
        if name in chain.results or name in chain.inputs:
            return
        chain.inputs.append(name)
        chain.types[name] = type_
        if number is not None:
            chain.constants[name] = number
        elif name not in self.constants:
            self.holders[name] += 1

    def _by_rows(self, name: str) -> str:
        """Returns the variable of a constant array stored row by row, as machine code needs it. The array
        itself stays: its order in memory decides how BLAS adds."""
        array = self.constants.get(name)
        if array is None or array.flags.c_contiguous:
            return name
        by_rows = self._constants_by_rows
        if name not in by_rows:
            stored = np.ascontiguousarray(array)
            stored.flags.writeable = False
            by_rows[name] = self.global_name("c", stored)
        return by_rows[name]

    def write_chains(self) -> None:
        """Writes all chains that wait."""
        for chain in self.pending.all():
            self.write_chain(chain)

    def write_chain(self, chain: PendingChain) -> None:
        """Writes the call of a chain, or those of its operations where one call is not worth it. Broadcasts
        that are needed as a whole stay views."""
        self.pending.remove(chain)
        for name in chain.inputs:
            if name not in self.constants:
                self.holders[name] -= 1
        reductions = [reduction for reduction in chain.reductions if self.holders[reduction.result]]
        needed = {name for name in chain.results if self.holders[name]}
        needed.update(reduction.source for reduction in reductions)
        for step in reversed(chain.steps):
            if step.result in needed:
                needed.update(step.operands)
        chain.steps = [step for step in chain.steps if step.result in needed]
        computed = [step for step in chain.steps if not is_broadcast(step.bound)]
        outputs = [step.result for step in computed if self.holders[step.result]]
        chain.outputs, chain.reductions = outputs, reductions
        inputs, chain.inputs = chain.inputs, [name for name in chain.inputs if name in needed]
        is_separate = bool(outputs) and chain.pays_separately(len(outputs))
        is_one_call = not is_separate and bool(outputs or reductions) and chain.is_worth_it
        if is_separate or is_one_call:
            whole = [step for step in chain.steps if is_broadcast(step.bound) and self.holders[step.result]]
            for step in whole:
                self.line(f"{step.result} = {self._step_call(step, ())}", chain.origin)
        if is_separate:
            write_elements(self, chain, outputs)
            self._empty(chain, inputs)
            return
        if is_one_call:
            arguments = [*map(self._by_rows, chain.passed), *(reduction.initial for reduction in reductions)]
            call = f"{self._fused_name(chain)}({', '.join(arguments)})"
            results = [reduction.result for reduction in reductions]
            self.line(f"{', '.join((*outputs, *results))} = {call}", chain.origin)
            for name in results:
                if self.is_scalar(chain.types[name]):
                    self.make_scalar(name)
            self._empty(chain, inputs)
            return
        for step, last in zip(chain.steps, chain.last_uses()):
            dead = [name for name in last if self._is_dead(chain, name)]
            self.line(f"{step.result} = {self._step_call(step, dead)}", chain.origin)
            self._empty(chain, dead)
        self._empty(chain, [name for name in inputs if name not in needed])

    def _step_call(self, step: ChainStep, dead: Sequence[str]) -> str:
        """Returns the call of an operation's kernel, which may overwrite variables that are `dead`."""
        bound_kernel, names = step.bound, step.operands
        if not is_like_ufunc(bound_kernel.evaluate):
            return f"{self.evaluate_name(bound_kernel)}({', '.join(names)})"
        alone = [name in dead and names.count(name) == 1 for name in names]
        return self.ufunc_call(bound_kernel, names, alone.__getitem__)

    def _is_dead(self, chain: PendingChain, name: str) -> bool:
        is_array = name not in self.constants and not self.is_scalar(chain.types[name])
        return is_array and not self.holders[name]

    def _empty(self, chain: PendingChain, names: Sequence[str]) -> None:
        emptied = [name for name in names if self._is_dead(chain, name)]
        if emptied:
            self.line(f"{' = '.join(emptied)} = None")

    def _fused_name(self, chain: FusedChain) -> str:
        """Returns the global name of a chain's kernel, one for all equal chains."""
        kernels = self.program.fused_names
        if chain.key not in kernels:
            kernels[chain.key] = self.global_name("e", FusedKernel(chain, self.program))
        return kernels[chain.key]

    def evaluate_name(self, bound_kernel: BoundKernel) -> str:
        """Returns the global name of a kernel, one for all its uses."""
        names = self.program.kernel_names
        if id(bound_kernel) not in names:
            name = self.global_name("k", self._updates(bound_kernel) or bound_kernel.evaluate)
            names[id(bound_kernel)] = (bound_kernel, name)
        return names[id(bound_kernel)][1]

    def _updates(self, bound_kernel: BoundKernel) -> RowUpdates | None:
        """Returns what runs a scatter of rows, None for any other operation."""
        if not self.fuses or bound_kernel.op_view.name != "stablehlo.scatter":
            return None
        from shlo.interpreter.jit.row_updates import row_updates

        return row_updates(bound_kernel, self.program)

    def without_splats(self, bound_kernel: BoundKernel, names: Sequence[str]) -> Sequence[str]:
        """Constants of one repeated element become that element, where another operand has the full shape."""
        splats = [name in self.constants and _is_splat(self.constants[name]) for name in names]
        types = bound_kernel.op_view.operand_types
        if not any(splats) or all(is_splat or is_number(type_) for is_splat, type_ in zip(splats, types)):
            return names
        return [self.element(name) if is_splat else name for name, is_splat in zip(names, splats)]

    def element(self, name: str) -> str:
        """Returns the global name of the element that a splat constant repeats."""
        array = self.constants[name]
        return self.global_name("c", array[(slice(0, 1),) * array.ndim].reshape(()))

    def ufunc_call(
        self, bound_kernel: BoundKernel, names: Sequence[str], is_last: Callable[[int], bool]
    ) -> str:
        """Returns the call of a ufunc, which overwrites an operand of the result's type that is large and
        that `is_last` says nothing else needs, by its position, where nothing else refers to its memory."""
        evaluate, types = self.evaluate_name(bound_kernel), bound_kernel.op_view
        arguments = ", ".join(self.without_splats(bound_kernel, names))
        call, positions = f"{evaluate}({arguments})", range(len(names))
        alike = [position for position in positions if types.operand_types[position] == types.result_types[0]]
        if bound_kernel.size < OVERWRITE_FROM or not (targets := [*filter(is_last, alike)]):
            return call
        target = names[targets[0]]
        return (
            f"{evaluate}({arguments}, out={target}) if count({target}) == LONE and owns({target}) else {call}"
        )


def _is_splat(value: Value) -> bool:
    return isinstance(value, np.ndarray) and value.ndim > 0 and value.size > 0 and not any(value.strides)
