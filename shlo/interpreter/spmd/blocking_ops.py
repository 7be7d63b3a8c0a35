"""Handlers for operations that block on other processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

from msgspec import Struct

from shlo.dialects.stablehlo.custom_call_targets import GLOBAL_TO_LOCAL, LOCAL_TO_GLOBAL
from shlo.interpreter.engine.binding import bound_kernel
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.engine.stepper import Process, Step
from shlo.interpreter.kernel_api import OpView
from shlo.interpreter.kernels.shapes import as_results
from shlo.interpreter.kernels.spmd.channels import received_from, sent_to
from shlo.interpreter.kernels.spmd.shard_map import ShardLayout
from shlo.interpreter.program.code import CodeBlock, Instruction
from shlo.interpreter.program.sync_points import (
    ASYNC_DONE,
    ASYNC_START,
    INFEED,
    MANUAL_COMPUTATION,
    MANUAL_RETURN,
    NAMED_COMPUTATION,
    RECV,
    SEND,
    call_target,
    is_collective,
)
from shlo.interpreter.runtime.channels import ChannelKey
from shlo.interpreter.runtime.profile import Meter, ProfiledRun
from shlo.interpreter.spmd.plans import CollectivePlan, CollectivePlans, Plan, plan_collective
from shlo.interpreter.spmd.rendezvous import (
    Future,
    Participant,
    Rendezvous,
    RendezvousTable,
    SavedRendezvous,
    Values,
)
from shlo.interpreter.spmd.shard_map import gather_plan, operand_layouts, shard_map_plan
from shlo.interpreter.topology.frontend_attributes import is_one_tuple
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.operations import Operation

Resumed = list[tuple[int, Step]]


class BlockingOps:
    """The rendezvous, messages and futures of a grid. `waiting` are the processes that wait, in the order in
    which they began to; `dead_inside` collects those that need not wait any more, for the scheduler.
    """

    def __init__(self, processes: Sequence[Process], shape: GridShape) -> None:
        self.processes = processes
        self.shape = shape
        self.rendezvous_table = RendezvousTable(shape.size)
        self.futures: dict[Future, Values] = {}
        self.waiting: dict[int, None] = {}
        self.dead_inside: list[int] = []
        self.resumed: Resumed = []
        self._arrived: dict[int, tuple[float, tuple[Operation, ...]]] = {}
        self.cycle: list[int] = []
        self._plans = CollectivePlans(shape)
        self._receivers: dict[ChannelKey, deque[int]] = {}
        self._layouts: dict[Instruction, tuple[ShardLayout, ...]] = {}

    def arrive(self, number: int) -> Step | None:
        """Brings a process to its next operation, a sync point. Returns the step that it took, None
        where it waits. Others that have waited for it go on: `resumed` are their steps.
        """
        process = self.processes[number]
        self.resumed = []
        meter = process.context.meter
        try:
            with process.context.active():
                if meter is None:
                    return _handler(process)(self, number, process)
                return self._timed(meter, number, process)
        except Exception as error:
            if process.error is not None:
                raise
            process.fail(error)

    def _timed(self, meter: Meter, number: int, process: Process) -> Step | None:
        """Does what `arrive` does, and records what it took; waiting is recorded once it is over."""
        path = tuple([frame.instruction.operation for frame in process.frames])
        start = perf_counter()
        step = _handler(process)(self, number, process)
        context, now = process.context, perf_counter()
        meter.record(ProfiledRun(path[-1].name, now - start, start, path, number, context.label))
        if step is None and number in self.waiting:
            self._arrived.setdefault(number, (now, path))
        return step

    def _record_wait(self, number: int) -> None:
        """Records that a process waits no longer."""
        context, (start, path) = self.processes[number].context, self._arrived.pop(number)
        if context.meter is not None:
            seconds = perf_counter() - start
            context.meter.record(
                ProfiledRun(path[-1].name, seconds, start, path, number, context.label, is_wait=True)
            )

    # Collective operations

    def leave_shard_map(self, number: int, process: Process) -> Step | None:
        """Ends a shard_map: the process waits for those that hold the other parts. Where it started with the
        region, or the region only has a name, it goes on alone.
        """
        if len(process.frames) == 1 or process.frames[-2].instruction.operation.name != MANUAL_COMPUTATION:
            return process.step()
        return self.join(number, process, process.frames[-2], shard_map_plan)

    def join(self, number: int, process: Process, frame: Frame, plan: Plan) -> Step | None:
        """Brings a process to the rendezvous of a frame's instruction, at which it waits for its group."""
        collective = self._plans.of(frame.code, frame.index, plan)
        participant = Participant(process.frames[-1].operands)
        key = collective.key[number]
        if key is None:
            return _go_on(process, collective.results_alone(participant.operands))
        rendezvous = self.rendezvous_table.join(number, key, participant)
        if not rendezvous.is_complete:
            self._wait_for(number, rendezvous)
            return None
        return self._carry_out(number, rendezvous, collective)

    def _wait_for(self, number: int, rendezvous: Rendezvous) -> None:
        self.waiting[number] = None
        self.cycle = self.rendezvous_table.wait(number, rendezvous)

    def _carry_out(self, number: int, rendezvous: Rendezvous, plan: CollectivePlan) -> Step | None:
        """Gives each process of a complete rendezvous its results. Returns the step of the last one, None
        where it did not wait.
        """
        results = plan.results(rendezvous.key.group, rendezvous.operands)
        waited = {
            member for member in rendezvous.participants if self.rendezvous_table.at(member) is rendezvous
        }
        self.rendezvous_table.close(rendezvous)
        own: Values | None = None
        for member, values in zip(rendezvous.key.group.members, results):
            future = rendezvous.participants[member].future
            if future is not None:
                self.futures[future] = values
                if member in waited:
                    self._release(member)
            elif member == number:
                own = values  # goes on last: what goes wrong until then is at this operation
            else:
                self.resumed.append((member, _go_on(self.processes[member], values)))
                self._release(member)
        return None if own is None else _go_on(self.processes[number], own)

    def _release(self, number: int) -> None:
        if number in self.waiting:
            del self.waiting[number]
            self.dead_inside.append(number)
            if number in self._arrived:
                self._record_wait(number)

    # Asynchronous operations

    def async_start(self, number: int, process: Process) -> Step | None:
        """Starts a collective operation; any other region is carried out at once."""
        frame = process.frames[-1]
        region = frame.code.regions(frame.index)[0]
        operands = frame.operands
        if not is_one_collective(region):
            return process.enter(0, operands)
        by_register = dict(zip(region.arguments, operands))
        operands = tuple(by_register[register] for register in region.instructions[0].operands)
        future = Future(number, process.steps)
        step = process.receive((future,))
        collective = self._plans.of(region, 0, plan_collective)
        key = collective.key[number]
        if key is None:
            self.futures[future] = collective.results_alone(operands)
            return step
        rendezvous = self.rendezvous_table.join(number, key, Participant(operands, future))
        if rendezvous.is_complete:
            self._carry_out(number, rendezvous, collective)
        return step

    def async_done(self, number: int, process: Process) -> Step | None:
        """Returns the results of what was started, once they are there."""
        (future,) = process.frames[-1].operands
        if not isinstance(future, Future):
            return process.step()
        if future in self.futures:
            return process.receive(self.futures.pop(future))
        rendezvous = next(
            rendezvous
            for rendezvous in self.rendezvous_table.pending()
            if number in rendezvous.participants and rendezvous.participants[number].future == future
        )
        self._wait_for(number, rendezvous)
        return None

    # Messages

    def send(self, number: int, process: Process) -> Step | None:
        """Sends a message; a process that waits for it may look again."""
        op = _op_view(process)
        key = sent_to(op, process.context)
        step = process.step()
        receivers = self._receivers.get(key) if key is not None else None
        if receivers:
            self._release(receivers.popleft())
        return step

    def receive(self, number: int, process: Process) -> Step | None:
        """Receives a message, or begins to wait for one."""
        key = received_from(_op_view(process), process.context)
        if key is None or process.context.channels.channels[key]:
            return process.step()
        self.waiting[number] = None
        self._receivers.setdefault(key, deque()).append(number)
        return None

    def infeed(self, number: int, process: Process) -> Step | None:
        """Takes the next item of the infeed, or begins to wait for one."""
        if process.context.channels.infeed:
            return process.step()
        self.waiting[number] = None
        return None

    def look_again(self) -> None:
        """Releases processes whose channels or infeeds are no longer empty."""
        for number in list(self.waiting):
            key = self.awaited_channel(number)
            queues = self.processes[number].context.channels
            if (key is not None and queues.channels[key]) or (self.awaits_infeed(number) and queues.infeed):
                for receivers in self._receivers.values():
                    if number in receivers:
                        receivers.remove(number)
                self._release(number)

    def save(self) -> Kept:
        """Returns what `restore` needs."""
        receivers = {key: tuple(numbers) for key, numbers in self._receivers.items() if numbers}
        return Kept(self.rendezvous_table.save(), dict(self.futures), tuple(self.waiting), receivers)

    def restore(self, saved: Kept) -> None:
        """Goes back, or on, to what was under way once."""
        ended = (number for number, process in enumerate(self.processes) if process.status == "done")
        self.rendezvous_table.restore(saved.rendezvous_table, ended)
        self.futures = dict(saved.futures)
        self.waiting = dict.fromkeys(saved.waiting)
        self._receivers = {key: deque(numbers) for key, numbers in saved.receivers.items()}
        self.dead_inside, self.resumed, self.cycle = [], [], []

    def awaited_channel(self, number: int) -> ChannelKey | None:
        """Returns the channel of which a process waits for a message."""
        process = self.processes[number]
        if process.frames[-1].instruction.operation.name != RECV:
            return None
        return received_from(_op_view(process), process.context)

    def awaits_infeed(self, number: int) -> bool:
        """Returns whether a process waits for its infeed."""
        return self.processes[number].frames[-1].instruction.operation.name == INFEED

    # Parts of tensors

    def enter_shard_map(self, number: int, process: Process) -> Step | None:
        """Begins a shard_map: the process takes its parts of the operands."""
        return process.enter(0, self._parts(number, process.frames[-1]))

    def take_part(self, number: int, process: Process) -> Step | None:
        """Carries out a call that goes from tensors to the parts of them that the process holds."""
        frame = process.frames[-1]
        parts, kernel = self._parts(number, frame), bound_kernel(frame.code, frame.index)
        results = (parts,) if is_one_tuple(kernel.op_view) else parts
        kernel.check(as_results(results))
        return process.receive(results)

    def _parts(self, number: int, frame: Frame) -> Values:
        """Returns a process's parts of the operands of its next operation, whose layouts are kept."""
        if frame.instruction not in self._layouts:
            self._layouts[frame.instruction] = operand_layouts(frame.code, frame.index, self.shape)
        layouts = self._layouts[frame.instruction]
        return tuple(layout.part(value, number) for layout, value in zip(layouts, frame.operands))

    def enter(self, number: int, process: Process) -> Step | None:
        """Goes into a region in which processes synchronise."""
        return process.enter(0, process.frames[-1].operands)


