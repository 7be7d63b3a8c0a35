"""The driver of `run`: instructions one after the other, hot loops and functions as generated Python.

Every result is checked against its declared type until the operation has proven itself once.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from shlo.interpreter.engine.errors import DEPTH_LIMIT, TOO_DEEP, located, note_call
from shlo.interpreter.jit.compile import (
    calls_to_warm_up,
    generate_function,
    generate_loop,
    iterations_to_warm_up,
)
from shlo.interpreter.kernel_api import KernelError, KernelFn, Value
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.code import CodeBlock, FunctionCode, Instruction, Kind
from shlo.interpreter.program.control_flow import after_condition, chosen_branch, counts, next_block
from shlo.interpreter.program.region import RegionBody
from shlo.interpreter.program.region_types import check_region_types
from shlo.interpreter.runtime.buffer_reuse import REUSE_FROM, is_free
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.limits import Budget
from shlo.interpreter.runtime.profile import ELEMENT_BY_ELEMENT, Meter, Progress
from shlo.ir.diagnostics import ExecutionError

PROGRESS_STEPS = 200
"""How often at most the progress of a run is told."""


class Run:
    """One execution of a program: its context, its limits and who watches it.

    A run that is limited or profiled takes the instructions one by one; any other may use generated code.
    """

    def __init__(
        self, context: ExecutionContext, progress: Progress | None = None, limited: bool = True
    ) -> None:
        self.context = context
        self.budget = budget = context.budget if limited else Budget()
        self.meter = meter = context.meter if limited else None
        self.progress = progress
        self.depth = 0
        self.open_registers: list[list[Value]] = []
        self.may_generate = not budget.is_limited and meter is None

    def live(self) -> list[Value]:
        """All values that functions in execution hold."""
        return [value for registers in self.open_registers for value in registers if value is not None]


def call(run: Run, function: FunctionCode, arguments: list[Value]) -> tuple[Value, ...]:
    """Calls a function. The list of arguments is emptied, so that the function alone holds them."""
    generated = function.generated
    if run.may_generate and generated is None and run.progress is None and _is_hot(function):
        generated = generate_function(function)
    function.runs += 1
    if generated is not None and run.may_generate and run.progress is None:
        return generated.call(run.context, arguments)
    registers: list[Value] = [None] * len(function.values.types)
    run.open_registers.append(registers)
    try:
        return run_block(run, function.code, registers, arguments)
    finally:
        run.open_registers.pop()


def _is_hot(function: FunctionCode) -> bool:
    return function.runs >= calls_to_warm_up(function)


def run_block(run: Run, code: CodeBlock, registers: list[Value], arguments: list[Value]) -> tuple[Value, ...]:
    """Runs a block on its arguments, and gives what its terminator returns."""
    if run.depth >= DEPTH_LIMIT:
        raise KernelError(TOO_DEEP)
    for register, value in zip(code.arguments, arguments):
        registers[register] = value
    arguments.clear()
    run.depth += 1
    index = 0
    try:
        while index < len(code.instructions):
            instruction = code.instructions[index]
            if not instruction.verified:
                check_region_types(code, index)
            if instruction.kind is Kind.RETURN:
                if run.progress is not None and run.depth == 1:
                    _tell(run.progress, index + 1, len(code.instructions))
                return _returned(run, instruction, registers)
            if instruction.kind is Kind.JUMP:
                run.budget.step()
                code, arguments = next_block(code, index, registers)
                index = 0
                for register, value in zip(code.arguments, arguments):
                    registers[register] = value
                continue
            _STEPS[instruction.kind](run, code, index, instruction, registers)
            if run.progress is not None and run.depth == 1:
                _tell(run.progress, index + 1, len(code.instructions))
            index += 1
    except ExecutionError:
        raise
    except Exception as error:
        raise located(error, code, index) from error
    finally:
        run.depth -= 1
    raise located(KernelError("is the last operation of its block, but does not end it"), code, index)


def carry_out(run: Run, code: CodeBlock, index: int, registers: list[Value]) -> None:
    """Carries out one instruction that does not end its block; what dies in it is dropped from the slots."""
    check_region_types(code, index)
    instruction = code.instructions[index]
    _STEPS[instruction.kind](run, code, index, instruction, registers)


def _tell(progress: Progress, done: int, total: int) -> None:
    if done * PROGRESS_STEPS // total != (done - 1) * PROGRESS_STEPS // total:
        progress(done, total)


def _returned(run: Run, instruction: Instruction, registers: list[Value]) -> tuple[Value, ...]:
    run.budget.step()
    values = tuple([registers[register] for register in instruction.operands])
    for register in instruction.last_uses:
        registers[register] = None
    return values


def _run_kernel(
    run: Run, code: CodeBlock, index: int, instruction: Instruction, registers: list[Value]
) -> None:
    if not instruction.verified or not run.may_generate:
        run.budget.step()
        run.budget.reserve(instruction.size, run.live)
    bound_kernel = instruction.bound_kernel or code.bound_kernel(index)
    evaluate = bound_kernel.evaluate
    if bound_kernel.in_place is not None and _may_overwrite(instruction, bound_kernel, registers):
        evaluate = bound_kernel.in_place
    operands = [registers[register] for register in instruction.operands]
    if bound_kernel.entry.needs_context:
        operands.insert(0, run.context)
    result = evaluate(*operands) if run.meter is None else _timed(run.meter, bound_kernel, evaluate, operands)
    del operands
    if run.budget.max_bytes is not None and not instruction.is_sized:
        run.budget.reserve_made(result, run.live)
    if not instruction.verified:
        bound_kernel.check(result)
        instruction.verified = bound_kernel.may_trust
    store(instruction, registers, result, instruction.last_uses)


def store(instruction: Instruction, registers: list[Value], result: Value, dying: Sequence[int]) -> None:
    """Puts a kernel's result into the slots of the instruction's results, and empties those of values
    that die.
    """
    results = instruction.results
    if len(results) == 1:
        registers[results[0]] = result
    elif results:
        for register, value in zip(results, result):
            registers[register] = value
    for register in dying:
        registers[register] = None


def _may_overwrite(instruction: Instruction, bound_kernel: BoundKernel, registers: list[Value]) -> bool:
    operands = instruction.operands
    first = operands[0]
    return (
        bound_kernel.size >= REUSE_FROM
        and first in instruction.last_uses
        and operands.count(first) == 1
        and is_free(registers, first)
    )


def _timed(meter: Meter, bound_kernel: BoundKernel, evaluate: KernelFn, operands: Sequence[Value]) -> Value:
    calls, recorded, start = _calls_of_bodies(bound_kernel), meter.seconds, perf_counter()
    result = evaluate(*operands)
    seconds = perf_counter() - start - (meter.seconds - recorded)  # less what a grid within recorded
    is_slow = _calls_of_bodies(bound_kernel) > calls + 1
    meter.record(bound_kernel.op_view.name + (ELEMENT_BY_ELEMENT if is_slow else ""), seconds)
    return result


def _calls_of_bodies(bound_kernel: BoundKernel) -> int:
    return sum(body.calls for body in bound_kernel.op_view.bodies if isinstance(body, RegionBody))


def _take_operands(instruction: Instruction, registers: list[Value]) -> list[Value]:
    """The operands of control flow; slots that die there are emptied at once."""
    values = [registers[register] for register in instruction.operands]
    for register in instruction.dead_inside:
        registers[register] = None
    return values


def _run_while(
    run: Run, code: CodeBlock, index: int, instruction: Instruction, registers: list[Value]
) -> None:
    condition, body = code.regions(index)
    values = _take_operands(instruction, registers)
    warm_up = iterations_to_warm_up(code, index) if run.may_generate else -1
    iteration = 0
    while True:
        if iteration == warm_up:
            loop = generate_loop(code, index)
            if loop is not None:
                captured = [registers[register] for register in loop.captures]
                _finish(instruction, registers, loop.call(run.context, captured, values))
                return
        run.budget.step()
        goes_on, *given = run_block(run, condition, registers, list(values))
        for register in condition.arguments:
            registers[register] = None
        values = list(after_condition(instruction, values, (goes_on, *given)))
        if not goes_on:
            break
        values = list(run_block(run, body, registers, values))
        iteration += 1
    _finish(instruction, registers, values)


def _run_branch(
    run: Run, code: CodeBlock, index: int, instruction: Instruction, registers: list[Value]
) -> None:
    regions, chosen = code.regions(index), chosen_branch(instruction, registers)
    _take_operands(instruction, registers)
    run.budget.step()
    is_there = chosen < len(regions)
    _finish(instruction, registers, run_block(run, regions[chosen], registers, []) if is_there else ())


def _run_count(
    run: Run, code: CodeBlock, index: int, instruction: Instruction, registers: list[Value]
) -> None:
    (body,) = code.regions(index)
    start, end, step, *values = [registers[register] for register in instruction.operands]
    run.budget.step()
    warm_up = iterations_to_warm_up(code, index) if run.may_generate else -1
    for iteration, number in enumerate(counts(start, end, step)):
        if iteration == warm_up:
            loop = generate_loop(code, index)
            if loop is not None:
                captured = [registers[register] for register in loop.captures]
                values = list(loop.call(run.context, captured, [number, end, step, *values]))
                break
        values = list(run_block(run, body, registers, [number, *values]))
    _finish(instruction, registers, values)


def _run_call(
    run: Run, code: CodeBlock, index: int, instruction: Instruction, registers: list[Value]
) -> None:
    callee = code.callee(index)
    values = _take_operands(instruction, registers)
    run.budget.step()
    try:
        results = call(run, callee, values)
    except ExecutionError as error:
        note_call(error, code, index)
        raise
    _finish(instruction, registers, results)


def _finish(instruction: Instruction, registers: list[Value], values: Sequence[Value]) -> None:
    for register, value in zip(instruction.results, values):
        registers[register] = value
    for register in instruction.last_uses:
        registers[register] = None


_STEPS = {
    Kind.KERNEL: _run_kernel,
    Kind.WHILE: _run_while,
    Kind.BRANCH: _run_branch,
    Kind.COUNT: _run_count,
    Kind.CALL: _run_call,
}
