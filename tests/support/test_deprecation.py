"""Deprecated names warn where they are used, and go in the version that their warning names."""

from __future__ import annotations

import ast
import re
import warnings

import pytest

import shlo
from shlo.support.deprecation import warn_deprecated
from tests.style.vocabulary import PACKAGES, ROOT


def old_name() -> None:
    warn_deprecated("old_name", "new_name", removed_in="9.0.0")


def calls() -> list[tuple[str, ast.Call]]:
    """Returns the calls of `warn_deprecated` in the packages, with their places."""
    found: list[tuple[str, ast.Call]] = []
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text("utf-8")
            if "warn_deprecated(" in text and path.name != "deprecation.py":
                nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
                found += [
                    (f"{path.relative_to(ROOT)}:{node.lineno}", node)
                    for node in nodes
                    if isinstance(node.func, ast.Name) and node.func.id == "warn_deprecated"
                ]
    return found


def release(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:3]))


def test_the_warning_is_of_the_line_that_uses_the_name() -> None:
    with pytest.warns(
        DeprecationWarning,
        match=r"^old_name is deprecated and will be removed in shlo 9\.0\.0; use new_name$",
    ):
        old_name()
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        old_name()
    assert given[0].filename == __file__


def test_no_deprecated_name_is_past_its_version() -> None:
    found = calls()
    assert found
    for place, call in found:
        (version,) = [each.value for each in call.keywords if each.arg == "removed_in"]
        assert isinstance(version, ast.Constant), place
        assert release(str(version.value)) > release(shlo.__version__), f"{place}: remove what it warns of"
