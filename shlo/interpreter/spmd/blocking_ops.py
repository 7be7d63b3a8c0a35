"""What happens in a grid when a process comes to an operation that does not concern it alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.engine.runner import bound_kernel
from shlo.interpreter.engine.stepper import Process, Step
from shlo.interpreter.kernel_api import KernelError, OpView
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
from shlo.interpreter.runtime.profile import Meter
from shlo.interpreter.spmd.plans import CollectivePlan, CollectivePlans, Plan, plan_collective
from shlo.interpreter.spmd.rendezvous import (
    Future,
    Participant,
    Rendezvous,
    RendezvousTable,
    SavedRendezvous,
    Values,
)
from shlo.interpreter.spmd.shard_map import gather_plan, manual_plan, operand_tilings
from shlo.interpreter.topology.frontend_attributes import GLOBAL_TO_LOCAL, LOCAL_TO_GLOBAL, is_one_tuple
from shlo.interpreter.topology.groups import GridShape

Resumed = list[tuple[int, Step]]


class BlockingOps:
    """The meetings, messages and futures of a grid. `waiting` are the processes that wait, in the order in
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
        self.cycle: list[int] = []
        self._sites = CollectivePlans(shape)
        self._receivers: dict[ChannelKey, deque[int]] = {}
        self._known_tilings: dict[Instruction, tuple[ShardLayout, ...]] = {}

    def come(self, number: int) -> Step | None:
        """Brings a process to its next operation, at which it meets others. Gives the step that it took, None
        where it waits. Others that have waited for it go on: `resumed` are their steps.
        """
        process = self.processes[number]
        self.resumed = []
        meter = process.context.meter
        try:
            with process.context.active():
                handler = _handler(process) if meter is None else _metered(meter, _handler(process))
                return handler(self, number, process)
        except Exception as error:
            if process.error is not None:
                raise
            process.fail(error)

    # Collective operations

    def collective(self, number: int, process: Process) -> Step | None:
        """Returns a collective operation: the process waits for its group."""
        return self._join_at(number, process, process.frames[-1], plan_collective)

    def gathering(self, number: int, process: Process) -> Step | None:
        """Returns a call that puts parts together: the process waits for all partitions."""
        return self._join_at(number, process, process.frames[-1], gather_plan)

    def manual_gathering(self, number: int, process: Process) -> Step | None:
        """Returns a call that ends a manual computation: the process waits for those that hold the other
        parts."""
        return self._join_at(number, process, process.frames[-1], manual_plan)

    def leave_manual(self, number: int, process: Process) -> Step | None:
        """Returns the end of a manual computation: the process waits for those that hold the other parts.
        Where it started with the region, or the region only has a name, it goes on alone.
        """
        if len(process.frames) == 1 or process.frames[-2].instruction.operation.name != MANUAL_COMPUTATION:
            return process.step()
        return self._join_at(number, process, process.frames[-2], manual_plan)

    def _join_at(self, number: int, process: Process, frame: Frame, plan: Plan) -> Step | None:
        site = self._sites.site(frame.code, frame.index, plan)
        operands = _operands(process.frames[-1])
        return self._join(number, process, site, Participant(operands))

    def _join(
        self, number: int, process: Process, site: CollectivePlan, participant: Participant
    ) -> Step | None:
        key = site.key[number]
        if key is None:
            if site.alone is None:
                raise KernelError("names this process in none of its groups")
            return _go_on(process, site.alone(participant.operands))
        rendezvous = self.rendezvous_table.join(number, key, participant)
        if not rendezvous.is_complete:
            self._wait_for(number, rendezvous)
            return None
        return self._carry_out(number, rendezvous, site)

    def _wait_for(self, number: int, rendezvous: Rendezvous) -> None:
        self.waiting[number] = None
        self.cycle = self.rendezvous_table.wait(number, rendezvous)

    def _carry_out(self, number: int, rendezvous: Rendezvous, site: CollectivePlan) -> Step | None:
        """All have come: each gets its results. Gives the step of the last one, None where it did not
        wait.
        """
        results = site.meet(rendezvous.key.group, rendezvous.operands)
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

    # Asynchronous operations

    def async_start(self, number: int, process: Process) -> Step | None:
        """Returns a collective operation that goes on beside the program; any other region is carried out
        at once."""
        frame = process.frames[-1]
        region = frame.code.regions(frame.index)[0]
        operands = _operands(frame)
        if not _is_one_collective(region):
            return process.enter(0, operands)
        given = dict(zip(region.arguments, operands))
        brought = tuple(given[register] for register in region.instructions[0].operands)
        future = Future(number, process.steps)
        step = process.receive((future,))
        self._begin(number, self._sites.site(region, 0, plan_collective), Participant(brought, future))
        return step

    def _begin(self, number: int, site: CollectivePlan, participant: Participant) -> None:
        key = site.key[number]
        if key is not None:
            rendezvous = self.rendezvous_table.join(number, key, participant)
            if rendezvous.is_complete:
                self._carry_out(number, rendezvous, site)
        elif site.alone is not None and participant.future is not None:
            self.futures[participant.future] = site.alone(participant.operands)
        else:
            raise KernelError("names this process in none of its groups")

    def async_done(self, number: int, process: Process) -> Step | None:
        """Returns the results of what was started, once they are there."""
        (future,) = _operands(process.frames[-1])
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
        """Returns a message; whoever waits for it may look again."""
        op = _op_view(process)
        key = sent_to(op, process.context)
        step = process.step()
        receivers = self._receivers.get(key) if key is not None else None
        if receivers:
            self._release(receivers.popleft())
        return step

    def receive(self, number: int, process: Process) -> Step | None:
        """Returns a message that is there is taken; else the process waits for one."""
        key = received_from(_op_view(process), process.context)
        if key is None or process.context.channels.channels[key]:
            return process.step()
        self.waiting[number] = None
        self._receivers.setdefault(key, deque()).append(number)
        return None

    def infeed(self, number: int, process: Process) -> Step | None:
        """Returns the next item of the infeed; the process waits until there is one."""
        if process.context.channels.infeed:
            return process.step()
        self.waiting[number] = None
        return None

    def look_again(self) -> None:
        """Releases processes that wait for messages or infeeds which somebody has filled since."""
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

    def restore(self, kept: Kept) -> None:
        """Goes back, or on, to what was under way once."""
        ended = (number for number, process in enumerate(self.processes) if process.status == "done")
        self.rendezvous_table.restore(kept.rendezvous_table, ended)
        self.futures = dict(kept.futures)
        self.waiting = dict.fromkeys(kept.waiting)
        self._receivers = {key: deque(numbers) for key, numbers in kept.receivers.items()}
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

    def enter_manual(self, number: int, process: Process) -> Step | None:
        """Returns the beginning of a manual computation: the process takes its parts of the operands."""
        frame = process.frames[-1]
        parts = zip(self._tilings(frame), _operands(frame))
        return process.enter(0, [tiling.part(value, number) for tiling, value in parts])

    def take_part(self, number: int, process: Process) -> Step | None:
        """Returns a call that goes from tensors to the parts of them that the process holds."""
        frame = process.frames[-1]
        pairs = zip(self._tilings(frame), _operands(frame))
        parts = tuple(tiling.part(value, number) for tiling, value in pairs)
        kernel = bound_kernel(frame.code, frame.index)
        results = (parts,) if is_one_tuple(kernel.op_view) else parts
        kernel.check(as_results(results))
        return process.receive(results)

    def _tilings(self, frame: Frame) -> tuple[ShardLayout, ...]:
        """Returns how the operands of the next operation are split; found out once."""
        known = self._known_tilings.get(frame.instruction)
        if known is None:
            known = self._known_tilings[frame.instruction] = operand_tilings(
                frame.code, frame.index, self.shape
            )
        return known

    def enter(self, number: int, process: Process) -> Step | None:
        """Goes into a region in which processes meet."""
        return process.enter(0, _operands(process.frames[-1]))


