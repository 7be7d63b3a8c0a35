"""External state: random generators and the queues of a process alone, which no checkpoint holds."""

from __future__ import annotations

from collections import deque
from typing import Any

from msgspec import Struct

from shlo.debugger.replay.history import History
from shlo.interpreter.engine.binding import bound_kernel
from shlo.interpreter.kernels.random import generator_state, set_generator_state
from shlo.interpreter.kernels.spmd.channels import received_from, sent_to
from shlo.interpreter.program.sync_points import INFEED, RECV, SEND
from shlo.interpreter.runtime.channels import ChannelKey, Values, refill, refill_channels
from shlo.interpreter.spmd.grid import ProcessGrid

OUTFEED = "stablehlo.outfeed"
QUEUE_OPS = frozenset({INFEED, OUTFEED, SEND, RECV})


class ExternalState(Struct, frozen=True):
    """Of each process the state of its random generator (None where nothing was drawn), and the queues of a
    process that is alone; those of a grid are in its checkpoints.
    """

    generators: tuple[dict[str, Any] | None, ...]
    infeed: tuple[Values, ...] = ()
    outfeed: tuple[Values, ...] = ()
    channels: tuple[tuple[ChannelKey, tuple[Values, ...]], ...] = ()

    @classmethod
    def of(cls, grid: ProcessGrid) -> ExternalState:
        """Returns the state now."""
        generators = tuple(generator_state(process.context) for process in grid.processes)
        if not grid.is_alone:
            return cls(generators)
        queues = grid.channels(0)
        channels = tuple((key, tuple(items)) for key, items in queues.channels.items())
        return cls(generators, tuple(queues.infeed), tuple(queues.outfeed), channels)

    def restore(self, grid: ProcessGrid) -> None:
        """Makes this the state."""
        for process, state in zip(grid.processes, self.generators):
            if state is None:
                process.context.random_generator = None
            else:
                set_generator_state(process.context, state)
        if grid.is_alone:
            queues = grid.channels(0)
            refill(queues, self.infeed, self.outfeed)
            refill_channels(queues, self.channels)

    def before(self, grid: ProcessGrid, history: History, position: int) -> ExternalState:
        """Returns what the state was at a position of a history whose last effects led to this one."""
        generators = list[dict[str, Any] | None]([None] * len(grid.processes))
        for step, (process, state) in history.log.drawn.items():
            if step < position:
                generators[process] = state
        if not grid.is_alone:
            return ExternalState(tuple(generators))
        infeed, outfeed = deque(self.infeed), deque(self.outfeed)
        channels = {key: deque(items) for key, items in self.channels}
        for step in sorted((step for step in history.log.results if step >= position), reverse=True):
            point = history.points[history.traces[0].numbers[step]]
            name = point.operation.name
            if name not in QUEUE_OPS:
                continue
            item = history.log.results[step][:-1]
            view, context = bound_kernel(point.code, point.index).op_view, grid.processes[0].context
            if name == INFEED:
                infeed.appendleft(item)
            elif name == RECV and (key := received_from(view, context)) is not None:
                channels.setdefault(key, deque()).appendleft(item)
            elif name == SEND and (key := sent_to(view, context)) is not None and channels.get(key):
                channels[key].pop()
            elif name == OUTFEED and outfeed:
                outfeed.pop()
        queued = tuple((key, tuple(items)) for key, items in channels.items())
        return ExternalState(tuple(generators), tuple(infeed), tuple(outfeed), queued)
