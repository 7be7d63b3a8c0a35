"""What the wheel carries besides Python: the JupyterLab extension, where `make labextension` has built it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = Path("shlo_kernel", "labextension", "build", "shlo-jupyterlab")
INSTALLED = "share/jupyter/labextensions/shlo-jupyterlab"


class LabExtensionHook(BuildHookInterface[Any]):
    """Adds the extension's files to the wheel; without them JupyterLab shows no colours."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Puts the folder into the data that installers copy to `share/jupyter`."""
        if Path(self.root, BUILT, "package.json").is_file():
            build_data["shared_data"][str(BUILT)] = INSTALLED
        else:
            self.app.display_warning(
                "the JupyterLab extension is not built (`make labextension`, wants Node): left out"
            )
