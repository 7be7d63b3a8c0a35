"""Tests that `make unit` leaves out, as they take longest: `make unit LONG=yes` runs them, and the workflow of
each night."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Final

import pytest

LONG: Final = {
    "tests/cost/test_against_xla.py::test_flops_are_those_of_xlas_cost_analysis": (
        "XLA compiles each of these for up to a minute",
        ("giant_accumulation", "giant_adam", "giant_gradient"),
    ),
    "tests/hardening/test_hardening.py::test_a_conversation_without_a_fault_and_one_with_ends": (
        "each message to the server for agents starts a process",
        ("mcp",),
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
    "tests/runner/test_edited_artifacts.py::test_a_text_that_is_saved_as_it_was_opened_leaves_every_byte": (
        "the largest of these programs",
        ("random_poisson",),
    ),
    "tests/engines/test_engines.py::test_every_jax_program_has_the_same_results_on_both_engines": (
        "XLA compiles a part of the corpus for each, which test_jax_programs compares with XLA, too",
        tuple(map(str, range(1, 48))),
    ),
    "tests/debugger/test_bulk_steps.py::test_conditions_in_loops_stop_where_single_steps_do": (
        "more draws of the same",
        ("branches-1", "branches-2", "branches-4", "failing-1", "failing-2", "failing-4"),
    ),
    "tests/debugger/test_bulk_steps.py::test_history_values_and_stops_are_those_of_single_steps": (
        "with little memory, most of a long loop is computed again for each move, as of random_randint",
        ("long loop-64-16384", "random_randint-64-16384"),
    ),
    "tests/debugger/test_bulk_steps.py::test_nonfinite_numbers_are_found_where_single_steps_find_them": (
        "every element of every step is looked at, twice",
        ("branches", "random_randint"),
    ),
    "tests/debugger/test_bulk_steps.py::test_values_are_shown_as_after_single_steps": (
        "other loops of the same kind stay",
        ("rounds", "random_randint"),
    ),
    "tests/differential/test_differential.py::test_random_operations_give_what_xla_and_the_formulas_give": (
        "more seeds of the same",
        ("2", "3"),
    ),
    "tests/divergence/test_bisection.py::test_a_bug_in_a_transformer_is_named_in_few_runs": (
        "other bugs in the same transformer",
        (
            "GE,-GT,-stablehlo.compare-503",
            "chlo.erfc-chlo.erf-chlo.erfc-99",
            "stablehlo.rsqrt-stablehlo.sqrt-stablehlo.rsqrt-27",
        ),
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
        (
            *(f"scopes-{shown}-{part}" for shown in (7, 30) for part in range(4)),
            *(f"operations-7-{part}" for part in range(1, 4)),
        ),
    ),
    "tests/language/test_outline.py::test_what_is_kept_of_a_function_is_as_a_fresh_reading_has_it": (
        "more seeds of the same",
        tuple(map(str, range(15, 20))),
    ),
    "tests/language/test_fuzz.py::test_answers_after_edits_are_those_of_a_fresh_service": (
        "more seeds of the same",
        tuple(map(str, range(1, 6))),
    ),
    "tests/language/test_fuzz.py::test_every_feature_survives_every_edit": (
        "more seeds of the same",
        (
            "20261120-windows",
            *(f"{seed}-{text}" for seed in range(1, 6) for text in ("parts", "windows", "traced")),
        ),
    ),
    "tests/language/test_refactorings.py::test_no_refactoring_of_any_operations_changes_what_is_computed": (
        "hundreds of refactorings of the longest of these programs",
        ("outlier",),
    ),
    "tests/language/test_causes.py::test_typical_mistakes_give_one_finding_on_their_line_whose_first_fix_restores": (
        "other mistakes of the same kinds",
        ("1", "2"),
    ),
    "tests/language/test_completion_survey.py::test_what_was_taken_out_of_a_program_is_offered_operands_first": (
        "more tokens of the same programs",
        ("150",),
    ),
    "tests/conform/test_conform.py::test_the_interpreter_passes_every_case": (
        "the other operations",
        ("1", "2", "3"),
    ),
    "tests/debugger/test_stored_recordings.py::test_wrong_frames_with_right_checksums_end_in_an_error_or_nothing": (
        "the same of another recording",
        ("all-generated 1", "statistics-nested"),
    ),
    "tests/docs/test_tutorials.py::test_commands_print_what_the_tutorial_shows": (
        "they compare with XLA, and lower with JAX in processes of their own",
        ("interpreter-and-xla.md", "nan-of-a-step.md"),
    ),
    "tests/engines/test_distributed.py::test_a_sharded_training_step_is_that_of_the_interpreter": (
        "the same with more processes, each of which starts XLA",
        ("4",),
    ),
    "tests/fuzzing/test_fuzz.py::test_xla_agrees_but_for_known_differences": (
        "more programs of the same seed",
        ("64",),
    ),
    "tests/syntax/test_recovery.py::test_many_braces_take_linear_work": (
        "other braces stay",
        ("foo.bar {\\n",),
    ),
    "tests/syntax/test_tokens.py::test_tokens_joined_are_the_text": (
        "more texts",
        ("1", "2"),
    ),
    "tests/tui/test_grid_screens.py::test_grid": (
        "the same screens in the other size stay",
        ("waiting-wide", "messages-narrow", "thousand-wide", "zoomed-narrow"),
    ),
    "tests/tui/test_screens.py::test_screen": (
        "the same screens in the other size stay",
        ("heat-narrow", "sources-narrow", "stepping-narrow", "help-wide", "frames-wide", "nan-wide"),
    ),
    "tests/tui/test_grid_pages.py::test_the_screen_shows_the_pictures_of_the_page": (
        "the pictures of the other pages stay",
        ("grids-wrong-data.md",),
    ),
    "tests/tui/test_bytecode.py::test_the_screen_shows_the_printed_text_and_stops_at_its_lines": (
        "the other forms stay",
        ("the oldest",),
    ),
    "tests/tui/test_defects.py::test_the_current_line_stays_in_view_when_the_terminal_shrinks": (
        "other sizes",
        ("sizes2",),
    ),
    "tests/mcp/test_server.py::test_a_call_ends_with_its_server": (
        "the other signals stay",
        ("15",),
    ),
    "tests/reference/test_reference.py::test_random_operations_give_what_the_interpreter_gives": (
        "more seeds of the same",
        ("3",),
    ),
}
"""By test: why it is long, and with which parameters."""


PARTS: Final = {
    "tests/bytecode/test_artifacts.py::test_a_jax_program": 6,
    "tests/bytecode/test_reading.py::test_a_jax_program": 6,
    "tests/bytecode/test_writing.py::test_a_jax_program_from_its_text": 6,
    "tests/conform/test_conform.py::test_a_planted_bug_is_found_and_named_in_an_engine_of_few_types": 4,
    "tests/cost/test_against_xla.py::test_flops_are_those_of_xlas_cost_analysis": 9,
    "tests/debugger/test_bulk_steps.py::test_conditions_in_loops_stop_where_single_steps_do": 2,
    "tests/debugger/test_bulk_steps.py::test_history_values_and_stops_are_those_of_single_steps": 3,
    "tests/debugger/test_bulk_steps.py::test_nonfinite_numbers_are_found_where_single_steps_find_them": 3,
    "tests/debugger/test_bulk_steps.py::test_values_are_shown_as_after_single_steps": 3,
    "tests/debugger/test_provenance_of_operations.py::test_elements_that_are_listed_are_those_that_matter": 6,
    "tests/debugger/test_stops.py::test_stops_are_those_of_a_full_trace": 6,
    "tests/debugger/test_stored_recordings.py::test_at_any_position_an_opened_recording_is_what_the_session_was": 6,
    "tests/dialects/test_inference.py::test_declared_types_are_what_is_inferred": 6,
    "tests/extension/test_grammars.py::test_textmate_colours_the_tokens_of_the_lexer": 4,
    "tests/growth/test_growth.py::test_the_steps_of_every_operation_grow_about_linearly": 6,
    "tests/growth/test_limits.py::test_every_operation_works_where_the_stack_is_nearly_full": 3,
    "tests/hostile/test_names.py::test_no_command_writes_a_raw_control_character": 3,
    "tests/interpreter/test_copies.py::test_machine_code_copies_all_elements": 2,
    "tests/interpreter/test_fusion.py::test_programs_have_the_same_bits_by_all_ways": 8,
    "tests/interpreter/test_fusion.py::test_scatters_of_rows_have_the_same_bits_by_all_ways": 4,
    "tests/interpreter/test_generated_scalars.py::test_operations_on_scalars_have_the_kernels_bits": 2,
    "tests/interpreter/test_native_loops.py::test_all_tiers_give_the_same_bits": 8,
    "tests/interpreter/test_native_routines.py::test_lu_has_the_bits_of_the_kernel": 2,
    "tests/interpreter/test_native_routines.py::test_sorts_by_one_key_have_the_bits_of_the_kernel": 4,
    "tests/interpreter/test_native_routines.py::test_triangular_solves_have_the_bits_of_the_kernel": 4,
    "tests/interpreter/test_symbolic_sizes.py::test_results_are_those_of_jax_for_all_sizes": 3,
    "tests/jax_users/test_cards.py::test_a_card_names_operation_line_elements_and_argument": 3,
    "tests/jax_users/test_python_names.py::test_a_name_has_the_value_that_python_computes_at_its_line": 6,
    "tests/kernels/test_accuracy.py::test_errors_are_within_the_goal": 3,
    "tests/kernels/test_chlo.py::test_edges_are_those_of_xla": 2,
    "tests/kernels/test_convolution.py::test_convolution_element_types": 3,
    "tests/kernels/test_elementwise.py::test_compare": 2,
    "tests/kernels/test_elementwise.py::test_convert": 3,
    "tests/kernels/test_elementwise.py::test_is_near_what_xla_computes": 2,
    "tests/kernels/test_elementwise.py::test_is_what_xla_computes": 2,
    "tests/kernels/test_lapack.py::test_lapack_hermitian": 3,
    "tests/kernels/test_lapack.py::test_lapack_rectangular": 5,
    "tests/kernels/test_lapack.py::test_lapack_square": 3,
    "tests/kernels/test_lapack.py::test_lapack_triangular_solve": 3,
    "tests/kernels/test_lapack.py::test_lapack_tridiagonal_solve": 3,
    "tests/kernels/test_normalization.py::test_batch_norm": 3,
    "tests/kernels/test_random.py::test_rng_bit_generator_element_types": 2,
    "tests/kernels/test_random.py::test_rng_bit_generator_shapes": 6,
    "tests/kernels/test_rounded_reduction.py::test_cumulative_sums_are_what_xla_computes": 2,
    "tests/kernels/test_rounded_reduction.py::test_reduce_is_what_xla_computes": 2,
    "tests/language/test_fix_survey.py::test_help_is_an_edit_or_an_exception": 6,
    "tests/ops/test_in_grids.py::test_checks_hold_in_every_process": 4,
    "tests/ops/test_ops.py::test_values_are_those_of_xla": 4,
    "tests/reference/test_reference.py::test_check_programs_pass": 3,
    "tests/runner/test_edited_artifacts.py::test_a_text_that_is_saved_as_it_was_opened_leaves_every_byte": 12,
    "tests/sanitizer/test_jax_programs.py::test_a_jax_program_has_no_other_findings": 6,
    "tests/syntax/test_dense.py::test_bit_patterns_print_as_the_oracle_prints_them": 2,
    "tests/syntax/test_formatter.py::test_a_tidy_program_stays_as_it_is": 6,
    "tests/syntax/test_printer.py::test_what_jax_prints_comes_back": 6,
    "tests/syntax/test_reparse.py::test_a_broken_text_whose_lines_are_known_is_read_like_any_other": 6,
    "tests/syntax/test_reparse.py::test_reading_again_gives_what_reading_gives": 6,
    "tests/test_jax_programs.py::test_a_jax_program_runs_with_xlas_results": 5,
    "tests/test_sharded_programs.py::test_jax_gives_the_same_on_eight_devices": 4,
    "tests/transforms/test_fold.py::test_jax_programs_give_the_same_bits": 6,
    "tests/transforms/test_refine.py::test_exports_of_jax_become_static": 2,
    "tests/transforms/test_stablehlo_to_vhlo.py::test_jax_programs_keep_their_locations": 6,
    "tests/transforms/test_upstream_passes.py::test_an_operation_twice_and_unused": 4,
    "tests/transforms/test_upstream_passes.py::test_programs_of_jax": 8,
    "tests/verifier/test_runs.py::test_running_and_verifying_say_the_same": 3,
}
"""Tests that hold each of many programs, operations or types: of how many of them one runs here, by a checksum of
its name. Each night all tests hold all."""


def without_long(items: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    """Yields the items that are not long; raises UsageError where a long test is not there any more."""
    long = {f"{test}[{parameter}]" for test, (_, parameters) in LONG.items() for parameter in parameters}
    present = {item.nodeid for item in items}
    tests = {name.partition("[")[0] for name in present}
    files = {name.partition("::")[0] for name in present}
    gone = [name for name in long - present if name.partition("::")[0] in files]
    gone += [name for name in PARTS.keys() - tests if name.partition("::")[0] in files]
    if gone:
        raise pytest.UsageError(f"tests/long_tests.py names tests that are not there: {sorted(gone)}")
    for item in items:
        parts = PARTS.get(item.nodeid.partition("[")[0], 1)
        if item.nodeid not in long and zlib.crc32(item.nodeid.encode()) % parts == 0:
            yield item
