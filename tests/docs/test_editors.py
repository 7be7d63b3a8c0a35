"""The files of `editors/` that no editor here reads."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

EDITORS = Path(__file__).parents[2] / "editors"


def toml(path: str) -> dict[str, Any]:
    return tomllib.loads((EDITORS / path).read_text("utf-8"))


def test_helix_starts_the_server_for_programs() -> None:
    settings = toml("helix/languages.toml")
    (language,) = settings["language"]
    server = settings["language-server"][language["language-servers"][0]]
    assert (language["file-types"], server["command"], server["args"]) == (["mlir"], "shlo", ["lsp"])


def test_zed_has_the_server_for_its_language() -> None:
    extension, package = toml("zed/extension.toml"), toml("zed/Cargo.toml")["package"]
    language = toml("zed/languages/mlir/config.toml")
    server = extension["language_servers"]["shlo"]
    assert language["path_suffixes"] == ["mlir"]
    assert language["name"] in server["languages"]
    assert set(server["language_ids"]) == set(server["languages"])
    assert extension["version"] == package["version"]
