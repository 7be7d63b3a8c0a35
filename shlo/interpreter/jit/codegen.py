"""Python source for instructions: a straight line of assignments to local variables, loops and branches
as Python's own.

The source holds nothing but numbers and names made here, never a text from a program. Each line that can
fail is kept beside the instruction it refers to, so that an error finds its place without any cost while
nothing fails.

In generated code a rank-0 tensor of a type that NumPy knows is always a NumPy scalar.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from shlo.dialects import find_op_def
from shlo.interpreter.jit.fusion import ChainWriter, element_template
from shlo.interpreter.jit.writer import CannotGenerate, EmittedOp, SourceOrigin, SourceScope
from shlo.interpreter.kernel_api import KernelFn, Value, is_like_ufunc
from shlo.interpreter.kernels.numeric import Kind as NumberKind
from shlo.interpreter.kernels.numeric import kind_of
from shlo.interpreter.kernels.shapes import identity
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.code import CodeBlock, FunctionCode, Instruction, Kind, Program
from shlo.interpreter.program.control_flow import COUNTED, counts, needed_results
from shlo.interpreter.program.errors import note_call
from shlo.interpreter.program.linker import Linker
from shlo.interpreter.program.region_types import check_region_types
from shlo.interpreter.runtime.buffer_reuse import REUSE_FROM
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.limits import Budget
from shlo.interpreter.runtime.tiers import policy
from shlo.interpreter.runtime.values import storage
from shlo.ir.attributes import DenseArrayAttr
from shlo.ir.diagnostics import ExecutionError

INLINE_LIMIT = 120
"""Functions of up to so many operations are put in place of calls to them."""
HOIST_LIMIT = 8 << 20
HOIST_TOTAL = 64 << 20
Initial = Sequence[str] | None
"""The variables of what a loop carries first; None for those of its operands."""


class Emitter(ChainWriter):
    """Writes the source of instructions; on arrays it calls kernels only and writes no expressions."""

    picks = True
    """Whether a variable of an array of one element may hold that element for the operation behind it."""

    def __init__(self, program: Program, linker: Linker, on_arrays: bool = False) -> None:
        super().__init__(program, linker, on_arrays)
        self._picked: set[str] = set()

    # Blocks

    def block(self, scope: SourceScope, code: CodeBlock) -> tuple[str, ...]:
        """Writes a block; gives the variables that its terminator returns, whose values have not died yet."""
        for index, instruction in enumerate(code.instructions):
            if instruction.kind is Kind.RETURN:
                return tuple(scope.names_of(instruction.operands))
            self.instruction(scope, SourceOrigin(code, index))
        raise CannotGenerate("a block without an end")

    def instruction(self, scope: SourceScope, origin: SourceOrigin) -> None:
        """Writes one instruction and releases the values that it uses last."""
        instruction = origin.instruction
        if instruction.kind is Kind.KERNEL:
            self.kernel(scope, origin)
            self.die(scope, instruction.last_uses)
            return
        if instruction.kind is Kind.JUMP:
            raise CannotGenerate("several blocks")
        check_region_types(*origin)
        if instruction.operation.name == "scf.while":
            self.structured_loop(scope, origin)
        elif instruction.kind is Kind.COUNT:
            self.counted_loop(scope, origin)
        elif instruction.kind is Kind.WHILE:
            self.while_loop(scope, origin)
        elif instruction.kind is Kind.BRANCH:
            self.branch(scope, origin)
        else:
            self.call(scope, origin)
        self.die(
            scope, [register for register in instruction.last_uses if register not in instruction.dead_inside]
        )

    # Kernels

    def kernel(self, scope: SourceScope, origin: SourceOrigin) -> None:
        """Writes a kernel's operation: as a constant, an expression, a call, or a stub."""
        instruction = origin.instruction
        names = scope.names_of(instruction.operands)
        try:
            Budget().reserve(instruction.size, tuple)
            bound_kernel = self.linker.kernel(*origin)
        except Exception:
            self.stub(scope, origin, names)
            return
        emitted = EmittedOp(scope, origin, instruction, bound_kernel, names)
        if self.hoisted(emitted):
            return
        key = self.key_of(emitted)
        if key is None:
            self._write(emitted)
        elif not self.repeated(emitted, key):
            self._write(emitted)
            self.note(emitted, key)

    def _write(self, emitted: EmittedOp) -> None:
        """Writes an operation as part of a chain, an expression, a call, or a stub."""
        if self.fused(emitted) or self.reduced(emitted) or self.picked(emitted):
            return
        scope, origin, instruction, bound_kernel, names = emitted
        same = self.same_as(bound_kernel, names)
        if same is not None:
            self.bind(scope, instruction.results[0], same)
            return
        expression = self.expression(bound_kernel)
        if expression is not None:
            name = self.define(scope, instruction.results[0])
            self.line(f"{name} = {expression.format(*names)}", origin)
        elif instruction.verified or self.on_arrays:
            self.assign(scope, origin, self.kernel_call(emitted))
        else:
            self.stub(scope, origin, names)

    def same_as(self, bound_kernel: BoundKernel, names: Sequence[str]) -> str | None:
        """Returns the variable of an operand that is the result of an operation on scalars, whatever its
        value is."""
        op_view = bound_kernel.op_view
        if not all(map(self.is_scalar, op_view.result_types)):
            return None
        if op_view.name == "stablehlo.reshape" and names[0] in self._picked:
            return names[0]
        if not all(map(self.is_scalar, op_view.operand_types)):
            return None
        if bound_kernel.evaluate is identity:
            return names[0]
        if op_view.name != "stablehlo.compare" or kind_of(op_view.operand_types[0]) is not NumberKind.BOOLEAN:
            return None
        neutral = {"EQ": True, "NE": False}.get(op_view.word("comparison_direction"))
        others = [self.constants.get(name) for name in reversed(names)]
        same = [name for name, other in zip(names, others) if other is not None and other == neutral]
        return same[0] if same else None

    def picked(self, emitted: EmittedOp) -> bool:
        """Writes a slice of one element that the next operation alone uses, as a scalar; False for any other
        operation."""
        scope, origin, instruction, bound_kernel, names = emitted
        op_view = bound_kernel.op_view
        if op_view.name != "stablehlo.slice" or not self.picks or not instruction.verified:
            return False
        after, (result,) = origin.code.instructions[origin.position + 1], instruction.results
        is_alone = after.operands == (result,) and result in after.last_uses
        if not is_alone or after.kind is not Kind.KERNEL or after.operation.name != "stablehlo.reshape":
            return False
        index = ", ".join(map(str, op_view.integers("start_indices")))
        if not index or not self.is_scalar(scope.type_of(after.results[0])):
            return False
        name = self.define(scope, result)
        self.line(f"{name} = {names[0]}[{index}]", origin)
        self._picked.add(name)
        return True

    def stub(self, scope: SourceScope, origin: SourceOrigin, names: Sequence[str]) -> None:
        """An instruction that never ran yet, or whose results must always be checked."""
        checked = self.global_name("x", None)
        self.program.namespace[checked] = partial(_run_checked, self.linker, origin, checked)
        self.assign(scope, origin, f"{checked}({', '.join(('context', *names))})")

    def assign(self, scope: SourceScope, origin: SourceOrigin, call: str) -> None:
        """Writes the assignment of a call's results to their variables."""
        targets = [self.define(scope, register) for register in origin.instruction.results]
        self.line(f"{', '.join(targets)} = {call}" if targets else call, origin)
        for register, name in zip(origin.instruction.results, targets):
            if self.is_scalar(scope.type_of(register)):
                self.make_scalar(name)

    def expression(self, bound_kernel: BoundKernel) -> str | None:
        """Returns the template of a result that can be written as an expression of scalars."""
        op_view = bound_kernel.op_view
        is_on_scalars = all(map(self.is_scalar, (*op_view.operand_types, *op_view.result_types)))
        return element_template(bound_kernel) if is_on_scalars and len(op_view.result_types) == 1 else None

    def kernel_call(self, emitted: EmittedOp) -> str:
        """Returns the call of a kernel, which overwrites an operand where it may."""
        bound_kernel, names = emitted.bound_kernel, emitted.names
        evaluate = self.evaluate_name(bound_kernel)
        if bound_kernel.entry.needs_context:
            return f"{evaluate}({', '.join(('context', *names))})"
        if is_like_ufunc(bound_kernel.evaluate):
            return self.ufunc_call(bound_kernel, names, partial(self.is_last_holder, emitted))
        is_large = bound_kernel.in_place is not None and bound_kernel.size >= REUSE_FROM
        if is_large and self.is_last_holder(emitted, 0):
            function = self.program.namespace[evaluate]
            is_kernel = function is bound_kernel.evaluate
            in_place = self.global_name("i", bound_kernel.in_place if is_kernel else function.in_place)
            evaluate = f"({in_place} if count({names[0]}) == LONE and owns({names[0]}) else {evaluate})"
        return f"{evaluate}({', '.join(names)})"

    def is_last_holder(self, emitted: EmittedOp, position: int) -> bool:
        """Returns whether an operand dies here, and its variable refers to no other value."""
        scope, _, instruction, *_ = emitted
        register = instruction.operands[position]
        name = scope.name_of(register)
        return (
            register in instruction.last_uses
            and name not in self.constants
            and self.holders[name] == 1
            and scope.names_of(instruction.operands).count(name) == 1
        )

    def hoisted(self, emitted: EmittedOp) -> bool:
        """Evaluates an operation on constants now, once for all runs; False where that cannot be."""
        scope, _, instruction, bound_kernel, names = emitted
        op_def = find_op_def(instruction.operation.name)
        is_constant = op_def is not None and op_def.has("constant")
        if (
            op_def is None
            or op_def.has("effect")
            or bound_kernel.entry.needs_context
            or not instruction.results
        ):
            return False
        if not is_constant and not instruction.verified:
            return False
        if any(name not in self.constants for name in names):
            return False
        try:
            result = bound_kernel.evaluate(*[self.constants[name] for name in names])
            bound_kernel.check(result)
        except Exception:
            return False
        values: tuple[Value, ...] = (result,) if len(instruction.results) == 1 else result
        if not is_constant and not self.can_hoist(values):
            return False
        for register, value in zip(instruction.results, values):
            self.constant(scope, register, value)
        return True

    def can_hoist(self, values: tuple[Value, ...]) -> bool:
        """Returns whether constants fit into the limits of hoisting, and counts their bytes if so."""
        owners = [storage(value) for value in values]
        size = sum(owner.nbytes for owner in owners if isinstance(owner, np.ndarray))
        if size > HOIST_LIMIT or self.program.hoisted_bytes + size > HOIST_TOTAL:
            return False
        self.program.hoisted_bytes += size
        return True

    # Control flow

    def while_loop(self, scope: SourceScope, origin: SourceOrigin, initial: Initial = None) -> None:
        """`while True:` with the condition's operations, a break, the body's operations, and the carried
        values.

        A carried value that the body hands on as it is needs no variable: its initial one refers to it
        throughout. `initial` are the variables of the initial values, those of the operands where it is
        left out.
        """
        instruction = origin.instruction
        condition, body = origin.code.regions(origin.position)
        returned = body.instructions[-1].operands
        carried: list[str] = []
        for position, name in enumerate(initial or scope.names_of(instruction.operands)):
            if returned[position] != body.arguments[position]:
                name = self.carry(scope, body.arguments[position], name)
            self.holders[name] += 1  # held by the loop itself
            carried.append(name)
        self.die(scope, instruction.dead_inside)
        changed = [
            name for position, name in enumerate(carried) if returned[position] != body.arguments[position]
        ]
        native = self.native_loop(origin) if changed else None
        start = self.open_block("while True:" if native is None else f"for _ in {native}.rounds(context):")
        self.loop_condition(scope, condition, carried)
        self.loop_body(scope, body, carried)
        self.close_block(start)
        if native is not None:
            captured = scope.names_of(instruction.captures)
            names = dict(zip(instruction.results, carried))
            left = "".join(f"{names[register]}, " for register in needed_results(*origin))
            call = f"{native}({', '.join([*captured, *carried])})"
            self.line("else:")
            self.line(f" {left}= {call}" if left else f" {call}", origin)
        for register, name in zip(instruction.results, carried):
            scope.names[register] = name
            self.holders[name] = max(self.holders[name], 1)

    def native_loop(self, origin: SourceOrigin) -> str | None:
        """Returns the global name of a loop's machine code, None where Python alone carries it out."""
        if not policy().makes("loop"):
            return None
        from shlo.interpreter.jit.native_loop import NativeLoop

        instruction = origin.instruction
        if instruction.native is None:
            instruction.native = NativeLoop(*origin, self.linker)
        return self.global_name("m", instruction.native)

    def carry(self, scope: SourceScope, argument: int, initial: str) -> str:
        """Writes the assignment of a carried value's initial value; returns its variable."""
        name = scope.fresh(argument)
        self.line(f"{name} = {initial}")
        return name

    def loop_condition(self, scope: SourceScope, condition: CodeBlock, carried: Sequence[str]) -> None:
        """Writes a loop's condition, and a break for when it is false."""
        for register, name in zip(condition.arguments, carried):
            self.bind(scope, register, name)
        (goes_on,) = self.block(scope, condition)
        self.line(f"if not {goes_on}: break")
        self.die(scope, condition.instructions[-1].last_uses)

    def loop_body(self, scope: SourceScope, body: CodeBlock, carried: Sequence[str]) -> None:
        """Writes a loop's body and the assignment of the carried values."""
        returned = body.instructions[-1].operands
        for register, name, result in zip(body.arguments, carried, returned):
            if register == result:
                self.bind(scope, register, name)
            else:
                scope.names[register] = name  # the loop's hold passes to it, as it may die in the body
        self._assign(carried, self.block(scope, body))
        self.die(scope, body.instructions[-1].last_uses, spared=carried)

    def structured_loop(self, scope: SourceScope, origin: SourceOrigin, initial: Initial = None) -> None:
        """`while True:` with the first region, a break, and the second one; what the condition gives are the
        results."""
        before, after = origin.code.regions(origin.position)
        initials = initial or scope.names_of(origin.instruction.operands)
        carried = self._loop_variables(scope, before.arguments, initials)
        results = [self.define(scope, register) for register in origin.instruction.results]
        start = self.open_block("while True:")
        for register, name in zip(before.arguments, carried):
            self.bind(scope, register, name)
        goes_on, *passed = self.block(scope, before)
        self._assign(results, passed)
        self.line(f"if not {goes_on}: break")
        for register, name in zip(after.arguments, results):
            self.bind(scope, register, name)
        self._assign(carried, self.block(scope, after))
        self.close_block(start)

    def counted_loop(self, scope: SourceScope, origin: SourceOrigin, initial: Initial = None) -> None:
        """`for number in counts(...):` with the body."""
        (body,) = origin.code.regions(origin.position)
        initials = initial or scope.names_of(origin.instruction.operands)
        number, *arguments = body.arguments
        carried = self._loop_variables(scope, arguments, initials[COUNTED:])
        numbers = self.global_name("r", counts)
        counter = self.define(scope, number)
        self.line(f"{counter} = {numbers}({', '.join(initials[:COUNTED])})", origin)
        start = self.open_block(f"for {counter} in {counter}:")
        for register, name in zip(arguments, carried):
            self.bind(scope, register, name)
        self._assign(carried, self.block(scope, body))
        self.close_block(start)
        for register, name in zip(origin.instruction.results, carried):
            self.bind(scope, register, name)

    def _loop_variables(
        self, scope: SourceScope, registers: Sequence[int], initials: Sequence[str]
    ) -> list[str]:
        """Variables that a loop holds itself throughout."""
        carried = [self.carry(scope, register, name) for register, name in zip(registers, initials)]
        for name in carried:
            self.holders[name] += 1
        return carried

    def _assign(self, names: Sequence[str], values: Sequence[str]) -> None:
        pairs = [(name, value) for name, value in zip(names, values) if name != value]
        if pairs:
            self.line(f"{', '.join(name for name, _ in pairs)} = {', '.join(value for _, value in pairs)}")

    def branch(self, scope: SourceScope, origin: SourceOrigin) -> None:
        """Writes an `if` or `case` as Python branches that assign the same variables."""
        instruction, regions = origin.instruction, origin.code.regions(origin.position)
        if any(len(region.siblings) > 1 for region in regions):
            raise CannotGenerate("a region of several blocks")
        selector = scope.name_of(instruction.operands[0]) if instruction.operands else "0"
        self.die(scope, instruction.dead_inside)
        heads = self.branch_heads(origin, selector, len(regions))
        results = [self.define(scope, register) for register in instruction.results]
        for head, region in zip(heads, regions):
            start = self.open_block(head)
            self._assign(results, self.block(scope, region))
            self.die(scope, region.instructions[-1].last_uses)
            self.close_block(start)

    def branch_heads(self, origin: SourceOrigin, selector: str, count: int) -> list[str]:
        """Returns the heads of the branches, such as `if ...:` and `else:`."""
        operation = origin.instruction.operation
        if operation.name in ("stablehlo.if", "scf.if"):
            return [f"if {selector}:", "else:"]
        cases = operation.attribute("cases")
        if isinstance(cases, DenseArrayAttr):
            chosen = " else ".join(f"{number + 1} if n == {case}" for number, case in enumerate(cases.values))
            selector = f"[{chosen}{' else ' if chosen else ''}0 for n in (index({selector}),)][0]"
        number = f"n{next(self.program.numbers)}"
        self.line(f"{number} = index({selector})", origin)
        if count == 1:
            return ["if True:"]
        heads = [f"{'elif' if position else 'if'} {number} == {position}:" for position in range(count - 1)]
        return [*heads, "else:"]

    def call(self, scope: SourceScope, origin: SourceOrigin) -> None:
        """A call: the callee's own operations where it is small, else a Python call."""
        instruction = origin.instruction
        callee = origin.code.callee(origin.position)
        if self.may_inline(scope, callee):
            self.inline(scope, instruction, callee)
            return
        names = scope.names_of(instruction.operands)
        target = self.global_name("f", partial(_run_callee, self.linker, origin, callee))
        self.assign(scope, origin, f"{target}({', '.join(('context', *names))})")
        self.die(scope, instruction.dead_inside)

    def may_inline(self, scope: SourceScope, callee: FunctionCode) -> bool:
        """Returns whether a callee's operations are put in place of the call."""
        return self.on_arrays or (
            not scope.is_inside(callee)
            and len(callee.code.siblings) == 1
            and len(callee.code.instructions) <= INLINE_LIMIT
        )

    def inline(self, scope: SourceScope, instruction: Instruction, callee: FunctionCode) -> None:
        """Writes a callee's operations in place of the call."""
        inner = self.scope(callee.code, scope)
        for register, operand in zip(callee.code.arguments, instruction.operands):
            self.bind(inner, register, scope.name_of(operand))
        self.die(scope, instruction.dead_inside)
        values = self.block(inner, callee.code)
        for register, name in zip(instruction.results, values):
            self.bind(scope, register, name)
        self.die(inner, callee.code.instructions[-1].last_uses)


def _run_checked(
    linker: Linker, origin: SourceOrigin, name: str, context: ExecutionContext, *operands: Value
) -> Value:
    """Returns the checked result of an operation whose kernel is bound when it is first reached. In the
    program's namespace the kernel takes the place of this function, under `name`, once it can be trusted."""
    Budget().reserve(origin.instruction.size, tuple)
    bound_kernel = linker.kernel(*origin)
    evaluate = bound_kernel.evaluate
    if not bound_kernel.entry.needs_context:
        evaluate = partial(_without_context, evaluate)
    result = evaluate(context, *operands)
    bound_kernel.check(result)
    if bound_kernel.may_trust:
        origin.code.function.program.namespace[name] = evaluate
    return result


def _without_context(evaluate: KernelFn, context: ExecutionContext, *operands: Value) -> Value:
    return evaluate(*operands)


def _run_callee(
    linker: Linker, origin: SourceOrigin, callee: FunctionCode, context: ExecutionContext, *arguments: Value
) -> Value:
    """Returns the result of a call that is not put in place, a tuple of several, or None."""
    try:
        results = linker.call(context, callee, list(arguments))
    except ExecutionError as error:
        note_call(error, *origin)
        raise
    if len(results) == 1:
        return results[0]
    return results or None
