"""`shlo kernel`: install the Jupyter kernel, or take it away."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINE
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
