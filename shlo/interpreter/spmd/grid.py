"""A grid of processes, scheduled deterministically. Specification: "Parallel execution".

The process that ran goes on as long as it can, then the first one that can, in the order of their numbers.
So the same programs on the same inputs always take the same steps in the same order. `run` carries out
what lies between two sync points as an ordinary run would; `step` takes one instruction of one process;
`save` and `restore` go back and forth between states. Nothing is timed: that processes wait for each other
without end is found when the last of them begins to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any, Literal, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from shlo.interpreter.engine.frames import State, located_in
from shlo.interpreter.engine.stepper import Process, Step
from shlo.interpreter.kernel_api import KernelError, Value
from shlo.interpreter.program.errors import unlocated
from shlo.interpreter.program.sync_points import SyncPoint, sync_point_of
from shlo.interpreter.runtime.channels import ChannelKey, Channels, refill, refill_channels
from shlo.interpreter.runtime.channels import Values as Item
from shlo.interpreter.runtime.limits import Budget
from shlo.interpreter.spmd.blocking_ops import BlockingOps, Kept
from shlo.interpreter.spmd.deadlocks import cycle_graph, ended_graph, graph_of, stuck_graph
from shlo.interpreter.spmd.wait_for_graph import GridError, WaitForGraph
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.diagnostics import ExecutionError

Status = Literal["ready", "waiting", "done", "failed"]


class GridStep(Struct, frozen=True):
    """What one step of a grid did. `step` is None where the process began to wait; `resumed` are the steps of
    other processes that waited for it, and went on.
    """

    process: int
    step: Step | None
    resumed: tuple[tuple[int, Step], ...] = ()


class GridState(Struct, frozen=True):
    """A grid between two steps, to come back to. Nothing changes it; processes that took no step between two
    states are the same object in both.
    """

    processes: tuple[State, ...]
    steps: int
    current: int
    under_way: Kept
    queues: Mapping[int, tuple[tuple[Item, ...], tuple[Item, ...]]]  # infeed and outfeed, where one is filled
    channels: Mapping[ChannelKey, tuple[Item, ...]]
    counted: int = 0  # steps, by the budget
    error: ExecutionError | None = None
    failed: tuple[int, ExecutionError] | None = None  # the process that did

    def with_processes(self, processes: Iterable[State]) -> GridState:
        """Returns the same with other states of the processes."""
        return replace(self, processes=tuple(processes))

    def without_waiting(self) -> GridState:
        """Returns the same with nothing under way."""
        return replace(self, under_way=Kept((), {}, (), {}))


class ProcessGrid:
    """Processes that are executed side by side, replica by replica. `steps` counts what was done with
    `step`, one that failed too.

    A process that `is_alone` synchronises with no other: it runs as `run` does, its kernels carry out
    collectives and messages, a step that fails is not counted, and states do not hold its queues.
    """

    def __init__(
        self,
        processes: Sequence[Process],
        shape: GridShape,
        budget: Budget | None = None,
        is_alone: bool = False,
    ) -> None:
        self.processes = tuple(processes)
        self.shape = shape
        self.is_alone = is_alone
        self.steps = 0
        self.error: ExecutionError | None = None
        self._budget = budget or Budget()
        self._current = 0
        self._ready = list(range(shape.size))
        self._queued = set(self._ready)
        self._blocking = BlockingOps(self.processes, shape)
        self._saved: list[State | None] = [None] * shape.size

    # What it is

    @property
    def status(self) -> Status:
        """`ready` where a process can go on, `waiting` where all that are not done wait; `failed` once one
        has failed, or processes wait for each other without end.
        """
        if self.error is not None:
            return "failed"
        if any(self.status_of(number) == "ready" for number in range(self.shape.size)):
            return "ready"
        return "waiting" if self._blocking.waiting else "done"

    def status_of(self, number: int) -> Status:
        """What a process is doing."""
        process = self.processes[number]
        if process.status == "ready" and number in self._blocking.waiting:
            return "waiting"
        return process.status

    @property
    def results(self) -> list[tuple[Any, ...]]:
        """The results of all processes, as `Process.results`. What they take together is limited, too."""
        if self.error is not None:
            raise self.error
        try:
            self._budget.check_results(process.returned for process in self.processes)
        except KernelError as error:
            raise unlocated(error, None) from error
        return [process.results for process in self.processes]

    def wait_graph(self) -> WaitForGraph:
        """Returns who waits for whom now."""
        if isinstance(self.error, GridError):
            return self.error.graph
        return graph_of(self._blocking)

    def channels(self, number: int) -> Channels:
        """Returns the queues of a process: its infeed and outfeed, and the channels that all share."""
        return self.processes[number].context.channels

    def waiting_for(self, number: int) -> Sequence[int]:
        """Returns the processes that wait for this one, and for no other."""
        return self._blocking.rendezvous_table.waiting_for(number)

    def is_at_sync_point(self, number: int) -> bool:
        """Returns whether a process that is not done is before an operation that the grid carries out."""
        frame = self.processes[number].frames[-1]
        return sync_point_of(frame.code, frame.index) is SyncPoint.SYNC

    # Going on

    def run(self) -> list[tuple[Any, ...]]:
        """Runs all processes to their ends and gives their results.

        Raises GridError where one fails, or where they cannot go on.
        """
        self.finish()
        return self.results

    def finish(self) -> None:
        """Runs all processes to their ends; raises as `run`."""
        self._require_alive()
        while (number := self._next()) is not None:
            while self.status_of(number) == "ready":
                self._advance(number)
        if self._blocking.waiting:
            raise self._stuck()

    def run_to_sync_point(self, number: int) -> None:
        """Runs one process to the next operation at which it meets others, or to its end."""
        self._require_alive()
        self._saved[number] = None
        try:
            self.processes[number].advance()
        except ExecutionError as error:
            self._fail(number, error)
        self._note_end(number)

    def step(self, number: int | None = None, results: Sequence[Value] | None = None) -> GridStep:
        """Takes one step of a process, of the next one in turn where none is named. `known` is what
        `Process.step` takes.

        Raises GridError where it fails or cannot go on, and ValueError where the process is not ready.
        """
        self._require_alive()
        if self.is_alone:
            self._saved[0] = None  # what it holds would outlive the step
            return self._step_alone(results)
        if number is None:
            number = self.next_process
        if number is None or self.status_of(number) != "ready":
            raise ValueError("there is no next step")
        self._current = number
        try:
            is_alone = not self.is_at_sync_point(number)
            grid_step = self._step(number, results) if is_alone else self._synchronize(number)
        except GridError:
            self.steps += 1
            raise
        self.steps += 1
        return grid_step

    def note_steps(self) -> None:
        """Counts the steps that the only process has taken by itself."""
        self.steps, self._saved[0] = self.processes[0].steps, None

    def skip(self, number: int, results: Sequence[Value]) -> GridStep:
        """Takes a step of a process that does not carry its operation out, which has these results. It must
        end no block. Raises GridError where the limit of steps is reached.
        """
        process = self.processes[number]
        try:
            step = process.receive(results)
        except KernelError as error:
            raise self.fail(number, located_in(process.frames, error)) from error
        self._current = number
        self.steps = process.steps if self.is_alone else self.steps + 1
        return GridStep(number, step)

    def _step_alone(self, results: Sequence[Value] | None) -> GridStep:
        process = self.processes[0]
        try:
            step = process.step(results)
        except ExecutionError as error:
            self._fail(0, error)
        self.steps = process.steps
        return GridStep(0, step)

    def fail(self, number: int, error: ExecutionError) -> GridError:
        """Ends the grid as if the next step of a process had failed with an error; returns why."""
        self.processes[number].error, self._current = error, number
        self.steps += not self.is_alone
        return self._failed_by(number, error)

    @property
    def next_process(self) -> int | None:
        """The process whose turn it is, None where all are done. Raises GridError where none can go on."""
        if self.is_alone:
            return 0 if self.processes[0].frames else None
        number = self._next()
        if number is None and self._blocking.waiting:
            raise self._stuck()
        return number

    # Back and forth

    def save(self) -> GridState:
        """What the grid is now, for `restore`."""
        for number, process in enumerate(self.processes):
            state = self._saved[number]
            if state is None or state.steps != process.steps:
                self._saved[number] = process.save()
        states = tuple(state for state in self._saved if state is not None)
        queues = [] if self.is_alone else [self.channels(number) for number in range(self.shape.size)]
        filled = (number for number, queue in enumerate(queues) if queue.infeed or queue.outfeed)
        return GridState(
            states,
            self.steps,
            self._current,
            self._blocking.save(),
            {number: (tuple(queues[number].infeed), tuple(queues[number].outfeed)) for number in filled},
            {key: tuple(items) for key, items in queues[0].channels.items() if items} if queues else {},
            self._budget.steps,
            self.error,
            self._failed(),
        )

    def restore(self, state: GridState) -> None:
        """Goes back, or on, to a state of this grid. What effects did outside the programs stays done."""
        for number, (process, saved) in enumerate(zip(self.processes, state.processes)):
            if process.error is not None or self._saved[number] is not saved or process.steps != saved.steps:
                process.restore(saved)
            self._saved[number] = saved
        self.steps, self._current, self.error = state.steps, state.current, state.error
        self._budget.steps = state.counted
        self._blocking.restore(state.under_way)
        if not self.is_alone:
            self._restore_queues(state)
        self._ready = [number for number in range(self.shape.size) if self.status_of(number) == "ready"]
        self._queued = set(self._ready)
        if state.failed is not None:
            self.processes[state.failed[0]].error = state.failed[1]

    def completed(self, state: GridState) -> GridState:
        """Returns a state with what is under way in it: the processes that `under_way.waiting` lists arrive
        at their operations again, in that order. The grid stays where it is. Raises GridError.
        """
        here = self.save()
        try:
            self.restore(state.without_waiting())
            for number in state.under_way.waiting:
                if self._blocking.arrive(number) is not None or number not in self._blocking.waiting:
                    raise ValueError(f"process {number} does not wait")
            self.steps = state.steps
            return self.save()
        finally:
            self.restore(here)

    def drop_dead(self) -> None:
        """Drops the values that no operation of any process needs any more, and keeps none from now on."""
        for process in self.processes:
            process.drop_dead()
        self.forget_saved()

    def forget_saved(self) -> None:
        """Has the next `save` and `restore` look at all processes, whatever may have happened to them."""
        self._saved = [None] * self.shape.size

    def _failed(self) -> tuple[int, ExecutionError] | None:
        """Returns the process that has failed, and why."""
        failures = ((number, process.error) for number, process in enumerate(self.processes))
        return next(((number, error) for number, error in failures if error is not None), None)

    def _restore_queues(self, state: GridState) -> None:
        for number in range(self.shape.size):
            refill(self.channels(number), *state.queues.get(number, ((), ())))
        refill_channels(self.channels(0), state.channels.items())

    # Inside

    def _advance(self, number: int) -> None:
        """As far as a process comes without others, and to them."""
        self._current = number
        self.run_to_sync_point(number)
        if self.status_of(number) == "ready":
            self._synchronize(number)

    def _step(self, number: int, results: Sequence[Value] | None) -> GridStep:
        try:
            step = self.processes[number].step(results)
        except ExecutionError as error:
            self._fail(number, error)
        self._note_end(number)
        return GridStep(number, step)

    def _synchronize(self, number: int) -> GridStep:
        blocking = self._blocking
        try:
            step = blocking.arrive(number)
        except ExecutionError as error:
            self._fail(number, error)
        self._make_ready(blocking.dead_inside)
        if step is None:
            self._judge_waiting(number)
        self._note_end(number)
        return GridStep(number, step, tuple(blocking.resumed))

    def _judge_waiting(self, number: int) -> None:
        """A process has begun to wait: an error where that cannot end."""
        if self._blocking.cycle:
            self._give_up(number, cycle_graph(self._blocking))
        rendezvous = self._blocking.rendezvous_table.at(number)
        if rendezvous is not None and rendezvous.is_lost:
            self._give_up(number, ended_graph(self._blocking))

    def _note_end(self, number: int) -> None:
        """An error where a process has ended for which others wait."""
        if self.processes[number].status != "done":
            return
        came = [
            process
            for rendezvous in self._blocking.rendezvous_table.end(number)
            for process in rendezvous.participants
        ]
        waiting = [process for process in came if process in self._blocking.waiting]
        if waiting:
            self._give_up(min(waiting), ended_graph(self._blocking))

    def _next(self) -> int | None:
        """Returns the process whose turn it is; queues that have been filled are looked at when no other
        can go on.
        """
        if self.status_of(self._current) == "ready":
            return self._current
        number = self._first_ready()
        if number is None and self._blocking.waiting:
            self._blocking.look_again()
            self._make_ready(self._blocking.dead_inside)
            number = self._first_ready()
        return number

    def _first_ready(self) -> int | None:
        while self._ready:
            if self.status_of(self._ready[0]) == "ready":
                return self._ready[0]
            self._queued.discard(heappop(self._ready))
        return None

    def _make_ready(self, dead_inside: list[int]) -> None:
        for number in dead_inside:
            if number not in self._queued:
                self._queued.add(number)
                heappush(self._ready, number)
        dead_inside.clear()

    def _require_alive(self) -> None:
        if self.error is not None:
            raise self.error

    def _fail(self, number: int, error: ExecutionError) -> NoReturn:
        """A process has failed, which stops the grid."""
        raise self._failed_by(number, error) from error.__cause__ or error

    def _failed_by(self, number: int, error: ExecutionError) -> GridError:
        self.error = GridError(error, number, graph_of(self._blocking))
        if self.shape.size > 1:
            self.error.add_note(f"in process {self.shape.label(number)} of the grid")
        return self.error

    def _give_up(self, number: int, graph: WaitForGraph) -> NoReturn:
        """Processes wait without end, which stops the grid."""
        self.error = _error(number, graph)
        raise self.error

    def _stuck(self) -> GridError:
        """Why no process can go on; a caller may still fill an infeed or a channel."""
        graph = stuck_graph(self._blocking)
        number = graph.cycle[-1] if graph.cycle else min(graph.waiting)
        return _error(number, graph)


def _error(number: int, graph: WaitForGraph) -> GridError:
    wait = graph.waiting[number]
    error = ExecutionError(f"{wait.operation}: {graph.sentence()}", wait.operation, wait.place)
    for line in graph.lines():
        error.add_note(line)
    return GridError(error, number, graph)
