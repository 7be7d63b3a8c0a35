"""The tests that a change affects (`make affected`)."""

from __future__ import annotations

import pytest

from tests.affected import ImportGraph, affected_tests, import_graph


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    return import_graph()


def folders(tests: set[str]) -> set[str]:
    return {test.split("/")[1] for test in tests}


def test_a_key_of_the_screen_affects_the_screen_and_not_bytecode(graph: ImportGraph) -> None:
    chosen = folders(affected_tests(["shlo_tui/keymap.py"], graph))
    assert "tui" in chosen
    assert "bytecode" not in chosen


def test_kernels_and_definitions_are_loaded_by_name_and_affect_the_tests_that_run_and_read_all(
    graph: ImportGraph,
) -> None:
    kernels = next(path for path in graph.modules if path.startswith("shlo/interpreter/kernels/movement/"))
    assert {"kernels", "ops", "reference"} <= folders(affected_tests([kernels], graph))
    definitions = affected_tests(["shlo/dialects/stablehlo/ops/windows.py"], graph)
    assert {"ops", "dialects", "verifier"} <= folders(definitions)


def test_a_page_affects_the_tests_that_name_it(graph: ImportGraph) -> None:
    assert "tests/docs/test_differences_page.py" in affected_tests(["docs/differences.md"], graph)


def test_a_test_affects_itself_and_the_settings_everything(graph: ImportGraph) -> None:
    assert all(path in affected_tests([path], graph) for path in graph.tests)
    assert affected_tests(["pyproject.toml"], graph) == graph.tests


def test_every_module_of_the_product_affects_a_test(graph: ImportGraph) -> None:
    product = [path for path in graph.modules if not path.startswith(("tests/", "docs/", "release/"))]
    assert not [path for path in product if not affected_tests([path], graph)]
