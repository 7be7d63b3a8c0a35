"""The fast path: frames run without a stop between instructions, hot loops and functions as generated code.

Every result is checked against its declared type until the operation has proven itself once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Final

from shlo.interpreter.engine.control_flow import FrameStack
from shlo.interpreter.engine.frames import Frame, located_in, take_operands
from shlo.interpreter.engine.region_body import RegionBody
from shlo.interpreter.jit.hot import hot_function, hot_loop
from shlo.interpreter.kernel_api import KernelError, KernelFn, Value
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.code import Instruction, Kind, SyncPoint
from shlo.interpreter.program.linker import Linker
from shlo.interpreter.program.region_types import check_region_types
from shlo.interpreter.program.sync_points import sync_point_of
from shlo.interpreter.runtime.buffer_reuse import REUSE_FROM, is_free
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.limits import Budget
from shlo.interpreter.runtime.profile import ELEMENT_BY_ELEMENT, Meter, ProfiledRun, Progress
from shlo.interpreter.runtime.tiers import uncounted

PROGRESS_STEPS: Final = 200
"""How often at most the progress of a run is told."""


class FastPath:
    """Runs the frames of a stack within a budget.

    A run that is limited or profiled takes the instructions one by one; any other may use generated code.
    In a grid it stops at the instructions at which processes synchronise.
    """

    def __init__(
        self,
        stack: FrameStack,
        context: ExecutionContext,
        linker: Linker,
        budget: Budget,
        meter: Meter | None = None,
        progress: Progress | None = None,
        in_grid: bool = False,
    ) -> None:
        self.stack = stack
        self._context = context
        self._linker = linker
        self._budget = budget
        self._meter = meter
        self._progress = progress
        self._in_grid = in_grid
        self._may_generate = not budget.is_limited and meter is None

    def run(self, end: int | None = None) -> tuple[Value, ...]:
        """Runs to the end of the first frame, whose results it returns, to instruction `end` of it, or to a
        point where processes synchronise. Raises ExecutionError with the instruction that failed; the frames
        stay there.
        """
        stack = self.stack
        try:
            while stack.frames and (end is None or len(stack.frames) > 1 or stack.frames[0].index < end):
                if not self._run_frame(stack.frames[-1], end if len(stack.frames) == 1 else None):
                    break
        except Exception as error:
            located_error = located_in(stack.frames, error)
            if located_error is error:
                raise
            raise located_error from error
        return stack.results

    # The hot loop of the interpreter: a call out of it for each part would slow down every operation.
    def _run_frame(self, frame: Frame, end: int | None) -> bool:  # noqa: C901
        """Runs the kernels of a frame up to the next other instruction, then that; False where the process
        must synchronise first.
        """
        code, registers, index = frame.code, frame.registers, frame.index
        instructions, in_grid, budget, meter = code.instructions, self._in_grid, self._budget, self._meter
        may_generate, live = self._may_generate, self.stack.live
        progress = self._progress if len(self.stack.frames) == 1 else None
        count = len(instructions) if end is None else end
        sync = SyncPoint.LOCAL
        try:
            while index < count:
                instruction = instructions[index]
                if in_grid:
                    sync = instruction.sync or sync_point_of(code, index)
                    if sync is not SyncPoint.LOCAL:
                        break
                if instruction.kind is not Kind.KERNEL:
                    break
                if not instruction.verified or not may_generate:
                    budget.step()
                    budget.reserve(instruction.size, live)
                bound = instruction.bound_kernel or self._linker.kernel(code, index)
                evaluate, target = bound.evaluate, -1
                if bound.overwritten:
                    target = _overwritten_operand(instruction, bound, registers)
                    if target >= 0 and bound.in_place is not None:
                        evaluate, target = bound.in_place, -1
                operands = [registers[register] for register in instruction.operands]
                if bound.entry.needs_context:
                    operands.insert(0, self._context)
                if meter is not None:
                    result = self._timed(meter, instruction, bound, evaluate, operands)
                elif target < 0:
                    result = evaluate(*operands)
                else:
                    result = evaluate(*operands, out=operands[target])
                del operands
                if budget.max_bytes is not None and not instruction.is_sized:
                    budget.reserve_result(result, live)
                if not instruction.verified:
                    bound.check(result)
                    instruction.verified = bound.may_trust
                results = instruction.results
                if len(results) == 1:
                    registers[results[0]] = result
                elif results:
                    for register, value in zip(results, result):
                        registers[register] = value
                        del value
                result = None
                for register in instruction.last_uses:
                    registers[register] = None
                index += 1
                if progress is not None:
                    _tell(progress, index, len(instructions))
        finally:
            frame.index = index
        if sync is SyncPoint.SYNC:
            return False
        if index == len(instructions):
            frame.index -= 1
            raise KernelError("is the last operation of its block, but does not end it")
        if index < count:
            self._run_control_flow(frame, sync)
            if progress is not None:
                _tell(progress, index + 1, len(instructions))
        return True

    def _timed(
        self,
        meter: Meter,
        instruction: Instruction,
        bound_kernel: BoundKernel,
        evaluate: KernelFn,
        operands: Sequence[Value],
    ) -> Value:
        """Returns what a kernel gives, and records how long it took."""
        calls, recorded, start = _calls_of_bodies(bound_kernel), meter.seconds, perf_counter()
        result = evaluate(*operands)
        seconds = perf_counter() - start - (meter.seconds - recorded)  # less what a grid within recorded
        is_slow = _calls_of_bodies(bound_kernel) > calls + 1
        name = bound_kernel.op_view.name + (ELEMENT_BY_ELEMENT if is_slow else "")
        path = (*(frame.instruction.operation for frame in self.stack.frames[:-1]), instruction.operation)
        context = self._context
        meter.record(ProfiledRun(name, seconds, start, path, context.process, context.label))
        return result

    def _run_control_flow(self, frame: Frame, sync: SyncPoint) -> None:
        code, instruction = frame.code, frame.instruction
        self._budget.step()
        if not instruction.verified:
            check_region_types(code, frame.index)
        stack = self.stack
        stack.compiled_loop = self._compiled_loop if self._may_generate else None
        if instruction.kind is Kind.CALL and self._may_generate and self._progress is None:
            callee = code.callee(frame.index)
            compiled = hot_function(callee, self._linker) if sync is SyncPoint.LOCAL else None
            if compiled is not None:
                values = take_operands(instruction, frame.registers)
                stack.finish(compiled.call(self._context, values))
                return
        stack.carry_out(instruction.kind, frame)

    def _compiled_loop(
        self, frame: Frame, iteration: int, carried: Sequence[Value]
    ) -> Callable[..., Sequence[Value]] | None:
        """Code for a loop that is to go on as generated code, None where it is not."""
        instruction = frame.instruction
        if (
            self._in_grid
            and (instruction.sync or sync_point_of(frame.code, frame.index)) is not SyncPoint.LOCAL
        ):
            return None
        loop = hot_loop(frame.code, frame.index, iteration, self._linker, carried, frame.registers)
        if loop is None:
            return None
        captured = [frame.registers[register] for register in loop.captures]

        def run(*values: Value) -> Sequence[Value]:
            with uncounted():  # no code of what is around makes it faster
                return loop.call(self._context, captured, values)

        return run


def _tell(progress: Progress, done: int, total: int) -> None:
    if done * PROGRESS_STEPS // total != (done - 1) * PROGRESS_STEPS // total:
        progress(done, total)


def _overwritten_operand(instruction: Instruction, bound_kernel: BoundKernel, registers: list[Value]) -> int:
    """Returns the operand whose memory takes the result, -1 where none may."""
    operands, last_uses = instruction.operands, instruction.last_uses
    if bound_kernel.size >= REUSE_FROM:
        for position in bound_kernel.overwritten:
            register = operands[position]
            if register in last_uses and operands.count(register) == 1 and is_free(registers, register):
                return position
    return -1


def _calls_of_bodies(bound_kernel: BoundKernel) -> int:
    return sum(body.calls for body in bound_kernel.op_view.bodies if isinstance(body, RegionBody))