class Kept(Struct, frozen=True):
    """What was under way at some time. Nothing changes it."""

    rendezvous_table: tuple[SavedRendezvous, ...]
    futures: Mapping[Future, Values]
    waiting: tuple[int, ...]
    receivers: Mapping[ChannelKey, tuple[int, ...]]


Handler = Callable[[BlockingOps, int, Process], Step | None]


def _joins(plan: Plan) -> Handler:
    return lambda blocking, number, process: blocking.join(number, process, process.frames[-1], plan)


_HANDLERS: dict[str, Handler] = {
    ASYNC_START: BlockingOps.async_start,
    ASYNC_DONE: BlockingOps.async_done,
    SEND: BlockingOps.send,
    RECV: BlockingOps.receive,
    INFEED: BlockingOps.infeed,
    MANUAL_COMPUTATION: BlockingOps.enter_shard_map,
    MANUAL_RETURN: BlockingOps.leave_shard_map,
    NAMED_COMPUTATION: BlockingOps.enter,
    "SPMDFullToShardShape": BlockingOps.take_part,
    "SPMDShardToFullShape": _joins(gather_plan),
    GLOBAL_TO_LOCAL: BlockingOps.take_part,
    LOCAL_TO_GLOBAL: _joins(shard_map_plan),
}
"""By the operation's name, or the target of a custom call; any other is a collective operation."""
_COLLECTIVE = _joins(plan_collective)


def _handler(process: Process) -> Handler:
    operation = process.frames[-1].instruction.operation
    return _HANDLERS.get(call_target(operation) or operation.name, _COLLECTIVE)


def _op_view(process: Process) -> OpView:
    frame = process.frames[-1]
    return bound_kernel(frame.code, frame.index).op_view


def _go_on(process: Process, results: Values) -> Step:
    """Goes on behind the operation at which processes synchronised, or leaves a shard_map."""
    if process.frames[-1].instruction.operation.name == MANUAL_RETURN:
        return process.leave(results)
    return process.receive(results)


def is_one_collective(region: CodeBlock) -> bool:
    """Returns whether a region is a collective operation on its arguments whose results it returns."""
    if len(region.instructions) != 2:
        return False
    first, last = region.instructions
    takes = set(first.operands) <= set(region.arguments)
    return is_collective(first.operation) and takes and last.operands == first.results
