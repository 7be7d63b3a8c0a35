"""What Shardy's verifier asks of each collective that its export passes make: the axes are the mesh's, and
applied to the operand's sharding they give that of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects.attr_constraints import Problem
from shlo.dialects.func.rules import own
from shlo.dialects.op_bindings import Broken, Check, OpBindings
from shlo.dialects.opdef import Constraint
from shlo.dialects.sdy.attributes import (
    AllToAllParameters,
    AxisReference,
    AxisReferenceLists,
    AxisReferences,
    DimensionSharding,
    Reduction,
    ShardyMesh,
    TensorSharding,
)
from shlo.dialects.sdy.axes import (
    Axes,
    Sizes,
    append,
    difference,
    first_overlap,
    merged,
    split_count,
    without_suffix,
)
from shlo.dialects.sdy.rules.shardings import axes_problem, axis_text, order_problem, rank_of, written
from shlo.dialects.sdy.value_shardings import mesh_of, sharding_before_barriers, sharding_of
from shlo.ir.suggestions import LeaveOut, Suggestion, WriteAttribute, advise


class Collective(Struct, frozen=True):
    """A collective with the shardings of its operand (None where it has none) and of its result."""

    bindings: OpBindings
    operand: TensorSharding | None
    result: TensorSharding
    operand_mesh: ShardyMesh | None
    mesh: ShardyMesh

    @property
    def sizes(self) -> Sizes:
        """The sizes of the mesh's axes."""
        return self.mesh.sizes

    @property
    def before(self) -> TensorSharding:
        """The operand's sharding; one that splits no dimension where it has none."""
        rank = rank_of(self.bindings.signature.result_types[0]) or 0
        return self.operand or TensorSharding(self.result.mesh, (DimensionSharding(),) * rank)

    def attribute(self, name: str) -> Any:
        """Returns the inherent attribute of that name, None if it is absent."""
        return self.bindings.signature.properties.get(name)


Rule = Callable[[Collective], Problem | None]


def _check(rule: Rule, needs_operand: bool = True) -> Check:
    """Returns a rule as a check of a constraint, which holds where another one has failed before."""

    def check(bindings: OpBindings) -> Broken | None:
        around, result = bindings.around, bindings.signature.properties.get("out_sharding")
        if around is None or not isinstance(result, TensorSharding):
            return None
        operand = sharding_of(around, around.operation.operands[0])
        mesh = mesh_of(around, result)
        if mesh is None or (needs_operand and operand and len(operand.dimensions) != len(result.dimensions)):
            return None
        operand_mesh = mesh_of(around, operand) if operand else None
        problem = rule(Collective(bindings, operand, result, operand_mesh, mesh))
        return Broken(problem.message, ("out_sharding",), problem.suggestions) if problem else None

    return check


def out_sharding(wanted: TensorSharding, words: str) -> tuple[Suggestion, ...]:
    """Returns the suggestion to give a collective another sharding, which `words` describe."""
    return (WriteAttribute("out_sharding", written(wanted), is_example=False, words=words),)


# --- what all collectives share


def _has_operand_sharding(it: Collective) -> Problem | None:
    if it.operand is not None:
        return None
    return Problem(
        "expected an operand with a sharding, got one without", advise("give the value sdy.sharding")
    )


def _is_over_one_mesh(it: Collective) -> Problem | None:
    if it.operand_mesh is None or it.operand_mesh == it.mesh:
        return None
    message = f"expected a result over the operand's mesh {it.before.mesh}, got {it.result.mesh}"
    return Problem(message, out_sharding(replace(it.result, mesh=it.before.mesh), f"write {it.before.mesh}"))


def _is_of_one_rank(it: Collective) -> Problem | None:
    if it.operand is None or len(it.operand.dimensions) == len(it.result.dimensions):
        return None
    before, after = len(it.operand.dimensions), len(it.result.dimensions)
    return Problem(f"expected a sharding of {before} dimensions, as the operand's, got {after}")


def collective(
    own_rules: Iterable[tuple[str, Rule]], *, needs_sharding: bool = True, needs_mesh: bool = True
) -> tuple[Constraint, ...]:
    """Returns the constraints of a collective from A2 on.

    Args:
        own_rules: its own rules, each with words for the documentation.
        needs_sharding: whether the operand must have a sharding.
        needs_mesh: whether operand and result must be over one mesh.
    """
    shared = [
        ("tensor has a sharding", _has_operand_sharding, needs_sharding),
        ("mesh(out_sharding) = mesh(sharding(tensor))", _is_over_one_mesh, needs_mesh),
        ("rank(out_sharding) = rank(sharding(tensor))", _is_of_one_rank, True),
    ]
    rules = [
        *((words, _check(rule, needs_operand=False)) for words, rule, is_asked in shared if is_asked),
        *((words, _check(rule)) for words, rule in own_rules),
    ]
    return tuple(
        own(f"A{number}", words, check, "out_sharding", needs_context=True)
        for number, (words, check) in enumerate(rules, 2)
    )


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


# --- axes for each dimension


