"""`shlo doctor`: what it finds, what it advises, and what a report holds."""

from __future__ import annotations

import json
import re
import sys
import tomllib
import zipfile
from importlib.metadata import EntryPoint, EntryPoints, PathDistribution
from pathlib import Path

import pytest

from shlo.cli.installation.doctor import checks, packages
from shlo.cli.installation.doctor.packages import satisfies
from shlo.cli.installation.doctor.report import without_names
from shlo.command_line import health
from shlo.engines.xla import runtime

from .conftest import Shlo


def found(shlo: Shlo, name: str) -> dict[str, str]:
    """Returns the check of a name."""
    checks = json.loads(shlo("doctor", "--format", "json").out)["checks"]
    return next(check for check in checks if check["name"] == name)


@pytest.fixture(autouse=True)
def quick(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """XLA takes a second or two to start: it does in the tests that are marked as those of an oracle."""
    if request.node.get_closest_marker("oracle") is None:
        monkeypatch.setattr(checks, "find_spec", lambda name: None)


@pytest.mark.oracle
def test_xla_is_judged_by_whether_it_runs_a_program(shlo: Shlo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "requires", lambda _: ['jax>=0.10.2; extra == "xla"'])
    check = found(shlo, "a program runs with XLA")
    assert (check["state"], check["detail"]) == ("ok", "stablehlo.add of [1, 2] and itself gives [2, 4]")
    monkeypatch.setattr(runtime, "find_spec", lambda name: None)
    check = found(shlo, "a program runs with XLA")
    assert (check["state"], check["advice"].startswith("pip install")) == ("broken", True)


def test_the_extras_put_no_older_jax_in_the_place_of_a_newer_one() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    named = [each for extra in project["optional-dependencies"].values() for each in extra]
    versions = [each.lstrip("jaxlib") for each in named if re.match(r"jax(lib)?\b", each)]
    assert versions
    assert all(satisfies("99.0", each) for each in versions)


def test_each_extra_of_the_project_is_told_of() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    (everything, *_) = project["optional-dependencies"]["all"]
    assert set(everything.removeprefix("shlo[").removesuffix("]").split(",")) == set(packages.EXTRAS)


def test_an_installation_that_works_is_fine(shlo: Shlo) -> None:
    outcome = shlo("doctor")
    assert (outcome.code, outcome.err) == (0, "")
    assert "ok      a program runs: stablehlo.add" in outcome.out
    assert "broken" not in outcome.out


def test_a_missing_extra_comes_with_the_command_that_installs_it(
    shlo: Shlo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages, "requires", lambda _: ["numpy>=2.0", 'no-such-package>=1; extra == "tui"'])
    check = found(shlo, "no-such-package")
    assert (check["state"], check["part"]) == ("absent", "extra tui: the debugger on the terminal")
    assert check["advice"].endswith(health.package_command("shlo[tui]"))


def test_a_package_of_another_version_is_broken(shlo: Shlo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "requires", lambda _: ["numpy>=99", "missing>=1"])
    assert shlo("doctor").code == 1
    check = found(shlo, "numpy")
    assert (check["state"], check["detail"].startswith("expected >=99, got ")) == ("broken", True)
    assert check["advice"].endswith(health.package_command("numpy>=99"))
    assert found(shlo, "missing")["state"] == "broken"


@pytest.mark.parametrize(
    ("installed", "versions", "fits"),
    [
        ("2.1.3", ">=2.1", True),
        ("2.0", ">=2.1,<3", False),
        ("3.0.0", "<3", False),
        ("0.10.2", "<0.11,>=0.10.2", True),
        ("1.0", "==1.0.0", True),
        ("1.0.post1", "!=1.0", False),
        ("1.5", "~=1.4", True),
        ("1.5", "", True),
    ],
)
def test_versions_are_compared(installed: str, versions: str, fits: bool) -> None:
    assert satisfies(installed, versions) == fits


def test_an_extension_that_does_not_load_is_broken(shlo: Shlo, monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("odd", "no_such_module", "shlo.commands"),
        EntryPoint("own", "nowhere:X", "shlo.passes"),
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **keys: EntryPoints(points).select(**keys))
    assert "No module named 'no_such_module'" in found(shlo, "shlo odd")["detail"]
    assert found(shlo, "passes own of unknown")["state"] == "broken"


@pytest.mark.parametrize(
    ("file", "commands"),
    [
        (
            "pipx_metadata.json",
            ("pipx install --force", "pipx upgrade shlo", "pipx runpip shlo install"),
        ),
        ("uv-receipt.toml", ("uv tool install", "uv tool upgrade shlo", "uv pip install --python python")),
        ("none", ("python -m pip install", "python -m pip install --upgrade shlo", "python -m pip install")),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="quotes of a POSIX shell")
def test_advice_is_for_the_tool_that_installed_shlo(
    file: str, commands: tuple[str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / file).touch()
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setattr("sys.executable", "python")
    monkeypatch.setattr("importlib.metadata.distribution", lambda _: PathDistribution(tmp_path))
    extra, upgrade, package = commands
    assert health.install_command("shlo[lsp]") == f"{extra} 'shlo[lsp]'"
    assert health.upgrade_command("shlo") == upgrade
    assert health.upgrade_command("plugin") == f"{package} --upgrade plugin"
    assert health.package_command("numpy") == f"{package} numpy"


@pytest.mark.skipif(sys.platform == "win32", reason="quotes of a POSIX shell")
def test_an_extra_is_installed_beside_those_that_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`uv tool install` would take the others away."""
    (tmp_path / "uv-receipt.toml").touch()
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setattr("sys.executable", "python")
    monkeypatch.setattr(packages, "requirements", lambda: [packages.Requirement("no-such", "", "lsp")])
    (check,) = packages.package_checks()
    assert (check.state, check.advice) == ("absent", "uv pip install --python python 'shlo[lsp]'")


@pytest.mark.parametrize(
    ("record", "end"),
    [
        ({"url": "file:///src/my%20shlo", "dir_info": {"editable": True}}, "--editable '/src/my shlo'"),
        ({"url": "file:///src/shlo.whl", "archive_info": {}}, "--force-reinstall /src/shlo.whl"),
        (
            {"url": "https://host/shlo", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            "--force-reinstall 'shlo @ git+https://host/shlo@abc'",
        ),
        (None, "install shlo again, the way it was installed"),
        ({}, "install shlo again, the way it was installed"),
        ([], "install shlo again, the way it was installed"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="paths and quotes of a POSIX shell")
def test_advice_to_install_again_names_the_source(
    record: object, end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if record is not None:
        (tmp_path / "direct_url.json").write_text(json.dumps(record))
    monkeypatch.setattr("importlib.metadata.distribution", lambda _: PathDistribution(tmp_path))
    assert health.reinstall_advice().endswith(end)


def test_a_report_holds_what_it_says_and_no_names(
    shlo: Shlo, tmp_path: Path, distance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home" / "jane"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("LOGNAME", "jane")
    monkeypatch.setenv("API_TOKEN", "sesame")
    monkeypatch.setenv("XLA_FLAGS", f"--xla_dump_to={home}/dumps")
    monkeypatch.setattr("sys.argv", ["shlo"])
    path = tmp_path / "bug.zip"
    outcome = shlo("doctor", "--report", path, distance)
    assert outcome.code == 0
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name).decode() for name in archive.namelist()}
    assert all(name in outcome.err for name in members)
    assert members.pop("files/0-distance.mlir") == distance.read_text()
    assert sorted(members) == ["checks.json", "packages.json", "system.json"]
    told = "".join(members.values())
    assert "sesame" not in told
    assert "jane" not in told
    assert json.loads(members["system.json"])["variables"]["XLA_FLAGS"] == "--xla_dump_to=~/dumps"
    assert "numpy" in json.loads(members["packages.json"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("/home/jane/x jane in JANE/jane", "~/x USER in USER/USER"),
        ("/data/jane_work/env, jane-laptop", "/data/USER_work/env, USER-laptop"),
        ("/home/janet/x", "/home/USER/x"),
        ("-I/home/jane:/home/jane.old/x", "-I~:/home/USER/x"),
        (r"C:/Users/JANE and D:\Users\Jane Doe\env", r"C:/Users/USER and D:\Users\USER\env"),
        (r"C:\Users\bob is not C:\Users\eve", r"C:\Users\USER is not C:\Users\USER"),
        ("/Users/bob/x, /var/home/eve/y", "/Users/USER/x, /var/home/USER/y"),
        ("a\njane", "a\nUSER"),
        ("janette of 2jane4", "janette of 2jane4"),
    ],
)
def test_names_are_replaced_as_words(text: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.expanduser", lambda path: "/home/jane" + path.removeprefix("~"))
    monkeypatch.setenv("LOGNAME", "jane")
    assert without_names([text, {"of": text}]) == [told, {"of": told}]


def test_names_of_others_are_replaced_for_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.expanduser", lambda path: "/root" + path.removeprefix("~"))
    monkeypatch.setenv("LOGNAME", "root")
    assert without_names("/home/jane/env/bin/python, /root/x") == "/home/USER/env/bin/python, ~/x"


def test_a_home_of_another_spelling_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.expanduser", lambda path: r"C:\Users\Jane Doe" + path.removeprefix("~"))
    monkeypatch.setenv("LOGNAME", "jd")
    assert without_names(r"c:/users/jane doe/x, C:\Users\Jane Doe, 1") == "~/x, ~, 1"


def test_names_do_not_replace_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "python")
    assert without_names({"python": ["python", 3, None]}) == {"python": ["USER", 3, None]}


def test_files_without_a_report_are_refused(shlo: Shlo, distance: Path) -> None:
    outcome = shlo("doctor", distance)
    assert (outcome.code, "add --report" in outcome.err) == (2, True)


def test_a_report_of_a_file_that_is_not_there_is_not_written(shlo: Shlo, tmp_path: Path) -> None:
    path = tmp_path / "bug.zip"
    assert shlo("doctor", "--report", path, tmp_path / "nothing.mlir").code == 2
    assert not path.exists()


def test_completion_prints_a_script(shlo: Shlo) -> None:
    outcome = shlo("completion", "fish")
    assert (outcome.code, outcome.err) == (0, "")
    assert "-l engine -x -a 'interpreter reference xla'" in outcome.out
