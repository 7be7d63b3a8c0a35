"""Tests that `make unit` leaves out, as they take longest: `make unit LONG=yes` runs them, and the workflow of
each night."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import pytest

LONG: Final = {
    "tests/cost/test_against_xla.py::test_flops_are_those_of_xlas_cost_analysis": (
        "XLA compiles each of these for up to a minute",
        ("giant_accumulation", "giant_adam", "giant_gradient"),
    ),
    "tests/interpreter/test_native_loops.py::test_all_tiers_give_the_same_bits": (
        "LLVM compiles hundreds of operations for each; test_fusion compares them, too",
        (
            *("activations", "linalg_gradients", "lstm_gradient", "random_gamma", "random_normal"),
            *("random_permutation", "random_poisson", "random_randint", "random_uniform"),
            *("special_functions_of_two", "special_functions_x64", "transformer_gradient"),
            "transformer_scan_remat_gradient",
        ),
    ),
    "tests/interpreter/test_fusion.py::test_programs_have_the_same_bits_by_all_ways": (
        "large models run twelve times each; smaller transformers and convolutions stay",
        ("resnet18", "transformer_768"),
    ),
    "tests/engines/test_engines.py::test_every_jax_program_has_the_same_results_on_both_engines": (
        "XLA compiles a quarter of the corpus for each, which test_jax_programs compares with XLA, too",
        ("1", "2", "3"),
    ),
    "tests/debugger/test_fast_lane.py::test_conditions_in_loops_stop_where_single_steps_do": (
        "more draws of the same",
        ("branches-1", "branches-2", "branches-4", "failing-1", "failing-2", "failing-4"),
    ),
    "tests/debugger/test_fast_lane.py::test_history_values_and_stops_are_those_of_single_steps": (
        "with little memory, most of a long loop is computed again for each move, as of random_randint",
        ("long loop-64-16384",),
    ),
    "tests/docs/test_fuzz_page.py::test_commands_run": (
        "the same command as on other lines, for all operations",
        ("fuzz --count 32 --seed 1",),
    ),
    "tests/tui/test_soak.py::test_random_keys_raise_nothing_and_end_where_a_fresh_run_is": (
        "more seeds of the same",
        ("1", "2", "3", "4", "5", "6", "7", "8", "9"),
    ),
    "tests/language/test_outline.py::test_after_every_small_edit_and_back_what_is_kept_is_that_of_a_fresh_reading": (
        "more edits of the same",
        ("scopes-30", "scopes-7"),
    ),
    "tests/language/test_outline.py::test_what_is_kept_of_a_function_is_as_a_fresh_reading_has_it": (
        "a second seed",
        ("15",),
    ),
    "tests/language/test_fuzz.py::test_answers_after_edits_are_those_of_a_fresh_service": (
        "a second seed",
        ("1",),
    ),
    "tests/language/test_fuzz.py::test_every_feature_survives_every_edit": (
        "a second seed",
        ("1-windows", "1-parts", "1-traced"),
    ),
}
"""By test: why it is long, and with which parameters."""


def without_long(items: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    """Yields the items that are not long; raises UsageError where a long test is not there any more."""
    long = {f"{test}[{parameter}]" for test, (_, parameters) in LONG.items() for parameter in parameters}
    present = {item.nodeid for item in items}
    files = {name.partition("::")[0] for name in present}
    if gone := [name for name in long - present if name.partition("::")[0] in files]:
        raise pytest.UsageError(f"tests/long_tests.py names tests that are not there: {sorted(gone)}")
    yield from (item for item in items if item.nodeid not in long)
