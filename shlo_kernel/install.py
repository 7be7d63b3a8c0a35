"""The kernel's specification for Jupyter: installed, removed, listed."""

from __future__ import annotations

import json
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from jupyter_client.kernelspec import KernelSpecManager

from shlo.runner.errors import RequestError
from shlo.runner.files import reason

NAME: Final = "stablehlo"
DISPLAY_NAME: Final = "StableHLO"
FOLDER: Final = "kernelspec"
"""The folder of the package with what the wheel installs for Jupyter: `python` is the server's there."""


def specification(display_name: str = DISPLAY_NAME) -> dict[str, Any]:
    """Returns what Jupyter reads about the kernel: it runs with the Python that this is."""
    packaged: dict[str, Any] = json.loads(
        files("shlo_kernel").joinpath(FOLDER, "kernel.json").read_text("utf-8")
    )
    argv = [sys.executable, *packaged["argv"][1:]]
    return {**packaged, "argv": argv, "display_name": display_name}


def install(name: str = NAME, display_name: str = DISPLAY_NAME, prefix: str | None = None) -> str:
    """Writes the kernel's specification and logo where Jupyter looks for them; gives the folder.

    That is below a prefix, such as that of an environment, or the user's folder. Raises RequestError.
    """
    try:
        with tempfile.TemporaryDirectory() as folder:
            text = json.dumps(specification(display_name), indent=1) + "\n"
            Path(folder, "kernel.json").write_text(text, "utf-8", newline="\n")
            for file in files("shlo_kernel").joinpath(FOLDER).iterdir():
                if file.name != "kernel.json":
                    Path(folder, file.name).write_bytes(file.read_bytes())
            manager = KernelSpecManager()
            return manager.install_kernel_spec(folder, name, user=prefix is None, prefix=prefix)
    except ValueError as error:
        raise RequestError(str(error)) from None
    except OSError as error:
        raise RequestError(f"cannot install the kernel: {reason(error)}") from None


def remove(name: str = NAME) -> str:
    """Takes the kernel away; gives the folder that it was in. Raises RequestError."""
    if name not in installed():
        raise RequestError(f"no kernel of shlo has the name {name}", "shlo kernel list tells which there are")
    try:
        return KernelSpecManager(ensure_native_kernel=False).remove_kernel_spec(name)
    except OSError as error:
        raise RequestError(f"cannot remove the kernel: {reason(error)}") from None


def installed() -> dict[str, str]:
    """Returns the folders of shlo's kernels by name."""
    specifications = KernelSpecManager(ensure_native_kernel=False).get_all_specs()
    return {
        name: kernel["resource_dir"]
        for name, kernel in specifications.items()
        if "shlo_kernel" in kernel["spec"]["argv"]
    }
