"""What Shardy's verifier asks where unreduced axes change from one sharding to another."""

from __future__ import annotations

from shlo.dialects.attr_constraints import Problem
from shlo.dialects.op_bindings import Broken, OpBindings
from shlo.dialects.sdy.attributes import Reduction, ShardyMesh, TensorSharding
from shlo.dialects.sdy.axes import difference, first_overlap
from shlo.dialects.sdy.value_shardings import mesh_of, sharding_before_barriers
from shlo.ir.suggestions import advise

REDUCTIONS: tuple[Reduction, ...] = ("sum", "max", "min")
"""The words of reduction_op, in the order of their numbers."""


def transition_problem(
    before: TensorSharding,
    after: TensorSharding,
    meshes: tuple[ShardyMesh | None, ShardyMesh | None],
    added_as: Reduction | None,
    removed_as: Reduction,
) -> Problem | None:
    """Returns what is wrong with the unreduced axes of two shardings of one value.

    Args:
        before: the sharding of the operand.
        after: the sharding of the result.
        meshes: those of the shardings; nothing is said where they differ.
        added_as: how axes must be reduced that only `after` has, None where there must be none.
        removed_as: how axes must be reduced that only `before` has.
    """
    mesh = meshes[1] or meshes[0]
    if mesh is None or (meshes[0] is not None and meshes[0] != mesh):
        return None
    sizes = mesh.sizes
    added = difference(after.unreduced, before.unreduced, sizes)
    removed = difference(before.unreduced, after.unreduced, sizes)
    if added and added_as is None:
        return Problem(f'the axis "{added[0].name}" is unreduced in the result, but not in the operand')
    if added and added_as != after.reduction:
        return Problem(f"expected added axes that are unreduced by {added_as}, got {after.reduction}")
    if removed and removed_as != before.reduction:
        return Problem(f"expected axes that are unreduced by {removed_as}, got {before.reduction}")
    if before.reduction != after.reduction and first_overlap(before.unreduced, after.unreduced):
        return Problem(
            f"expected axes that stay unreduced by {before.reduction}, got {after.reduction}",
            advise(f"write unreduced={'' if before.reduction == 'sum' else before.reduction}{{...}}"),
        )
    return None


def resharding_keeps_reduction(bindings: OpBindings) -> Broken | None:
    """Axes that stay unreduced keep how they are reduced; any may be added or removed."""
    around, after = bindings.around, bindings.signature.properties.get("sharding")
    if around is None or not isinstance(after, TensorSharding):
        return None
    before = sharding_before_barriers(around, around.operation.operands[0])
    if before is None:
        return None
    meshes = mesh_of(around, before), mesh_of(around, after)
    problem = transition_problem(before, after, meshes, after.reduction, before.reduction)
    return Broken(problem.message, ("sharding",), problem.suggestions) if problem else None
