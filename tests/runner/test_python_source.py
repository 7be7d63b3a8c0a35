"""Files of Python that locations name are found below the folders that a user trusts."""

from __future__ import annotations

from pathlib import Path

from shlo.runner.python_source import find_python_file


def test_of_files_of_one_name_the_one_that_is_named_is_found(tmp_path: Path) -> None:
    files = [tmp_path / folder / "model.py" for folder in ("one", "two")]
    for file in files:
        file.parent.mkdir()
        file.write_text("")
    folders = [str(file.parent) for file in files]
    for file in files:
        for order in (folders, folders[::-1], [str(tmp_path), *folders]):
            assert find_python_file(str(file), order) == file.resolve()
        elsewhere = f"/home/jane/{file.parent.name}/model.py"
        assert find_python_file(elsewhere, [*folders, str(tmp_path)]) == file.resolve()
    assert find_python_file("/home/jane/model.py", folders) == files[0].resolve()
    assert find_python_file("/etc/other.py", folders) is None