def _per_dimension(name: str, apply: Callable[[Axes, Axes, Sizes], Axes | AxisReference]) -> Rule:
    """Returns the rule that the axes of attribute `name`, applied to each dimension of the operand's
    sharding, give the result's."""

    def rule(it: Collective) -> Problem | None:
        lists = it.attribute(name)
        if not isinstance(lists, AxisReferenceLists):
            return None
        if problem := axes_problem(lists.lists, it.sizes):
            return problem
        if len(lists.lists) != len(it.result.dimensions):
            rank = len(it.result.dimensions)
            return Problem(
                f"expected {rank} lists of axes in {name}, one for each dimension, got {len(lists.lists)}"
            )
        for number, axes in enumerate(lists.lists):
            if problem := _dimension_problem(it, number, apply(_axes(it.before, number), axes, it.sizes)):
                return problem
        return None

    return rule


def _axes(sharding: TensorSharding, dimension: int) -> Axes:
    return sharding.dimensions[dimension].axes


def _dimension_problem(it: Collective, number: int, wanted: Axes | AxisReference) -> Problem | None:
    """Returns what is wrong with a dimension of the result's sharding; an axis alone could not be taken."""
    if isinstance(wanted, AxisReference):
        shown = _shown(_axes(it.before, number))
        message = (
            f"the axis {axis_text(wanted)} is not at the end of {shown} in dimension {number} of the operand"
        )
        return Problem(message, advise("name axes from the end of the dimension's"))
    actual = _axes(it.result, number)
    if actual == wanted:
        return None
    message = (
        f"expected {_shown(wanted)} in dimension {number} of the result's sharding, got {_shown(actual)}"
    )
    dimensions = list(it.result.dimensions)
    dimensions[number] = replace(dimensions[number], axes=wanted)
    return Problem(
        message, out_sharding(replace(it.result, dimensions=tuple(dimensions)), f"write {_shown(wanted)}")
    )


def _shown(axes: Sequence[AxisReference]) -> str:
    return f"{{{', '.join(map(axis_text, axes))}}}"


# --- the collectives


def _all_to_all(it: Collective) -> Problem | None:
    params = it.attribute("params")
    if not isinstance(params, AllToAllParameters):
        return None
    if not params.parameters:
        return Problem("expected at least one list of axes in params, got none")
    if problem := axes_problem([parameter.axes for parameter in params.parameters], it.sizes):
        return problem
    rank = len(it.result.dimensions)
    named = [number for parameter in params.parameters for number in (parameter.source, parameter.target)]
    outside = next((number for number in named if not 0 <= number < rank), None)
    if outside is not None:
        return Problem(f"expected dimensions from 0 to {rank - 1} in params, got {outside}")
    sources = [parameter.source for parameter in params.parameters]
    if len(set(named)) < len(named) or sources != sorted(sources):
        message = f"expected different dimensions with sources that count up in params, got {named}"
        return Problem(message, advise("name each dimension once, the sources in order"))
    wanted: dict[int, Axes | AxisReference] = {}
    for parameter in params.parameters:
        wanted[parameter.source] = without_suffix(
            _axes(it.before, parameter.source), parameter.axes, it.sizes
        )
        wanted[parameter.target] = append(_axes(it.before, parameter.target), parameter.axes, it.sizes)
    problems = (
        _dimension_problem(it, number, wanted.get(number, _axes(it.before, number))) for number in range(rank)
    )
    return next((problem for problem in problems if problem), None)


def _permutes(it: Collective) -> Problem | None:
    mesh = it.operand_mesh
    if mesh is None:
        return None
    if mesh.axes != it.mesh.axes:
        return Problem("expected a result over a mesh with the axes of the operand's, got other axes")
    if it.before.mesh != it.result.mesh and mesh.device_ids == it.mesh.device_ids:
        message = f"expected a mesh with other devices or {it.before.mesh} itself, got {it.result.mesh}"
        return Problem(
            message, out_sharding(replace(it.result, mesh=it.before.mesh), f"write {it.before.mesh}")
        )
    for number, (before, after) in enumerate(zip(it.before.dimensions, it.result.dimensions)):
        parts, actual = split_count(before.axes, it.sizes), split_count(after.axes, it.sizes)
        if parts != actual:
            return Problem(f"expected dimension {number} in {parts} parts, as the operand's, got {actual}")
    return None


def _reduces_axes(it: Collective) -> Problem | None:
    axes = it.attribute("reduction_axes")
    if not isinstance(axes, AxisReferences):
        return None
    if not _is_equivalent(it):
        message = f"expected the dimensions of the operand's sharding {it.before}, got {it.result}"
        return Problem(message, out_sharding(it.before, "leave them as they are: only unreduced axes change"))
    problem = order_problem(axes.axes, it.sizes, "reduction_axes") or axes_problem([axes.axes], it.sizes)
    if problem:
        return problem
    dimensions = [axis for dimension in it.before.dimensions for axis in dimension.axes]
    return _overlap_problem(
        axes.axes,
        (
            ("splits or replicates the operand", (*dimensions, *it.before.replicated)),
            ("is still unreduced in the result", it.result.unreduced),
        ),
    )


