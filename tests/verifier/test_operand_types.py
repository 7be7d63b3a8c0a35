"""Operands and results take the types that ODS lets them take."""

from __future__ import annotations

import random

import pytest

from shlo.ir.source import Source
from shlo.runner.validity import findings_of
from tests.oracle import Oracle
from tests.verifier.operand_types import (
    SAMPLES,
    Position,
    admits,
    facts,
    forms,
    is_admitted,
    positions,
    program,
)

pytestmark = pytest.mark.slow

NARROWER = {
    "element types that the operands cannot have": (
        *(f"chlo.broadcast_{name} result 0" for name in ("and", "or", "xor")),
        *(f"stablehlo.{name} result 0" for name in ("and", "or", "xor")),
    ),
    "ranks that the constraint on the region excludes": ("stablehlo.select_and_scatter operand 2",),
}
"""Where a definition takes less than ODS, and what excludes the rest in MLIR."""
OLD_SPELLINGS = frozenset(("si32",))
"""Types that the specification has and MLIR writes in another way: read with a hint."""
CONSTRAINED = frozenset(
    f"stablehlo.{name}"
    for name in (
        *(
            "broadcast_in_dim result 0",
            "constant result 0",
            "infeed result 0",
            "iota result 0",
            "recv result 0",
        ),
        *("reshape result 0", "rng_bit_generator result 1"),
    )
)
"""Where a constraint of the definition says what ODS says of the type: all sizes must be known."""


def test_cards_take_what_ods_takes() -> None:
    known = facts()
    found = {str(each): _differing(each, known[str(each)]) for each in positions() if str(each) in known}
    assert len(found) > 700
    assert {position: types for position, types in found.items() if any(types)} == {}


def _differing(position: Position, admitted: frozenset[str]) -> tuple[set[str], set[str]]:
    """Returns the types that a definition alone takes, and those that ODS alone takes."""
    ours = frozenset(sample for sample in SAMPLES if admits(position.spec, sample))
    too_much = ours - admitted - OLD_SPELLINGS
    if str(position) in CONSTRAINED:
        too_much = {sample for sample in too_much if not _is_refused(position, sample)}
    excused = any(str(position) in places for places in NARROWER.values())
    return set(too_much), set[str]() if excused else set(admitted - ours)


def _is_refused(position: Position, sample: str) -> bool:
    return all(findings_of(Source(program(position, form)))[1] for form in forms(sample))


def test_mlir_admits_what_the_facts_say(oracle: Oracle) -> None:
    known, rng = facts(), random.Random(11)
    for position in rng.sample([each for each in positions() if str(each) in known], 60):
        for sample in rng.sample(SAMPLES, 4):
            admitted = any(is_admitted(oracle, position, form) for form in forms(sample))
            assert admitted == (sample in known[str(position)]), (str(position), sample)
