"""The history of cells: kept over restarts, whatever is in its file."""

from __future__ import annotations

from pathlib import Path

from shlo_kernel.history import SIZE, CellHistory


def test_cells_of_earlier_sessions_are_found(tmp_path: Path) -> None:
    path = tmp_path / "shlo" / "history.jsonl"
    first = CellHistory(path)
    first.add(1, "%who")
    first.add(2, "%x = 1")
    second = CellHistory(path)
    second.add(1, "%y")
    assert second.last(2) == [(1, 2, "%x = 1"), (2, 1, "%y")]
    assert second.between(0, 1, None) == [(0, 1, "%y")]
    assert second.between(-1, 1, 2) == second.between(1, 1, 2) == [(1, 1, "%who")]
    assert second.matching("%x*", None, True) == [(1, 2, "%x = 1")]


def test_a_file_with_anything_in_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_bytes(b'[1, 1, "good"]\n\xff{\n[1]\n["a", 1, "b"]\n[true, 1, "c"]\n' + b"[" * 5000 + b"\n")
    assert CellHistory(path).last(None) == [(1, 1, "good")]


def test_a_long_file_is_shortened(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_text("".join(f'[1, {number}, "x"]\n' for number in range(2 * SIZE + 1)))
    assert len(CellHistory(path).last(None)) == SIZE
    assert path.read_text().count("\n") == SIZE
