"""What Shardy's verifier asks of propagation edges and of data-flow edges."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.dialects.attr_constraints import Problem
from shlo.dialects.func.rules import own
from shlo.dialects.op_bindings import Broken, OpBindings, OpContext
from shlo.dialects.sdy.attributes import EdgeValue, PropagationEdges, ShardyMesh, TensorSharding
from shlo.dialects.sdy.value_shardings import NAMED, WITH_EDGES, mesh_of, sharding_of
from shlo.ir.suggestions import Replace, advise
from shlo.ir.types import MemRefType, RankedTensorType

_BOTH = 3
"""The number of the direction that is both ways."""


def edges_problem(edges: PropagationEdges) -> Problem | None:
    """Returns what is wrong with propagation edges in themselves: steps are numbered from 0, each once, and
    an axis goes to other values than it comes from, to each once."""
    seen: set[int] = set()
    for step in edges.steps:
        if step.index < 0 or step.index in seen:
            return Problem(
                f"expected steps with different numbers from 0, got step-{step.index}", advise("renumber it")
            )
        seen.add(step.index)
        for entry in step.axes:
            if entry.source in entry.targets or len(set(entry.targets)) < len(entry.targets):
                message = (
                    f'step-{step.index} takes the axis "{entry.axis.name}" to a value twice, or to its source'
                )
                return Problem(message, advise("name each other value once"))
    return None


def propagation_problem(edges: PropagationEdges, around: OpContext) -> Problem | None:
    """Returns what is wrong with the propagation edges of an operation: shardings of its values over one
    mesh, which has the axes, and numbers of operands and results that it has."""
    operation = around.operation
    counts = {"operand": len(operation.operands), "result": len(operation.results)}
    values = {"operand": operation.operands, "result": operation.results}
    named = [value for step in edges.steps for entry in step.axes for value in (entry.source, *entry.targets)]
    within = {value: None for value in named if 0 <= value.index < counts[value.role]}
    optional_shardings = (sharding_of(around, values[value.role][value.index]) for value in within)
    shardings = [sharding for sharding in optional_shardings if sharding is not None]
    if not shardings:
        return Problem(
            "no value that the propagation edges name has a sharding", advise("leave the edges out")
        )
    mesh = common_mesh(around, shardings)
    if mesh is None:
        return Problem("expected shardings over one mesh where there are propagation edges")
    used = (entry.axis.name for step in edges.steps for entry in step.axes)
    missing = (name for name in used if name not in mesh.sizes)
    if (name := next(missing, None)) is not None:
        return Problem(
            f'the mesh of the propagation edges has no axis "{name}"', advise("name an axis of the mesh")
        )
    outside = next((value for value in named if value not in within), None)
    if outside is None or operation.name == "sdy.func_data_flow_edge":
        return None
    return _number_problem(outside, counts[outside.role])


def _number_problem(value: EdgeValue, count: int) -> Problem:
    message = f"expected the number of one of {count} {value.role}s, got {value.role}-{value.index}"
    suggestion = Replace(f"{value.role}-{value.index}", f"{value.role}-0")
    return Problem(message, (suggestion,) if count else ())


def common_mesh(around: OpContext, shardings: Sequence[TensorSharding]) -> ShardyMesh | None:
    """Returns the mesh of all shardings, where empty ones go with any; None where there are two."""
    common: ShardyMesh | None = None
    for sharding in shardings:
        mesh = mesh_of(around, sharding)
        if common is None or common.is_empty:
            common = mesh
        elif mesh is not None and not mesh.is_empty and mesh != common:
            return None
    return common


# --- data-flow edges


def _is_static(bindings: OpBindings) -> Broken | None:
    type_ = bindings.signature.result_types[0]
    shape = type_.shape if isinstance(type_, (RankedTensorType, MemRefType)) else None
    if shape is not None and None not in shape:
        return None
    return Broken(f"expected a result of known sizes, got {type_}", ("result",), advise("give its sizes"))


def _has_one_user(bindings: OpBindings) -> Broken | None:
    around = bindings.around
    if around is None or len(around.users(around.operation.operands[0])) == 1:
        return None
    name = bindings.op_def.operands[0].name
    message = f"expected this operation to be the only user of {name}, got more"
    return Broken(message, (name,), advise("let the others use its result"))


def _is_no_annotation(bindings: OpBindings) -> Broken | None:
    """The input is not given by an operation of Shardy but one whose region has edges."""
    around = bindings.around
    origin = around.origin(around.operation.operands[0]) if around else None
    if origin is None or origin.region is not None or origin.operation.name in WITH_EDGES:
        return None
    if not origin.operation.name.startswith("sdy."):
        return None
    message = (
        f"expected an input that no other operation of sdy than {NAMED} gives, got {origin.operation.name}"
    )
    return Broken(message, ("input",), advise("take the operand of that operation"))


def _is_of_function(bindings: OpBindings) -> Broken | None:
    """The operand is an argument of a function or the result of a call."""
    around = bindings.around
    origin = around.origin(around.operation.operands[0]) if around else None
    wanted = "func.func" if origin and origin.region is not None else "func.call"
    if origin is None or origin.operation.name == wanted:
        return None
    of = "an argument of" if origin.region is not None else "a result of"
    message = f"expected an argument of func.func or a result of func.call, got {of} {origin.operation.name}"
    return Broken(message, ("operand",))


def blocks_something(bindings: OpBindings) -> Broken | None:
    """Returns a propagation barrier blocks a direction."""
    direction = bindings["allowed_direction"]
    if direction != _BOTH:
        return None
    message = "expected a direction that the barrier blocks, got BOTH, which blocks none"
    return Broken(message, ("allowed_direction",), advise("leave the barrier out"))


DATA_FLOW_EDGE = (
    own("A2", "is_static(result)", _is_static, "result"),
    own("A3", "input has one user", _has_one_user, "input", needs_context=True),
    own("A4", "input is no result of an annotation", _is_no_annotation, "input", needs_context=True),
)
FUNCTION_EDGE = (
    own("A2", "is_static(result)", _is_static, "result"),
    own("A3", "operand has one user", _has_one_user, "operand", needs_context=True),
    own(
        "A4",
        "operand is an argument of a function or a result of a call",
        _is_of_function,
        "operand",
        needs_context=True,
    ),
)
