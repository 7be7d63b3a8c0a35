"""`%grid`: a function in a grid of processes, what each of them gets and gives, and what stops them."""

from __future__ import annotations

import _thread
import re
import threading
from pathlib import Path

import numpy as np
import pytest

from shlo_kernel import completion

from .parallel_programs import CROSSED, SUM
from .screens import Notebook
from .test_display import HOSTILE, Tags

EIGHT = "%x = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>"


@pytest.fixture
def notebook() -> Notebook:
    notebook = Notebook()
    notebook.cell(f"{EIGHT}\n{SUM}")
    return notebook


def plain(text: str) -> str:
    return re.sub("\x1b[^m]*m", "", text)


def test_parts_of_a_value_go_to_the_processes_and_equal_results_are_shown_once(notebook: Notebook) -> None:
    shown = notebook.cell("%grid 4x1 --split 0 %r = @sum(%x)").shown[0]
    assert shown["text/plain"] == (
        "%r : tensor<2xf32> in 4 processes, 2 different values\n"
        "(0, 0), (1, 0): [-4., -6.]\n(2, 0), (3, 0): [-12., -14.]"
    )
    assert shown["text/html"].count("[-4., -6.]") == 2
    assert [notebook.value(f"r#{process}") for process in range(4)] == [[-4, -6]] * 2 + [[-12, -14]] * 2
    assert notebook.cell("%grid 4x1 @sum([1.0, 2.0])").shown[0]["text/plain"] == (
        "%_ : tensor<2xf32> in 4 processes, the same in all\n2 elements, 8 B, min -4, max -2, mean -3\n[-2., -4.]"
    )


def test_processes_are_equal_cells_of_one_colour_scale(notebook: Notebook) -> None:
    notebook.cell(
        "func.func @id() -> tensor<ui32> {\n  %0 = stablehlo.replica_id : tensor<ui32>\n  return %0 : tensor<ui32>\n}"
    )
    html = notebook.cell("%grid 16x1 %n = @id").shown[0]["text/html"]
    assert "grid-template-columns:repeat(16," in html
    fills = re.findall(r'role="listitem"[^>]*background:(rgb\([0-9,]+\))', html)
    assert len(set(fills)) == len(fills) == 16


def test_results_are_the_arguments_of_the_next_grid(notebook: Notebook, tmp_path: Path) -> None:
    for process in range(4):
        np.save(tmp_path / f"x{process}.npy", np.full(2, 10.0**process, np.float32))
    notebook.cell(f"%grid 4x1 %r = @sum({tmp_path}/x{{process}}.npy)\n%grid 4x1 %s = @sum(%r#{{process}})")
    assert [notebook.value(f"s#{process}")[0] for process in range(4)] == [22, 22, 2200, 2200]
    notebook.cell("%t = stablehlo.add %r#0, %s#3 : tensor<2xf32>")
    assert notebook.value("t") == [2189, 2189]
    assert "%r names 4 values; write %r#{process}" in notebook.failure("%grid 4x1 @sum(%r)").message


def test_processes_may_run_functions_of_their_own_with_fewer_results(notebook: Notebook) -> None:
    notebook.cell(
        "func.func @f_0() {\n  return\n}\nfunc.func @f_1() -> (tensor<ui32>, tensor<i1>) {\n"
        "  %0 = stablehlo.partition_id : tensor<ui32>\n  %1 = stablehlo.constant dense<true> : tensor<i1>\n"
        "  return %0, %1 : tensor<ui32>, tensor<i1>\n}"
    )
    assert notebook.cell("%grid 1x2 @f_{partition}").titles == [
        "%_0 : tensor<ui32> in 1 process of 2",
        "%_1 : tensor<i1> in 1 process of 2",
    ]
    assert notebook.value("_0#1") == 1
    assert notebook.cell("%grid 2x1 @f_0").text == "all 2 processes are done; they have no results\n"


def test_a_deadlock_has_its_lines_and_a_picture_and_changes_nothing(notebook: Notebook) -> None:
    notebook.cell(f"// functions\n{CROSSED}")
    before = notebook.session.state
    found = notebook.failure("%k = stablehlo.negate %x : tensor<8xf32>\n%grid 2x1 @crossed_{replica}([1.0])")
    assert notebook.session.state is before
    lines = plain(found.text).split("\n")
    assert lines[0].startswith(
        "In[2]:8:3: error: stablehlo.all_gather: deadlock: processes wait for each other"
    )
    assert lines[1].startswith('  %1 = "stablehlo.all_gather"(%0)')
    assert lines[2].startswith("  ^~~~~")
    assert lines[3] == "In[2]:3:3: note: (0, 0) waits here"
    picture = notebook.seen.shown[-1]
    assert "W waiting 2" in picture["text/plain"]
    assert "@crossed_0, In[2]:3:3" in picture["text/plain"]
    assert "@crossed_1, In[2]:8:3" in picture["text/html"]
    assert "this closes the cycle" in picture["text/html"]


