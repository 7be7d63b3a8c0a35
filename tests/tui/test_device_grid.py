"""Where the cells of processes are: rows and columns of the last two axes, headings of the others."""

from __future__ import annotations

import pytest

from shlo.interpreter.topology.groups import GridShape
from shlo.interpreter.topology.mesh import DeviceMesh, MeshGridShape
from shlo_tui.render.device_grid import CellTable, fitting_table


def shape(*axes: tuple[str, int], replicas: int = 1, devices: tuple[int, ...] = ()) -> MeshGridShape:
    mesh = DeviceMesh.of(axes, devices)
    return MeshGridShape(replicas, mesh.size, mesh)


def lines(table: CellTable) -> list[tuple[str, list[int]]]:
    return [(table.label_of(line), list(table.processes(line))) for line in range(table.count)]


def test_rows_and_columns_are_the_last_two_axes() -> None:
    assert lines(fitting_table(shape(("data", 2), ("model", 4)), 100, 9)) == [
        ("data=0", [0, 1, 2, 3]),
        ("data=1", [4, 5, 6, 7]),
    ]
    assert lines(fitting_table(GridShape(2, 3), 100, 9)) == [("(0, 0)", [0, 1, 2]), ("(1, 0)", [3, 4, 5])]
    assert lines(fitting_table(shape(("x", 3)), 100, 9)) == [("(x=0)", [0, 1, 2])]


def test_other_axes_are_headings() -> None:
    assert lines(fitting_table(shape(("pipe", 2), ("data", 2), ("model", 2)), 100, 9)) == [
        ("pipe=0", []),
        ("data=0", [0, 1]),
        ("data=1", [2, 3]),
        ("pipe=1", []),
        ("data=0", [4, 5]),
        ("data=1", [6, 7]),
    ]
    two = shape(("x", 2), ("y", 2), replicas=2, devices=(0, 2, 1, 3))
    assert [label for label, _ in lines(fitting_table(two, 100, 9))][::3] == ["replica=0", "replica=1"]
    assert [there for _, there in lines(fitting_table(two, 100, 9)) if there] == [
        [0, 2],
        [1, 3],
        [4, 6],
        [5, 7],
    ]


def test_long_rows_take_several_lines() -> None:
    table = CellTable(shape(("data", 2), ("model", 4)), 2, 12, 20)
    assert lines(table)[1:3] == [("data=0, model=2", [2, 3]), ("data=1, model=0", [4, 5])]


@pytest.mark.parametrize(
    "grid", [shape(("a", 2), ("b", 3), ("c", 4)), shape(("a", 4), ("b", 2)), GridShape(3, 5), shape(("a", 7))]
)
@pytest.mark.parametrize("width", [10, 30, 80, 200])
def test_each_process_has_one_cell_and_is_reached_by_moving(grid: GridShape, width: int) -> None:
    table = fitting_table(grid, width, 6)
    assert sorted(number for _, there in lines(table) for number in there) == list(range(grid.size))
    for number in range(grid.size):
        line = table.line_of(number)
        column = list(table.processes(line)).index(number)
        assert table.process_at(line, table.label + column * table.cell) == number
        assert table.line_of(table.below(number, 1)) >= line
        assert table.line_of(table.below(number, -1)) <= line
        for step in (-99, 99):
            assert table.below(number, step) in range(grid.size)
    down, seen = 0, set[int]()
    while table.line_of(down) not in seen:
        seen.add(table.line_of(down))
        down = table.below(down, 1)
    assert seen == {line for line in range(table.count) if table.processes(line)}
