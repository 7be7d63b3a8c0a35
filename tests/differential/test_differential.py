"""A sample of the random instances, of which `python -m tests.differential` compares thousands, and the
operations they reach.
"""

from __future__ import annotations

import pytest

from shlo.cli.ops import has_kernel
from shlo.dialects import all_op_defs
from tests.differential.batches import FINE, compare_batch
from tests.differential.makers import MAKERS, make_instances

ELSEWHERE = {
    "control flow and calls, which tests/interpreter and tests/programs run": "after_all case composite if "
    "optimization_barrier return while create_token tuple get_tuple_element custom_call async_start async_done",
    "processes that meet, which tests/interpreter/test_grids.py runs": "all_gather all_reduce all_to_all "
    "collective_broadcast collective_permute collective_reduce cross-replica-sum infeed outfeed partition_id "
    "recv reduce_scatter replica_id send",
    "quantized values, which tests/kernels/test_quantization.py compares": "uniform_quantize uniform_dequantize",
    "random numbers, whose values are the implementation's": "rng rng_uniform",
    "constants, which have no operands": "constant",
    "older forms of operations that are generated": "broadcast dot einsum unary_einsum torch_index_select "
    "dynamic_conv get_dimension_size set_dimension_size",
}
"""The operations that no family makes, by reason."""


def test_every_operation_that_runs_is_generated_or_tested_elsewhere():
    runs = {
        op_def.name.removeprefix("stablehlo.")
        for op_def in all_op_defs()
        if op_def.dialect == "stablehlo" and has_kernel(op_def)
    }
    made = {instance.name.removeprefix("stablehlo.") for instance in make_instances(1, 30 * len(MAKERS))}
    elsewhere = {name for names in ELSEWHERE.values() for name in names.split()}
    assert runs - made == elsewhere & runs
    assert not made & elsewhere


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_operations_give_what_xla_and_the_formulas_give(seed: int):
    found = compare_batch(seed, 60, "")
    assert [
        (name, comparison, text) for name, text, comparison in found if comparison.verdict not in FINE
    ] == []
