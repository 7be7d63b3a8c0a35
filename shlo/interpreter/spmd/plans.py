"""Plans of collective operations, each made once for all processes of a grid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects import find_op_def
from shlo.interpreter.engine.binding import bound_kernel
from shlo.interpreter.kernel_api import KernelError, OpView, Value
from shlo.interpreter.kernels.shapes import as_results
from shlo.interpreter.kernels.spmd.collective import Collective, Together, channel_of, collective_of
from shlo.interpreter.program.code import CodeBlock, Instruction
from shlo.interpreter.program.sync_points import synchronizes
from shlo.interpreter.spmd.rendezvous import CollectiveKey, Group, Values
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.attributes import Attribute

if TYPE_CHECKING:
    from shlo.interpreter.engine.region_body import RegionBody

_NOT_COMPARED = ("replica_groups", "channel_handle", "use_global_device_ids")
"""Attributes that say who meets; what they come to is compared instead."""


class CollectivePlan(Struct, frozen=True):
    """A collective operation. `key` has one for each process, None for one that is in no group; `alone`
    gives what that gets. `check` raises KernelError where results are not of the declared types.
    """

    together: Together
    key: Sequence[CollectiveKey | None]
    alone: Callable[[Values], Values] | None
    check: Callable[[Value], None]

    def results_alone(self, operands: Values) -> Values:
        """Returns the results of a process that is in no group; raises KernelError if it has none."""
        if self.alone is None:
            raise KernelError("names this process in none of its groups")
        return self.alone(operands)

    def results(self, group: Group, operands: Sequence[Values]) -> Sequence[Values]:
        """Returns the results of each process of a group."""
        results = self.together(group.members, operands)
        self.check(as_results(results[0]))
        return results


Plan = Callable[[CodeBlock, int, GridShape], tuple[Collective, CollectiveKey]]
"""Plans an operation; the group of the terms is filled in for each process."""


class CollectivePlans:
    """The collectives of one grid. Groups of the same processes in the same order are one object."""

    def __init__(self, shape: GridShape) -> None:
        self.shape = shape
        self._groups: dict[tuple[int, ...], Group] = {}
        self._plans: dict[Instruction, CollectivePlan] = {}

    def of(self, code: CodeBlock, index: int, plan: Plan) -> CollectivePlan:
        """Returns the plan of an instruction, made when it is first reached."""
        instruction = code.instructions[index]
        if instruction not in self._plans:
            self._plans[instruction] = self._planned(code, index, plan)
        return self._plans[instruction]

    def _planned(self, code: CodeBlock, index: int, plan: Plan) -> CollectivePlan:
        collective, key = plan(code, index, self.shape)
        keys: list[CollectiveKey | None] = [None] * self.shape.size
        for members in collective.groups:
            group = self._groups.setdefault(members, Group(members))
            shared = replace(key, group=group)
            for member in members:
                keys[member] = shared
        return CollectivePlan(collective.together, keys, collective.alone, bound_kernel(code, index).check)


def plan_collective(code: CodeBlock, index: int, shape: GridShape) -> tuple[Collective, CollectiveKey]:
    """Plans a collective operation."""
    instruction = code.instructions[index]
    op = bound_kernel(code, index).op_view
    collective = collective_of(op, shape)
    if instruction.captures:
        collective = _capturing(collective, op, shape, len(instruction.captures))
    return collective, key_of(op)


def key_of(op: OpView) -> CollectiveKey:
    """What processes must agree on that meet at an operation; without the group."""
    types = op.operand_types, op.result_types
    reducers = tuple(body.text_key for body in op.bodies) if synchronizes(op.name) == "group" else ()
    return CollectiveKey(op.name, _NOBODY, channel_of(op), *types, _compared(op), reducers)


_NOBODY = Group(())


def _compared(op: OpView) -> tuple[tuple[str, Attribute | None], ...]:
    op_def = find_op_def(op.name)
    names = (
        [] if op_def is None else [spec.name for spec in op_def.attributes if spec.name not in _NOT_COMPARED]
    )
    return tuple((name, op.get(name)) for name in names)


def _capturing(collective: Collective, op: OpView, shape: GridShape, extra: int) -> Collective:
    """Returns a collective whose region uses values from outside, which are behind the operands: those of the
    group's first process count.
    """

    def together(group: tuple[int, ...], operands: Sequence[Values]) -> Sequence[Values]:
        bodies: tuple[RegionBody, ...] = op.bodies  # type: ignore[assignment]
        bound = tuple(body.bound(operands[0][-extra:]) for body in bodies)
        planned = collective_of(replace(op, bodies=bound), shape)
        return planned.together(group, [values[:-extra] for values in operands])

    return Collective(collective.groups, together, collective.alone)
