"""One version, stated in one place and repeated by one command."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from release import version

ROOT = version.ROOT


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Returns a copy of the files that hold the version."""
    apis = {version.CURRENT_API, version.RELEASED_API}
    for path in {place.path for place in version.PLACES} | set(version.CHANGELOGS) | apis:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, tmp_path / path)
    return tmp_path


def test_all_files_have_the_version_of_the_package() -> None:
    import shlo

    assert version.current() == shlo.__version__
    assert version.differing() == []


def test_a_bump_changes_the_version_and_nothing_else(copy: Path) -> None:
    (copy / version.RELEASED_API).write_text("as it was\n")
    changed = version.bump("7.8.9", copy)
    assert version.differing(copy) == []
    own = {place.path for place in version.PLACES}
    assert set(changed) == own | {*version.CHANGELOGS, version.RELEASED_API}
    for path in own:
        before = (ROOT / path).read_text("utf-8").splitlines()
        after = (copy / path).read_text("utf-8").splitlines()
        assert len(before) == len(after)
        assert all("7.8.9" in new for old, new in zip(before, after) if old != new)
    assert (copy / "CHANGELOG.md").read_text("utf-8").split("\n## ")[1].strip() == "7.8.9"


def test_a_pre_release_is_spelled_as_each_file_wants_it(copy: Path) -> None:
    version.bump("1.0.0rc2", copy)
    assert '"version": "1.0.0-rc2"' in (copy / "web" / "package.json").read_text("utf-8")
    assert '"1.0.0rc2"' in (copy / "shlo" / "__init__.py").read_text("utf-8")
    assert version.differing(copy) == []


def test_what_is_no_version_changes_nothing(copy: Path) -> None:
    with pytest.raises(version.VersionError, match="expected a version such as"):
        version.bump("next", copy)
    assert version.differing(copy) == []


def test_a_file_without_its_version_is_named(copy: Path) -> None:
    (copy / "web" / "package.json").write_text("{}")
    with pytest.raises(version.VersionError, match=r"web/package\.json: expected 1"):
        version.bump("1.2.3", copy)
    assert version.current(copy) == version.current()


def test_a_file_with_another_version_is_named(copy: Path) -> None:
    path = copy / "editors" / "zed" / "Cargo.toml"
    path.write_text(path.read_text("utf-8").replace(version.current(), "9.9.9"), "utf-8")
    assert version.differing(copy) == ["editors/zed/Cargo.toml: 9.9.9"]
