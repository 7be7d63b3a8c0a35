"""The page about build servers: its workflow and its hooks are valid, and name what there is."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from shlo.cli import main

from .replay import ROOT

PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
TEXTS: list[str] = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
BLOCKS: list[dict[str, Any]] = [yaml.safe_load(text) for text in TEXTS]
HOOKS: list[dict[str, str]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))


@pytest.mark.slow
def test_the_workflow_is_valid(tmp_path: Path) -> None:
    path = tmp_path / "workflow.yml"
    path.write_text(TEXTS[0], "utf-8")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout


def test_its_commands_take_these_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "twice.mlir").write_text(PAGE.split("```mlir\n")[1].split("```")[0], "utf-8")
    steps = BLOCKS[0]["jobs"]["stablehlo"]["steps"]
    commands = [step["run"].split(">")[0] for step in steps if step.get("run", "").startswith("shlo ")]
    assert [main(shlex.split(command)[1:]) for command in commands] == [0, 0]
    assert '"version": "2.1.0"' in capsys.readouterr().out
    assert "doubles_small_numbers" in (tmp_path / "report.xml").read_text("utf-8")


@pytest.mark.parametrize("hook", HOOKS, ids=[hook["id"] for hook in HOOKS])
def test_a_hook_judges_a_file(hook: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "twice.mlir"
    path.write_text(PAGE.split("```mlir\n")[1].split("```")[0], "utf-8")
    without_tests = tmp_path / "model.mlir"
    without_tests.write_text(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n"
    )
    assert re.search(hook["files"], path.name)
    for file in (path, without_tests):
        assert main([*hook["entry"].split()[1:], str(file)]) == 0


def test_the_page_names_hooks_that_there_are() -> None:
    assert {hook["id"] for hook in BLOCKS[1]["repos"][0]["hooks"]} <= {hook["id"] for hook in HOOKS}
    (local,) = BLOCKS[2]["repos"][0]["hooks"]
    assert {"entry": local["entry"], "files": local["files"]}.items() <= HOOKS[0].items()
