"""A check program for each operation: that it passes, that the oracle reads it, that XLA gives its values."""

from __future__ import annotations

from pathlib import Path

import pytest

from shlo.cli.ops import has_kernel
from shlo.dialects import all_cards, find_card
from shlo.runner.files import read_program
from shlo.runner.test_programs import run_file
from shlo.syntax import parse
from tests.conformance.checks import generic_checks
from tests.oracle import Oracle

from .on_xla import run_checks

FOLDER = Path(__file__).parent
PROGRAMS = {
    path.relative_to(FOLDER).with_suffix("").as_posix(): path for path in sorted(FOLDER.rglob("*.mlir"))
}

ELSEWHERE = {
    **dict.fromkeys(
        (
            "stablehlo.all_gather",
            "stablehlo.all_reduce",
            "stablehlo.all_to_all",
            "stablehlo.collective_broadcast",
            "stablehlo.collective_permute",
            "stablehlo.collective_reduce",
            "stablehlo.cross-replica-sum",
            "stablehlo.reduce_scatter",
            "stablehlo.recv",
            "stablehlo.send",
        ),
        "takes several processes",
    ),
    "stablehlo.infeed": "takes what a run brings along",
    "stablehlo.outfeed": "gives nothing that a program can check",
    "stablehlo.uniform_dequantize": "quantized",
    "stablehlo.uniform_quantize": "quantized",
}
"""Operations without a program here, and why."""

_UNKNOWN = "XLA does not know the interpreter dialect"
_NARROW = "XLA on CPU counts the bits of a byte"
NOT_ON_XLA = {
    "add_boolean": "XLA adds booleans as bits, where the specification wants their disjunction",
    "async_done_after_other_operations": "XLA takes none but collective operations in async_start",
    "async_start_runs_its_region": "XLA takes none but collective operations in async_start",
    "bitcast_convert_to_narrow": "XLA splits a byte into the bytes of i4 elements",
    "broadcast_add_with_broadcast_dimensions": "jaxlib broadcasts along leading dimensions only",
    "compare_complex": "XLA knows no order of complex numbers",
    "compare_total_order": "XLA folds constants without regard for TOTALORDER",
    "count_leading_zeros_32_bits": "XLA folds the one of -1 to -32",
    "count_leading_zeros_narrow": _NARROW,
    "dynamic_conv_padding_is_an_operand": "XLA has no dynamic_conv",
    "expect_serialized_eq_reads_what_a_probe_wrote": _UNKNOWN,
    "maximum_complex": "XLA compares real parts alone",
    "mulhi_narrow": _NARROW,
    "popcnt_narrow": _NARROW,
    "print_leaves_its_operand": _UNKNOWN,
    "probe_gives_its_operand_and_writes_it": _UNKNOWN,
    "ragged_dot_contracted_in_groups": "XLA on CPU has no ragged_dot",
    "ragged_dot_rows_in_groups": "XLA on CPU has no ragged_dot",
    "reshard_changes_no_value": "XLA takes no reshard",
    "scatter_one_window_partly_outside": "XLA drops the whole window",
    "unary_einsum_sum_and_transpose": "XLA has no unary_einsum",
}
"""Functions that XLA on CPU cannot run, or gives values for that the specification does not."""


def name_of(operation: str) -> str:
    """The name of an operation's program in this folder."""
    dialect, _, name = operation.partition(".")
    return name if dialect == "stablehlo" else f"{dialect}/{name}"


OPERATIONS = [card.name for card in all_cards() if card.dialect in ("stablehlo", "chlo")]


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_passes(name: str) -> None:
    outcomes = run_file(str(PROGRAMS[name]))
    assert outcomes
    assert [(outcome.name, outcome.message) for outcome in outcomes if outcome.verdict != "passed"] == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_are_those_of_xla(name: str, oracle: Oracle) -> None:
    module, diagnostics = parse(read_program(str(PROGRAMS[name])))
    assert not diagnostics
    run_checks(module, oracle, without=NOT_ON_XLA)


def test_oracle_accepts_all_programs(oracle: Oracle) -> None:
    verdicts = {
        name: oracle.accepts(generic_checks(path.read_text()), unregistered=True)
        for name, path in PROGRAMS.items()
    }
    assert {name: verdict.diagnostics for name, verdict in verdicts.items() if not verdict.accepted} == {}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_operation_has_a_kernel_and_a_program(operation: str) -> None:
    name, card = name_of(operation), find_card(operation)
    if operation in ELSEWHERE:
        assert name not in PROGRAMS
        return
    assert card is not None
    assert has_kernel(card)
    module, _ = parse(read_program(str(PROGRAMS[name])))
    assert operation in {found.name for found, _ in module.walk()}


def test_programs_are_named_after_operations() -> None:
    assert set(PROGRAMS) <= {name_of(card.name) for card in all_cards()}


def test_what_xla_cannot_run_is_there() -> None:
    texts = "".join(path.read_text() for path in PROGRAMS.values())
    assert [name for name in NOT_ON_XLA if f"@{name}()" not in texts] == []
