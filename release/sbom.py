"""Writes what a release depends on, as CycloneDX 1.6: `python -m release.sbom OUT.json`.

Its components are the distributions that pyproject.toml names, as they are installed here, with all that they
need, and the packages of npm that are built into the views and the extension. The same installation gives the
same bytes.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import uuid
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final

from release.version import ROOT, current

LOCKS: Final = tuple(ROOT / folder / "package-lock.json" for folder in ("web", "vscode-extension"))
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def _python_components() -> dict[str, dict[str, Any]]:
    """Returns a component for each distribution that is installed of what shlo needs, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    waiting = [*project["dependencies"], *project["optional-dependencies"]["all"]]
    extras = project["optional-dependencies"]
    components: dict[str, dict[str, Any]] = {}
    while waiting:
        requirement = waiting.pop()
        match = _NAME.match(requirement)
        if match is None or "extra ==" in requirement:
            continue
        name = re.sub(r"[-_.]+", "-", match[0]).lower()
        if name == "shlo":
            waiting += [each for extra in requirement[5:-1].split(",") for each in extras[extra]]
            continue
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue  # of another system
        if name not in components:
            licence = found.metadata.json.get("license_expression")
            components[name] = _component("pypi", name, found.version, str(licence) if licence else None)
            waiting += found.requires or []
    return components


def _npm_components() -> dict[str, dict[str, Any]]:
    """Returns a component for each package of npm that the views and VS Code's extension carry, by name."""
    components: dict[str, dict[str, Any]] = {}
    for lock in LOCKS:
        packages = json.loads(lock.read_text("utf-8"))["packages"] if lock.exists() else {}
        for path, entry in packages.items():
            if path and not entry.get("dev") and not entry.get("link"):
                name = path.rpartition("node_modules/")[2]
                components[name] = _component("npm", name, entry["version"], entry.get("license"))
    return components


def _component(registry: str, name: str, version: str, licence: str | None) -> dict[str, Any]:
    address = f"pkg:{registry}/{name.replace('@', '%40')}@{version}"
    licences = {"licenses": [{"expression": licence}]} if licence else {}
    names = {"bom-ref": address, "name": name, "version": version, "purl": address}
    return {"type": "library", **names, **licences}


def bill() -> dict[str, Any]:
    """Returns the bill of materials."""
    subject = _component("pypi", "shlo", current(), "Apache-2.0")
    components = sorted((_python_components() | _npm_components()).values(), key=lambda each: each["purl"])
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([subject, components]))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
        "metadata": {"component": subject},
        "components": components,
    }


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(bill(), indent=1) + "\n", "utf-8", newline="\n")