def test_a_process_that_fails_is_marked_among_the_others(notebook: Notebook) -> None:
    found = notebook.failure("%grid 2x2 @sum([1.0, 2.0])")
    assert plain(found.text).startswith("In[1]:3:3: error: stablehlo.all_reduce: ")
    assert notebook.seen.shown[0]["text/plain"] == "R ready 3, F failed 1\n(0, 0) FR\n(1, 0) RR"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("@sum(%x)", "the grid or the call is missing"),
        ("2 @sum(%x)", "2 is no grid"),
        ("999999x999999 @sum(%x)", "at most 65536 processes"),
        ("4x1 @sum(%x)", "%x is tensor<8xf32>, but must be tensor<2xf32>"),
        ("3x1 --split 0 @sum(%x)", "%x is tensor<8xf32>, but must be tensor<6xf32>"),
        ("4x1 --split 1 @sum(%x)", "no argument 1 to split"),
        (
            "4x1 @sum(%x) --slip 0",
            "expected --sanitize, --engine, --engine-command, --platform or --devices, got --slip",
        ),
        ("4x1 %a, %b = @sum(%x) --split 0", "gives 1 result, 2 names are given"),
        ("2x1 @f_{replica}", "no function @f_0"),
    ],
)
def test_a_grid_that_cannot_be_run_says_why(notebook: Notebook, call: str, message: str) -> None:
    assert message in notebook.failure(f"%grid {call}").message


@pytest.mark.timeout(60)
def test_an_interrupt_ends_a_grid(notebook: Notebook) -> None:
    notebook.cell(
        "func.func @forever(%x: tensor<i1>) -> tensor<i1> {\n"
        "  %0 = stablehlo.while(%y = %x) : tensor<i1>\n"
        "  cond {\n    stablehlo.return %y : tensor<i1>\n  } do {\n    stablehlo.return %y : tensor<i1>\n  }\n"
        "  return %0 : tensor<i1>\n}"
    )
    before = notebook.session.state

    def interrupted() -> None:
        threading.Timer(0.3, _thread.interrupt_main).start()
        notebook.cell("%y = stablehlo.negate %x : tensor<8xf32>\n%grid 2x2 @forever(true)")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert notebook.session.state is before


def test_many_values_take_few_lines(notebook: Notebook) -> None:
    notebook.cell(
        "func.func @id() -> tensor<ui32> {\n  %0 = stablehlo.replica_id : tensor<ui32>\n  return %0 : tensor<ui32>\n}"
    )
    shown = notebook.cell("%grid 500x1 %n = @id").shown[0]
    assert "and 436 more different values, such as %n#64" in shown["text/plain"]
    assert len(shown["text/html"]) < 20_000
    assert "%n:500  tensor<ui32>  2 KiB" in notebook.cell("%who").text
    assert len(notebook.cell("%n").shown) == 32
    assert notebook.seen.text == "and 468 more, from %n#32 on\n"


def test_hostile_names_stay_text(notebook: Notebook) -> None:
    name = HOSTILE.replace("\x1b", "\\1B")
    notebook.cell(CROSSED.replace("@crossed_0", f'@"{name}0"').replace("@crossed_1", f'@"{name}1"'))
    notebook.failure(f'%grid 2x1 @"{name}{{replica}}"([1.0])')
    picture = notebook.seen.shown[-1]
    assert {tag for tag, _ in Tags(picture["text/html"]).tags} <= {"div", "span", "b", "br"}
    assert "&lt;img" in picture["text/html"]
    assert "\x1b" not in picture["text/html"] + picture["text/plain"]


def test_options_and_numbers_are_completed_and_explained(notebook: Notebook) -> None:
    def complete(code: str) -> list[str]:
        return [match.text for match in completion.complete(notebook, code, len(code)).matches]

    assert "@sum" in complete("%grid 4x1 @")
    assert complete("%grid 4x1 --s") == ["--sanitize", "--split"]
    assert complete("%step --g") == ["--grid"]
    assert complete("%grid 4x1 @sum({p") == ["{process}", "{partition}"]
    data = completion.inspect(notebook, "%grid 4x1", 2)
    assert data is not None
    assert "--split 0:1" in data["text/plain"]
    assert "--split 0:1" in notebook.cell("%help grid").text