def _is_equivalent(it: Collective) -> bool:
    if it.before.is_replicated or it.result.is_replicated:
        return it.before.is_replicated and it.result.is_replicated
    before, after = ([dimension.axes for dimension in side.dimensions] for side in (it.before, it.result))
    return before == after and it.before.mesh == it.result.mesh


def _overlap_problem(
    axes: Sequence[AxisReference], used: Iterable[tuple[str, Sequence[AxisReference]]]
) -> Problem | None:
    """Returns what is wrong with axes that overlap with others; `used` are these and what they do."""
    for words, others in used:
        overlapping = first_overlap(axes, others)
        if overlapping:
            return Problem(
                f"the axis {axis_text(overlapping)} {words}",
                (LeaveOut(axis_text(overlapping), "text", "leave it out"),),
            )
    return None


def _keeps_unreduced(it: Collective) -> Problem | None:
    """Axes that are reduced were unreduced by the same operation, and no axis becomes unreduced."""
    number = getattr(it.attribute("reduction_op"), "value", 0)
    removed = REDUCTIONS[number] if 0 <= number < len(REDUCTIONS) else "sum"
    return transition_problem(it.before, it.result, (it.operand_mesh, it.mesh), None, removed)


def _keeps_reduction(it: Collective) -> Problem | None:
    before, after = it.before.reduction, it.result.reduction
    if not it.before.unreduced or before == after:
        return None
    words = f"write unreduced={'' if before == 'sum' else before}{{...}}"
    suggestions = out_sharding(replace(it.result, reduction=before), words)
    return Problem(f"expected axes that stay unreduced by {before}, got {after}", suggestions)


def _unreduced_after(it: Collective, added: Iterable[AxisReference]) -> Problem | None:
    """Returns what is wrong with the result's unreduced axes: they are the operand's and the added ones."""
    wanted = merged((*it.before.unreduced, *added), it.sizes)
    if wanted == it.result.unreduced:
        return None
    message = (
        f"expected unreduced={_shown(wanted)} in the result's sharding, got {_shown(it.result.unreduced)}"
    )
    words = f"write unreduced={_shown(wanted)}"
    return Problem(message, out_sharding(replace(it.result, unreduced=wanted), words))


def _unreduces_split(it: Collective) -> Problem | None:
    lists = it.attribute("axes")
    if not isinstance(lists, AxisReferenceLists):
        return None
    return _unreduced_after(it, (axis for axes in lists.lists for axis in axes))


def _unreduces_replicated(it: Collective) -> Problem | None:
    axes = it.attribute("axes")
    if not isinstance(axes, AxisReferences):
        return None
    if it.before.dimensions != it.result.dimensions:
        wanted = replace(it.result, dimensions=it.before.dimensions)
        message = "expected the dimensions of the operand's sharding, got others"
        return Problem(message, out_sharding(wanted, "leave them as they are"))
    if not axes.axes:
        return Problem("expected at least one axis, got none", advise("name the axes that become unreduced"))
    problem = order_problem(axes.axes, it.sizes, "axes") or axes_problem([axes.axes], it.sizes)
    if problem:
        return problem
    dimensions = [axis for dimension in it.before.dimensions for axis in dimension.axes]
    used = (("splits the operand", dimensions), ("is unreduced in the operand", it.before.unreduced))
    return _overlap_problem(axes.axes, used) or _unreduced_after(it, axes.axes)


_SAME_REDUCTION = ("reduction(out_sharding) = reduction(sharding(tensor))", _keeps_reduction)
_UNREDUCED = ("unreduced axes are reduced by reduction_op, and none are added", _keeps_unreduced)

ALL_GATHER = collective(
    [
        (
            "out_sharding is that of tensor without gathering_axes",
            _per_dimension("gathering_axes", without_suffix),
        )
    ]
)
ALL_SLICE = collective(
    [("out_sharding is that of tensor with slicing_axes", _per_dimension("slicing_axes", append))],
    needs_sharding=False,
)
ALL_TO_ALL = collective([("out_sharding is that of tensor with the axes of params moved", _all_to_all)])
COLLECTIVE_PERMUTE = collective(
    [("each dimension has as many parts as in the sharding of tensor", _permutes)], needs_mesh=False
)
ALL_REDUCE = collective(
    [("reduction_axes neither split nor replicate tensor", _reduces_axes), _UNREDUCED], needs_sharding=False
)
REDUCE_SCATTER = collective(
    [
        _UNREDUCED,
        (
            "out_sharding is that of tensor with reduce_scatter_axes",
            _per_dimension("reduce_scatter_axes", append),
        ),
    ],
    needs_sharding=False,
)
SHARDED_TO_UNREDUCED = collective(
    [
        _SAME_REDUCTION,
        ("out_sharding is that of tensor without axes", _per_dimension("axes", without_suffix)),
        ("unreduced(out_sharding) = unreduced(sharding(tensor)) + axes", _unreduces_split),
    ]
)
REPLICATED_TO_UNREDUCED = collective(
    [_SAME_REDUCTION, ("unreduced(out_sharding) = unreduced(sharding(tensor)) + axes", _unreduces_replicated)]
)
