"""FLOPs of JAX programs against XLA's cost analysis, which the page docs/cost.md compares ours with.

XLA counts a program that its importer has simplified. `exceptions.txt` lists the programs of which that changes
the count, with what the importer does to them; XLA's own form of every program must count the same.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import shlo
from shlo.costs import ProgramCost, cost
from shlo.syntax import parse
from tests.jax_programs import PROGRAMS, Program, program_id
from tests.oracle import JAXLIB, Oracle, OracleError

LINE = re.compile(r"^(\w+)(?: from ([\d.]+))?: (.*)$", re.MULTILINE)
LISTED = {
    name: reason
    for name, first, reason in LINE.findall((Path(__file__).parent / "exceptions.txt").read_text("utf-8"))
    if not first or tuple(map(int, first.split("."))) <= JAXLIB
}
NOT_IMPORTED = "not imported"
EXACT = 1 << 24
"""Up to which sum XLA's 32-bit floats are exact."""


def counts_as(counted: ProgramCost, expected: dict[str, float]) -> bool:
    flops = expected.get("flops", 0)
    return abs(counted.total.flops - flops) <= (0 if flops <= EXACT else 1e-4 * flops)


def imported(text: str) -> ProgramCost:
    text = re.sub(r"mhlo\.erf (%\S+) : (\S+)", r"chlo.erf \1 : \2 -> \2", text)
    return cost(parse(text)[0], rules="xla")


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=program_id)
def test_flops_are_those_of_xlas_cost_analysis(program: Program, oracle: Oracle) -> None:
    text = program.text()
    reason = LISTED.get(program.name)
    try:
        expected, simplified = oracle.cost(text)
    except OracleError:
        assert reason is not None
        assert reason.startswith(NOT_IMPORTED)
        return
    assert counts_as(imported(simplified), expected)
    is_same = counts_as(shlo.cost(shlo.parse(text), rules="xla"), expected)
    assert is_same == (reason is None), (
        f"list {program.name} with a reason" if reason is None else "not listed"
    )


def test_the_list_names_programs_that_there_are() -> None:
    assert LISTED.keys() <= PROGRAMS.keys()


def test_functions_are_counted_apart_as_xla_does(oracle: Oracle) -> None:
    different = []
    for name in ("transformer", "mlp_adam", "elementary_functions", "random_uniform_rbg", "fft"):
        expected, simplified = oracle.cost(PROGRAMS[name].text())
        if imported(simplified).total.transcendentals != expected.get("transcendentals", 0):
            different.append(name)
    assert different == []
