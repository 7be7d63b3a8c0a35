"""The op definitions: consistent in themselves, and equal to what jaxlib's own tables say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from jaxlib.mlir.dialects import stablehlo

from shlo.dialects import DIALECT_MODULES, all_op_defs, find_dialect, find_op_def
from shlo.dialects.opdef import OpDef
from shlo.dialects.vhlo.versions import ROWS, version_of
from shlo_bytecode.tables.properties import LATER_ATTRIBUTES
from tests.oracle_tables import WITHOUT_TABLES, is_known_to_oracle, oracle_ops

OP_DEFS = all_op_defs()
RENAMED = {"stablehlo.collective_broadcast": {"operand"}, "builtin.module": {"bodyRegion"}}
"""Names of that jaxlib which are no longer the specification's."""
SEGMENTS = {"operandSegmentSizes", "resultSegmentSizes"}


def names_in(format_: str) -> set[str]:
    return set(re.findall(r"\$(\w+)", format_)) | set(re.findall(r"region\((\w+)\)", format_))


def flaws(op_def: OpDef) -> Iterator[str]:
    """Yields what is inconsistent in a definition."""
    names = [spec.name for specs in (op_def.operands, op_def.attributes, op_def.regions) for spec in specs]
    if len(names) != len(set(names)):
        yield "a name twice"
    if names_in(op_def.format or "") - set(names):
        yield "names of the format that are none"
    if not op_def.summary.endswith((".", ")")):
        yield "a summary that does not end"
    if len(op_def.result_names) not in (0, len(op_def.results)):
        yield "other results than names of results"
    variadic_results = sum(spec.arity == "variadic" for spec in op_def.results)
    if variadic_results > 1 and not op_def.attribute("resultSegmentSizes"):
        yield "variadic results without their sizes"


def test_cards_are_consistent() -> None:
    assert {op_def.name: found for op_def in OP_DEFS if (found := list(flaws(op_def)))} == {}


@pytest.mark.parametrize("name", DIALECT_MODULES)
def test_struct_fields_are_those_of_the_class(name: str) -> None:
    dialect = find_dialect(name)
    assert dialect
    for struct in dialect.structs.values():
        stored: Any = struct.cls
        assert struct.custom or tuple(field.name for field in struct.parameters) == stored.__match_args__


def test_format_shows_each_operand_once_and_a_type() -> None:
    for op_def in OP_DEFS:
        if op_def.format and "custom(" not in op_def.format and "operands" not in op_def.format.split():
            assert {spec.name for spec in op_def.operands} <= names_in(op_def.format), op_def.name
        if op_def.format and op_def.operands and "custom(" not in op_def.format:
            assert "type(" in op_def.format, op_def.name


def properties_of(cls: type) -> set[str]:
    return {name.rstrip("_") for name, value in vars(cls).items() if isinstance(value, property)} - {"result"}


ORACLE_OPS = {
    name: classes
    for dialect in DIALECT_MODULES
    if dialect not in WITHOUT_TABLES
    for name, classes in oracle_ops(dialect).items()
    if find_op_def(name) or find_dialect(dialect).complete  # type: ignore[union-attr]
}


def differences(name: str) -> Iterator[str]:
    """Yields the names that only the oracle or only the definition has."""
    op_def = find_op_def(name)
    if not op_def:
        yield "no card"
        return
    specs = (*op_def.operands, *op_def.attributes, *op_def.regions, *op_def.results)
    theirs = properties_of(ORACLE_OPS[name]) - RENAMED.get(name, set())
    yield from theirs - {spec.name.rstrip("_") for spec in specs}
    attributes = {spec.name for spec in op_def.attributes}
    yield from attributes - set(LATER_ATTRIBUTES.get(name, ())) - SEGMENTS - theirs


def test_cards_name_what_the_oracle_names() -> None:
    assert {name: found for name in ORACLE_OPS if (found := list(differences(name)))} == {}


def test_the_oracle_has_every_operation_of_its_version() -> None:
    version = version_of(stablehlo.get_current_version())
    named = {f"stablehlo.{row.base}" for row in ROWS if row.first <= version} & {op.name for op in OP_DEFS}
    assert [name for name in named if not is_known_to_oracle(name)] == []
