"""Dot algorithms that some hardware has."""

from __future__ import annotations

from shlo.dialects.op_bindings import Broken, OpBindings
from shlo.dialects.struct_attributes import DotAlgorithm
from shlo.ir.suggestions import LeaveOut
from shlo.ir.types import FloatType, Type

_F8 = tuple(
    FloatType(f"f8{name}")
    for name in ("E3M4", "E4M3", "E4M3FN", "E5M2", "E4M3FNUZ", "E4M3B11FNUZ", "E5M2FNUZ")
)
_ALGORITHMS: frozenset[tuple[str, str, int]] = frozenset(
    (
        *(("f16", accumulation, 1) for accumulation in ("f16", "f32")),
        ("bf16", "bf16", 1),
        *(("bf16", "f32", count) for count in (1, 3, 6, 9)),
        *(("tf32", "f32", count) for count in (1, 3)),
        *(("f32", "f32", 1), ("f64", "f64", 1)),
    )
)
"""The precision of both operands, the accumulation type, how many primitive operations."""


def known_dot_algorithm(bindings: OpBindings) -> Broken | None:
    """Some hardware has the algorithm."""
    algorithm = bindings.signature.properties.get("algorithm")
    if not isinstance(algorithm, DotAlgorithm) or _is_known(algorithm):
        return None
    message = f"no hardware is known to have the algorithm {algorithm}"
    words = "leave algorithm out, or take f32 for all three types and 1 for all three counts, for instance"
    return Broken(message, ("algorithm",), (LeaveOut("algorithm", words=words),))


def _is_known(algorithm: DotAlgorithm) -> bool:
    types = algorithm.lhs_precision_type, algorithm.rhs_precision_type
    count = algorithm.num_primitive_operations
    if (algorithm.lhs_component_count, algorithm.rhs_component_count) != (1, 1):
        return False
    if all(type_ in _F8 for type_ in types):
        return algorithm.accumulation_type == FloatType("f32") and count == 1
    names = _name(types[0]), _name(algorithm.accumulation_type), count
    return types[0] == types[1] and not algorithm.allow_imprecise_accumulation and names in _ALGORITHMS


def _name(type_: Type) -> str:
    return type_.name if isinstance(type_, FloatType) else ""
