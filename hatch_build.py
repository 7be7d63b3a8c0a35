"""What the wheel carries besides Python: Jupyter's kernel, the JupyterLab extension, scripts of the views."""

# pyright: reportMissingImports=false
from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = Path("shlo_kernel", "labextension", "build", "shlo-jupyterlab")
INSTALLED = "share/jupyter/labextensions/shlo-jupyterlab"
KERNEL = Path("shlo_kernel", "kernelspec")
_VIEW_NAMES = ("tensor", "graph", "source", "timeline", "report", "replay")
VIEWS = [Path("web", "dist", f"{name}_view.js") for name in _VIEW_NAMES]
ASSETS = Path("shlo", "pages", "assets")
"""Where `shlo.pages.bundle` looks for the scripts of the views."""
INSTALLED_KERNEL = "share/jupyter/kernels/stablehlo"


REMEDY = "with Node, in the clone: make web labextension && pip install --force-reinstall --no-deps ."


class LabExtensionHook(BuildHookInterface[Any]):
    """Adds files that installers copy to `share/jupyter`. Without the extension JupyterLab shows no colours:
    a wheel for others (SHLO_RELEASE=1, as `make wheel` sets it) is not built without it."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build_data["shared_data"][str(KERNEL)] = INSTALLED_KERNEL
        built = [script for script in VIEWS if Path(self.root, script).is_file()]
        for script in built:
            build_data["force_include"][str(script)] = str(ASSETS / script.name)
        missing = [] if built == VIEWS else ["the views of `web` are not built (`make web`)"]
        if Path(self.root, BUILT, "package.json").is_file():
            build_data["shared_data"][str(BUILT)] = INSTALLED
        else:
            missing.append("the JupyterLab extension is not built (`make labextension`)")
        if missing:
            self._miss(f"{' and '.join(missing)}: {REMEDY}")

    def _miss(self, message: str) -> None:
        if os.environ.get("SHLO_RELEASE"):
            raise RuntimeError(message)
        self.app.display_warning(f"{message}: left out")