@dataclass(frozen=True, slots=True)
class Kept:
    """What was under way at some time. Nothing changes it."""

    rendezvous_table: tuple[SavedRendezvous, ...]
    futures: Mapping[Future, Values]
    waiting: tuple[int, ...]
    receivers: Mapping[ChannelKey, tuple[int, ...]]


Handler = Callable[[BlockingOps, int, Process], Step | None]

_HANDLERS: dict[str, Handler] = {
    ASYNC_START: BlockingOps.async_start,
    ASYNC_DONE: BlockingOps.async_done,
    SEND: BlockingOps.send,
    RECV: BlockingOps.receive,
    INFEED: BlockingOps.infeed,
    MANUAL_COMPUTATION: BlockingOps.enter_manual,
    MANUAL_RETURN: BlockingOps.leave_manual,
    NAMED_COMPUTATION: BlockingOps.enter,
    "SPMDFullToShardShape": BlockingOps.take_part,
    "SPMDShardToFullShape": BlockingOps.gathering,
    GLOBAL_TO_LOCAL: BlockingOps.take_part,
    LOCAL_TO_GLOBAL: BlockingOps.manual_gathering,
}
"""By the operation's name, or the target of a custom call; any other is a collective operation."""


def _handler(process: Process) -> Handler:
    operation = process.frames[-1].instruction.operation
    return _HANDLERS.get(call_target(operation) or operation.name, BlockingOps.collective)


def _metered(meter: Meter, handler: Handler) -> Handler:
    """Returns a handler that records what it took, which is never any waiting."""

    def handle(blocking: BlockingOps, number: int, process: Process) -> Step | None:
        name, start = process.frames[-1].instruction.operation.name, perf_counter()
        step = handler(blocking, number, process)
        meter.record(name, perf_counter() - start)
        return step

    return handle


def _operands(frame: Frame) -> Values:
    return tuple([frame.registers[register] for register in frame.instruction.operands])


def _op_view(process: Process) -> OpView:
    frame = process.frames[-1]
    return bound_kernel(frame.code, frame.index).op_view


def _go_on(process: Process, results: Values) -> Step:
    """Behind the operation at which processes met: a manual computation is left."""
    if process.frames[-1].instruction.operation.name == MANUAL_RETURN:
        return process.leave(results)
    return process.receive(results)


def _is_one_collective(region: CodeBlock) -> bool:
    """Returns whether a region is a collective operation on its arguments whose results it returns."""
    if len(region.instructions) != 2:
        return False
    first, last = region.instructions
    takes = set(first.operands) <= set(region.arguments)
    return is_collective(first.operation) and takes and last.operands == first.results
