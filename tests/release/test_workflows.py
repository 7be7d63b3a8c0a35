"""Workflows of the code host: valid, and made of targets that run here too."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from release.version import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
PUBLISHING = {
    "provenance": {"attestations": "write", "id-token": "write"},
    "python": {"id-token": "write"},
    "extension": {"contents": "write"},
    "documentation": {"id-token": "write", "pages": "write"},
}
"""The permissions of the jobs of a release."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def steps(path: Path) -> list[dict[str, Any]]:
    """Returns the steps of all jobs of a workflow."""
    jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"].values()
    return [step for job in jobs for step in job["steps"]]


@pytest.mark.parametrize(("schema", "paths"), [("workflows", WORKFLOWS), ("issue-forms", FORMS)])
def test_files_follow_the_schema(schema: str, paths: list[Path]) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.github-{schema}"]
    done = subprocess.run(
        [*command, *map(str, paths)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", WORKFLOWS, ids=[path.stem for path in WORKFLOWS])
def test_steps_call_targets_that_there_are(path: Path) -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    called = [
        word
        for step in steps(path)
        for arguments in re.findall(r"\bmake ([^|)\"]*)", step.get("run", ""))
        for word in arguments.split()
        if re.fullmatch(r"[a-z][a-z0-9-]*", word)
    ]
    assert called
    assert set(called) <= targets


def unknown_names(workflow: dict[str, Any]) -> list[str]:
    """Returns what jobs refer to that there is not: other jobs, entries of their matrix, ids of their steps."""
    unknown: list[str] = []
    for name, job in workflow["jobs"].items():
        needs = job.get("needs", [])
        matrix = job.get("strategy", {}).get("matrix", {})
        entries = {*matrix, *(key for each in matrix.get("include", []) for key in each)}
        ids = {step["id"] for step in job["steps"] if "id" in step}
        text = yaml.safe_dump(job, width=1000)
        unknown += [
            f"{name}: {what}"
            for what, known, used in (
                ("needs", set(workflow["jobs"]), {needs} if isinstance(needs, str) else set(needs)),
                ("matrix", entries, set(re.findall(r"\bmatrix\.([\w-]+)", text))),
                ("steps", ids, set(re.findall(r"\bsteps\.([\w-]+)\.", text))),
            )
            if used - known
        ]
    return unknown


def test_jobs_refer_to_jobs_matrices_and_steps_that_there_are() -> None:
    for path in WORKFLOWS:
        assert unknown_names(yaml.safe_load(path.read_text("utf-8"))) == []


def test_references_to_nothing_are_found() -> None:
    job = {
        "needs": ["build", "tests"],
        "strategy": {"matrix": {"os": ["linux"], "include": [{"os": "linux", "python": "3.11"}]}},
        "steps": [
            {"id": "deploy", "run": "${{ matrix.python }} ${{ matrix.oz }} ${{ steps.deployed.outputs.url }}"}
        ],
    }
    workflow = {"jobs": {"build": {"steps": []}, "publish": job}}
    assert unknown_names(workflow) == ["publish: needs", "publish: matrix", "publish: steps"]


def test_no_workflow_may_write_but_the_jobs_that_publish() -> None:
    for path in WORKFLOWS:
        workflow = yaml.safe_load(path.read_text("utf-8"))
        assert workflow["permissions"] == {"contents": "read"}
        granted = {name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job}
        assert granted == (PUBLISHING if path.stem == "release" else {})


def test_a_checkout_leaves_no_token_behind() -> None:
    checkouts = [
        step
        for path in WORKFLOWS
        for step in steps(path)
        if step.get("uses", "").startswith("actions/checkout@")
    ]
    assert checkouts
    assert [step for step in checkouts if step.get("with", {}).get("persist-credentials") is not False] == []


def test_figures_of_a_night_are_kept_for_the_next_one() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "nightly.yml").read_text("utf-8"))["jobs"]
    restored, saved = (
        next(step for step in jobs["benchmarks"]["steps"] if f"actions/cache/{what}@" in step.get("uses", ""))
        for what in ("restore", "save")
    )
    folder = re.search(r"^FIGURES := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert folder
    assert restored["with"]["path"] == saved["with"]["path"] == folder[1]
    assert restored["with"]["key"] == saved["with"]["key"]
    assert saved["with"]["key"].startswith(restored["with"]["restore-keys"])
    assert saved["if"] == "always()"


def test_a_pipe_fails_with_its_first_command() -> None:
    for step in (step for path in WORKFLOWS for step in steps(path)):
        assert not re.search(r"[^|]\|[^|]", step.get("run", "")) or step.get("shell") == "bash", step


def test_end_to_end_tests_skip_nothing() -> None:
    jobs = [job for path in WORKFLOWS for job in yaml.safe_load(path.read_text("utf-8"))["jobs"].values()]
    found = [(job, step) for job in jobs for step in job["steps"] if step.get("run") == "make e2e"]
    assert found
    for job, step in found:
        assert step["env"]["E2E_REQUIRED"] == "1"
        assert any(each.get("uses", "").startswith("actions/setup-node@") for each in job["steps"])


def test_the_matrix_has_every_python_that_the_package_names() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))["jobs"]
    tested = {
        version for version in jobs["tests"]["strategy"]["matrix"]["python"] if not version.endswith("t")
    }
    named = {line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)}
    assert tested == named


def test_the_conda_recipe_has_the_dependencies_of_the_package() -> None:
    recipe = yaml.safe_load((ROOT / "packaging" / "conda" / "recipe.yaml").read_text("utf-8"))
    of_conda = {
        line.replace(" ", "").replace("msgpack-python", "msgpack") for line in recipe["requirements"]["run"]
    }
    assert {line for line in of_conda if not line.startswith("python")} == set(PROJECT["dependencies"])
    (imports,) = [test["python"]["imports"] for test in recipe["tests"] if "python" in test]
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"][
        "wheel"
    ]
    assert set(imports) == {package.rpartition("/")[2] for package in wheel["packages"]}


def test_actions_are_pinned_by_commit_with_their_version() -> None:
    for path in WORKFLOWS:
        uses = re.findall(r"uses: (.*)", path.read_text("utf-8"))
        assert [
            each for each in uses if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each)
        ] == []
