"""docs/ops.md: up to date, and complete."""

from __future__ import annotations

import pytest

from docs.generate_ops import PAGE, ROOT, kernel_file, page, program_file
from docs.op_drawings import EXAMPLES, FOLDER, drawing
from shlo.dialects import all_op_defs


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


OF_THE_SPECIFICATION = _names(
    """
    abs add after_all all_gather all_reduce all_to_all and atan2 batch_norm_grad batch_norm_inference
    batch_norm_training bitcast_convert broadcast_in_dim case cbrt ceil cholesky clamp collective_broadcast
    collective_permute compare complex composite concatenate constant convert convolution cosine
    count_leading_zeros custom_call divide dot_general dynamic_slice dynamic_update_slice exponential
    exponential_minus_one fft floor gather get_dimension_size get_tuple_element if imag infeed iota is_finite log
    log_plus_one logistic map maximum minimum multiply negate not optimization_barrier or outfeed pad partition_id
    popcnt power real recv reduce reduce_precision reduce_scatter reduce_window remainder replica_id reshape reverse
    rng rng_bit_generator round_nearest_afz round_nearest_even rsqrt scatter select select_and_scatter send
    shift_left shift_right_arithmetic shift_right_logical sign sine slice sort sqrt subtract tanh transpose
    triangular_solve tuple uniform_dequantize uniform_quantize while xor
    """
)
"""The sections of the specification."""


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python docs/generate_ops.py writes it"


@pytest.mark.parametrize("name", EXAMPLES)
def test_drawings_are_up_to_date(name: str) -> None:
    assert (FOLDER / f"{name}.svg").read_text("utf-8") == drawing(name), (
        "python docs/generate_ops.py writes it"
    )


def test_every_section_of_the_specification_is_that_of_an_operation() -> None:
    sections = {op_def.section for op_def in all_op_defs()}
    assert sections >= OF_THE_SPECIFICATION


def test_every_file_that_the_page_names_is_there() -> None:
    found = [path for op_def in all_op_defs() for path in (kernel_file(op_def), program_file(op_def)) if path]
    assert [path for path in found if not (ROOT / path).is_file()] == []


def test_programs_stand_beside_kernels() -> None:
    assert [op_def.name for op_def in all_op_defs() if program_file(op_def) and not kernel_file(op_def)] == []
