"""A check program for each operation: that it passes, that the oracle reads it, that XLA gives its values."""

from __future__ import annotations

from pathlib import Path

import pytest

from shlo.cli.programs.ops import has_kernel
from shlo.dialects import all_op_defs, find_op_def
from shlo.dialects.opdef import OpDef
from shlo.runner.files import read_program
from shlo.runner.test_programs import run_file
from shlo.syntax import parse
from tests.conformance.checks import generic_checks
from tests.oracle import Oracle
from tests.oracle_tables import is_known_to_oracle

from .on_xla import run_checks

FOLDER = Path(__file__).parent
PROGRAMS = {
    path.relative_to(FOLDER).with_suffix("").as_posix(): path for path in sorted(FOLDER.rglob("*.mlir"))
}

ELSEWHERE = {"stablehlo.outfeed": "gives nothing that a program can check"}
"""Operations without a program here, and why."""

HANDING_ON = {
    "stablehlo.async_done",
    "stablehlo.async_start",
    "stablehlo.composite",
    "stablehlo.custom_call",
    "stablehlo.get_tuple_element",
    "stablehlo.infeed",
    "stablehlo.recv",
    "stablehlo.return",
    "stablehlo.send",
}
"""Operations that hand on values of any type as they are."""

_UNKNOWN = "XLA does not know the interpreter dialect"
_NARROW = "XLA on CPU counts the bits of a byte"
NOT_ON_XLA = {
    "add_boolean": "XLA adds booleans as bits, where the specification wants their disjunction",
    "async_done_after_other_operations": "XLA takes none but collective operations in async_start",
    "async_start_runs_its_region": "XLA takes none but collective operations in async_start",
    "bitcast_convert_to_narrow": "XLA splits a byte into the bytes of i4 elements",
    "broadcast_add_with_broadcast_dimensions": "jaxlib broadcasts along leading dimensions only",
    "compare_complex": "XLA knows no order of complex numbers",
    "compare_complex_nan": "XLA knows no order of complex numbers",
    "compare_total_order": "XLA folds constants without regard for TOTALORDER",
    "count_leading_zeros_32_bits": "XLA folds the one of -1 to -32",
    "count_leading_zeros_narrow": _NARROW,
    "dynamic_conv_padding_is_an_operand": "XLA has no dynamic_conv",
    "dynamic_conv_spec_example": "XLA has no dynamic_conv",
    "expect_serialized_eq_reads_what_a_probe_wrote": _UNKNOWN,
    "collectives_change_no_value_of_the_whole_tensor": "XLA takes no collectives of sdy",
    "manual_computation_of_nothing_runs_its_region": "the oracle has one device",
    "manual_computation_splits_and_puts_together": "the oracle has one device",
    "maximum_complex": "XLA compares real parts alone",
    "mulhi_narrow": _NARROW,
    "named_computation_gives_what_its_region_returns": "XLA takes no named_computation",
    "popcnt_narrow": _NARROW,
    "print_leaves_its_operand": _UNKNOWN,
    "probe_gives_its_operand_and_writes_it": _UNKNOWN,
    "ragged_dot_contracted_in_groups": "XLA on CPU has no ragged_dot",
    "ragged_dot_rows_in_groups": "XLA on CPU has no ragged_dot",
    "reshard_changes_no_value": "XLA takes no reshard",
    "scatter_one_window_partly_outside": "XLA drops the whole window",
    "unary_einsum_sum_and_transpose": "XLA has no unary_einsum",
    "uniform_dequantize_unsigned_narrow": "jaxlib takes unsigned storage for signed",
    **dict.fromkeys(
        (
            "all_gather_spec_example",
            "all_gather_takes_replicas_of_each_partition_in_turn",
            "all_reduce_along_an_axis_of_a_mesh",
            "all_reduce_asynchronous_in_groups_of_unequal_sizes",
            "all_reduce_spec_example",
            "all_reduce_quantized",
            "all_to_all_spec_example",
            "all_to_all_quantized_of_partitions_in_the_order_of_the_group",
            "async_start_spec_example",
            "collective_broadcast_quantized_zero_is_the_zero_point",
            "collective_broadcast_spec_example",
            "collective_permute_spec_example",
            "collective_permute_quantized_zero_is_the_zero_point",
            "collective_reduce_gives_others_zeros",
            "collective_reduce_spec_example",
            "collective_reduce_spec_example_dynamic_root",
            "cross_replica_sum_in_two_groups",
            "infeed_spec_example",
            "partition_id_in_a_grid",
            "recv_from_the_process_that_it_is_paired_with",
            "reduce_scatter_spec_example",
            "replica_id_in_a_grid",
            "run_parallel_of_different_programs",
            "send_spec_example",
        ),
        _UNKNOWN,
    ),
    **dict.fromkeys(
        (
            "all_gather_quantized_of_one_process",
            "broadcast_quantized",
            "case_quantized",
            "collective_reduce_quantized_of_one_process",
            "dynamic_conv_quantized",
            "dynamic_gather_quantized",
            "real_dynamic_slice_quantized",
            "set_dimension_size_quantized",
            "dynamic_iota_quantized",
            "dynamic_pad_quantized",
            "dynamic_update_slice_quantized",
            "if_quantized",
            "iota_quantized",
            "is_finite_quantized",
            "map_quantized",
            "optimization_barrier_quantized",
            "reduce_quantized",
            "reduce_quantized_stays_in_the_range_of_storage",
            "reduce_scatter_quantized_of_one_process",
            "reduce_window_quantized",
            "reverse_quantized",
            "scatter_quantized",
            "select_and_scatter_quantized",
            "sort_quantized",
            "tuple_of_quantized",
            "while_quantized",
        ),
        "jaxlib does not turn it into arithmetic that XLA knows",
    ),
}
"""Functions that XLA on CPU cannot run, or gives values for that the specification does not."""


