"""What the collectives of Shardy's export passes share: shardings of operand and result over meshes.

The verifier has found by then that the sharding of the result fits its type and names axes of its mesh.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects.attr_constraints import Problem
from shlo.dialects.func.rules import own
from shlo.dialects.op_bindings import Broken, Check, OpBindings
from shlo.dialects.opdef import Constraint
from shlo.dialects.sdy.attributes import DimensionSharding, ShardyMesh, TensorSharding
from shlo.dialects.sdy.axes import Sizes
from shlo.dialects.sdy.rules.shardings import rank_of, written
from shlo.dialects.sdy.value_shardings import mesh_of, sharding_of
from shlo.ir.suggestions import Suggestion, WriteAttribute, advise


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
