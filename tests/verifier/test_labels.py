"""Every constraint and input that the specification of 2024 labels: on a definition, and with a program."""

from __future__ import annotations

import re

from shlo.verifier.codes import TYPE_CONSTRAINTS
from tests.verifier.labels import PROGRAMS, codes, implied, op_def_of, stated
from tests.verifier.test_programs import expected_of

OF_TYPES = {
    "quantized_type": 13,
    "integer_constant": 1,
    "float_constant": 2,
    "complex_constant": 2,
    "tensor_constant": 2,
    "quantized_tensor_constant": 2,
}
"""How many constraints the specification labels for types and constants."""


def test_specification_has_these_many_labels() -> None:
    counts = stated().values()
    assert (sum(count for count, _ in counts), sum(count for _, count in counts)) == (345, 272)


def test_labels_stand_on_cards() -> None:
    missing: dict[str, set[str]] = {}
    for name, (constraints, inputs) in stated().items():
        op_def = op_def_of(name)
        labels = {constraint.old_label for constraint in op_def.constraints}
        missing[name] = {f"C{number}" for number in range(1, constraints + 1)} - labels
        bindings = op_def.inputs or (*op_def.operands, *op_def.attributes, *op_def.regions)
        missing[name] |= {"inputs"} if len(bindings) < inputs else set()
    assert {name: labels for name, labels in missing.items() if labels} == {}


def test_labels_have_programs_or_are_implied() -> None:
    missing: dict[str, set[str]] = {}
    for name in stated():
        path = PROGRAMS / f"{name}.mlir"
        tested = {code for _, code, _ in expected_of(path)} if path.exists() else set[str]()
        missing[name] = set(codes(name).values()) - tested - implied().keys()
    assert {name: labels for name, labels in missing.items() if labels} == {}


def test_labels_of_types_and_constants() -> None:
    assert {name: len(constraints) for name, constraints in TYPE_CONSTRAINTS.items()} == OF_TYPES
    tested = set(re.findall(r"// label: (\S+)", (PROGRAMS / "types.mlir").read_text()))
    wanted = {f"{name}-C{number}" for name, count in OF_TYPES.items() for number in range(1, count + 1)}
    assert wanted - tested - implied().keys() == set()


def test_nothing_is_implied_that_has_a_program() -> None:
    tested = {code for path in PROGRAMS.glob("*.mlir") for _, code, _ in expected_of(path)}
    assert implied().keys() & tested == set()