def name_of(operation: str) -> str:
    """Returns the name of an operation's program in this folder."""
    dialect, _, name = operation.partition(".")
    return name if dialect == "stablehlo" else f"{dialect}/{name}"


UNKNOWN_TO_ORACLE = {
    name_of(op_def.name) for op_def in all_op_defs() if not is_known_to_oracle(op_def.name)
} & set(PROGRAMS)
"""Programs of operations that jaxlib does not know."""

OPERATIONS = [op_def.name for op_def in all_op_defs() if op_def.dialect in ("stablehlo", "chlo")]


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_passes(name: str) -> None:
    outcomes = run_file(str(PROGRAMS[name]))
    assert outcomes
    assert [(outcome.name, outcome.message) for outcome in outcomes if outcome.verdict != "passed"] == []


@pytest.mark.parametrize("name", sorted(set(PROGRAMS) - UNKNOWN_TO_ORACLE))
def test_values_are_those_of_xla(name: str, fusing_oracle: Oracle) -> None:
    module, diagnostics = parse(read_program(str(PROGRAMS[name])))
    assert not diagnostics
    run_checks(module, fusing_oracle, without=NOT_ON_XLA)


def test_oracle_accepts_all_programs(oracle: Oracle) -> None:
    verdicts = {
        name: oracle.accepts(generic_checks(path.read_text()), unregistered=True)
        for name, path in PROGRAMS.items()
    }
    refused = {name: verdict.diagnostics for name, verdict in verdicts.items() if not verdict.accepted}
    assert refused.keys() == UNKNOWN_TO_ORACLE, refused


@pytest.mark.parametrize("operation", OPERATIONS)
def test_operation_has_a_kernel_and_a_program(operation: str) -> None:
    name, op_def = name_of(operation), find_op_def(operation)
    if operation in ELSEWHERE:
        assert name not in PROGRAMS
        return
    assert op_def is not None
    assert has_kernel(op_def)
    module, _ = parse(read_program(str(PROGRAMS[name])))
    assert operation in {found.name for found, _ in module.walk()}


def test_quantized_meaning_has_a_program() -> None:
    quantized = [name_of(op_def.name) for op_def in all_op_defs() if _takes_quantized(op_def)]
    assert [name for name in quantized if "!quant.uniform" not in PROGRAMS[name].read_text()] == []


def _takes_quantized(op_def: OpDef) -> bool:
    """Returns whether the specification, which leaves some operations out, gives one a quantized meaning."""
    is_ours = op_def.section is not None and op_def.name not in ELSEWHERE.keys() | HANDING_ON
    return is_ours and any(spec.constraint.takes_quantized for spec in (*op_def.operands, *op_def.results))


def test_programs_are_named_after_operations() -> None:
    assert set(PROGRAMS) <= {name_of(op_def.name) for op_def in all_op_defs()}


def test_what_xla_cannot_run_is_there() -> None:
    texts = "".join(path.read_text() for path in PROGRAMS.values())
    assert [name for name in NOT_ON_XLA if f"@{name}()" not in texts] == []
