"""What Shardy's verifier asks of operations with regions: manual computations and named ones.

The verifier has found by then that the shardings fit the values outside.
"""

from __future__ import annotations

from typing import Literal

from shlo.dialects.attr_constraints import Problem
from shlo.dialects.func.rules import compared, own
from shlo.dialects.op_bindings import Broken, OpBindings
from shlo.dialects.sdy.attributes import DimensionSharding, ManualAxes, ShardyMesh, TensorSharding
from shlo.dialects.sdy.axes import Sizes, split_count
from shlo.dialects.sdy.rules.edges import common_mesh
from shlo.dialects.sdy.value_shardings import bound_axes, mesh_of, shardings_of
from shlo.dialects.stablehlo.rules.structs import no_axis
from shlo.ir.suggestions import LeaveOut, Set, SortItems, Subject, advise
from shlo.ir.types import FunctionType, RankedTensorType, Type


def _manual(bindings: OpBindings) -> tuple[str, ...]:
    axes = bindings.signature.properties.get("manual_axes")
    return axes.axes if isinstance(axes, ManualAxes) else ()


def _axes_are_free(bindings: OpBindings) -> Broken | None:
    """No manual computation around is split over the axes."""
    bound = set(bound_axes(bindings.around)) if bindings.around else set[str]()
    split = next((axis for axis in _manual(bindings) if axis in bound), None)
    if split is None:
        return None
    message = f'the axis "{split}" is bound by another sdy.manual_computation around this one'
    return Broken(
        message, ("manual_axes",), (LeaveOut(f'"{split}"', "text", "leave it out: it is split already"),)
    )


def _axes_are_of_one_mesh(bindings: OpBindings) -> Broken | None:
    properties, around = bindings.signature.properties, bindings.around
    before, after = (shardings_of(properties.get(name)) for name in ("in_shardings", "out_shardings"))
    manual = _manual(bindings)
    if around is None or not (before or after):
        return None
    mesh = common_mesh(around, (*before, *after))
    if mesh is None:
        message = "expected in_shardings and out_shardings over one mesh, got more"
        return Broken(message, ("out_shardings",), advise("name one mesh")) if manual else None
    missing = next((axis for axis in manual if axis not in mesh.sizes), None)
    if missing is None:
        return None
    problem = no_axis(missing, mesh.sizes)
    return Broken(problem.message, ("manual_axes",), problem.suggestions)


def _parts_fit(bindings: OpBindings, name: str, side: Literal["inputs", "results"]) -> Broken | None:
    """Returns what is wrong with the types of values in a region, which are parts of those outside."""
    body, signature = bindings["body"], bindings.signature
    if not isinstance(body, FunctionType):
        return None
    whole = signature.operand_types if side == "inputs" else signature.result_types
    parts = getattr(body, side)
    around = bindings.around
    shardings = shardings_of(bindings.signature.properties.get(name))
    if around is None or not (whole or parts or shardings):
        return None
    if len(parts) != len(whole):
        message = f"expected {len(whole)} values in the region, one for each outside, got {len(parts)}"
        return Broken(message, (name,), advise(f"make their number {len(whole)}"))
    manual = frozenset(_manual(bindings))
    facet = "argument" if side == "inputs" else "returned"
    for number, (sharding, type_, part) in enumerate(zip(shardings, whole, parts)):
        mesh = mesh_of(around, sharding)
        subject = Subject("body").of(facet, number).of("type")
        problem = _part_problem(sharding, type_, part, manual, mesh, subject) if mesh else None
        if problem:
            return Broken(f"value {number}: {problem.message}", (name,), problem.suggestions)
    return None


def _part_problem(
    sharding: TensorSharding,
    whole: Type,
    part: Type,
    manual: frozenset[str],
    mesh: ShardyMesh,
    subject: Subject,
) -> Problem | None:
    for number, dimension in enumerate(sharding.dimensions):
        if not _is_manual_first(dimension, manual):
            message = f"expected axes that are split by hand before the others in dimension {number}"
            return Problem(message, (SortItems("reorder the axes"),))
    if not isinstance(whole, RankedTensorType) or whole.rank != len(sharding.dimensions):
        return None
    sizes = mesh.sizes
    shape = tuple(
        size if size is None else _part_size(size, dimension, manual, sizes)
        for size, dimension in zip(whole.shape, sharding.dimensions)
    )
    if -1 in shape:
        number = shape.index(-1)
        message = f"dimension {number} of {whole} does not divide into the parts that its axes make"
        return Problem(message, advise("take an axis whose size divides the dimension"))
    wanted = RankedTensorType(shape, whole.element_type)
    if wanted == part:
        return None
    message = f"expected a part of type {wanted} in the region, got {part}"
    return Problem(message, (Set(subject, "=", wanted),))


def _is_manual_first(dimension: DimensionSharding, manual: frozenset[str]) -> bool:
    flags = [axis.name in manual for axis in dimension.axes]
    return flags == sorted(flags, reverse=True)


def _part_size(size: int, dimension: DimensionSharding, manual: frozenset[str], sizes: Sizes) -> int:
    """Returns the size of a part, -1 where there is none."""
    count = split_count((axis for axis in dimension.axes if axis.name in manual), sizes)
    return -1 if size % count else size // count


def _arguments_are_operands(bindings: OpBindings) -> Broken | None:
    body = bindings["body"]
    if not isinstance(body, FunctionType):
        return None
    wrong = compared("argument of the body", "the operation", body.inputs, bindings.signature.operand_types)
    return wrong.broken("body") if wrong else None


def _returns_are_results(bindings: OpBindings) -> Broken | None:
    body = bindings["body"]
    if not isinstance(body, FunctionType):
        return None
    wrong = compared("result", "the body", bindings.signature.result_types, body.results)
    return wrong.broken("results") if wrong else None


MANUAL = (
    own("A1", "manual_axes are free", _axes_are_free, "manual_axes", needs_context=True),
    own(
        "A2",
        "in_shardings and out_shardings are over one mesh, which has manual_axes",
        _axes_are_of_one_mesh,
        "manual_axes",
        needs_context=True,
    ),
    own(
        "A3",
        "input_types(body) are the parts of tensors",
        lambda bindings: _parts_fit(bindings, "in_shardings", "inputs"),
        "in_shardings",
        needs_context=True,
    ),
    own(
        "A4",
        "output_types(body) are the parts of results",
        lambda bindings: _parts_fit(bindings, "out_shardings", "results"),
        "out_shardings",
        needs_context=True,
    ),
)
NAMED = (
    own("A1", "input_types(body) = type(operands...)", _arguments_are_operands, "body"),
    own("A2", "output_types(body) = type(results...)", _returns_are_results, "results"),
)
