"""`shlo kernel`: install or remove the Jupyter kernel."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINE
from shlo.command_line.health import HealthCheck, reinstall_advice
from shlo.command_line.options import describe, need

SUMMARY = "install the Jupyter kernel, or take it away"


def configure(parser: ArgumentParser) -> None:
    """Adds the options of the command."""
    describe(
        parser,
        "Tell Jupyter about the kernel whose cells are StableHLO. It is installed in the virtual\n"
        "environment that shlo runs in, and where that is none, for the user.",
        ("shlo kernel install", "in this environment, or for this user"),
        ("shlo kernel install --user", "for all of this user's environments"),
        ("shlo kernel list", "where it is installed"),
        ("shlo kernel remove", "take it away"),
    )
    parser.add_argument("action", choices=("install", "remove", "uninstall", "list"), help="what to do")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--user", action="store_true", help="install in the user's folder")
    where.add_argument("--sys-prefix", action="store_true", help="install in this Python environment")
    where.add_argument("--prefix", metavar="DIR", help="install below DIR/share/jupyter/kernels")
    parser.add_argument("--name", default="stablehlo", help="the kernel's name (default: stablehlo)")
    parser.add_argument("--display-name", default="StableHLO", metavar="TEXT", help="how menus call it")


def execute(options: Namespace, console: Console) -> int:
    """Carries the command out."""
    need("kernel", "ipykernel", "ipywidgets")
    from shlo_kernel import install

    if options.action == "install":
        in_environment = sys.prefix != sys.base_prefix and not options.user
        prefix = options.prefix or (sys.prefix if options.sys_prefix or in_environment else None)
        folder = install.install(options.name, options.display_name, prefix)
        console.print(f"installed the kernel {options.name} in {folder}")
    elif options.action == "list":
        for name, folder in sorted(install.installed().items()):
            console.print(f"{name}  {folder}")
    else:
        console.print(f"removed {install.remove(options.name)}")
    return FINE


def checks() -> Iterator[HealthCheck]:
    """Yields what Jupyter finds of shlo, for `shlo doctor`; nothing where Jupyter is not installed."""
    if find_spec("jupyter_core") is None or find_spec("ipykernel") is None:
        return
    from shlo_kernel import install

    yield from _kernel_checks(install.installed())
    if find_spec("jupyterlab") is not None:
        yield _extension_check()
    yield _views_check()


def _kernel_checks(installed: dict[str, str]) -> Iterator[HealthCheck]:
    if not installed:
        yield HealthCheck("Jupyter", "kernel", "absent", "Jupyter finds none of shlo", "shlo kernel install")
    for name, folder in sorted(installed.items()):
        python = json.loads(Path(folder, "kernel.json").read_text("utf-8"))["argv"][0]
        if Path(python).is_absolute() and not Path(python).exists():
            detail = f"{folder} names {python}, which is not there"
            yield HealthCheck("Jupyter", f"kernel {name}", "broken", detail, "shlo kernel install")
        else:
            yield HealthCheck("Jupyter", f"kernel {name}", "ok", folder)


def _views_check() -> HealthCheck:
    from shlo.pages.bundle import VIEWS, view_script

    missing = [view for view in VIEWS if view_script(view) is None]
    if not missing:
        return HealthCheck("Jupyter", "views in notebooks and pages", "ok", ", ".join(VIEWS))
    detail = f"not built: {', '.join(missing)}: pictures without sliders, search and steps"
    advice = f"install a wheel; from sources, with Node, `make web` and then: {reinstall_advice()}"
    return HealthCheck("Jupyter", "views in notebooks and pages", "absent", detail, advice)


def _extension_check() -> HealthCheck:
    from jupyter_core.paths import jupyter_path

    for folder in jupyter_path("labextensions", "shlo-jupyterlab"):
        if Path(folder, "package.json").is_file():
            return HealthCheck("Jupyter", "extension of JupyterLab", "ok", folder)
    detail = "not found: cells have no colours (an install from sources has none without Node)"
    advice = f"install a wheel; from sources, after `make labextension`: {reinstall_advice()}"
    return HealthCheck("Jupyter", "extension of JupyterLab", "absent", detail, advice)
