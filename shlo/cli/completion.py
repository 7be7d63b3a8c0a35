"""`shlo completion`: prints a script by which a shell completes the command's words."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINE
from shlo.command_line.options import describe


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo completion`."""
    from shlo.cli.help.completion import SCRIPTS

    describe(
        parser,
        "Print a script by which a shell completes subcommands, options and their values. The wheel\n"
        "installs the same scripts below share/ of its environment; this one also has the subcommands\n"
        "that other packages add.",
        ('eval "$(shlo completion bash)"', "in this shell, or in ~/.bashrc"),
        ("shlo completion zsh > DIR/_shlo", "DIR is a folder of zsh's fpath"),
        ("shlo completion fish > ~/.config/fish/completions/shlo.fish", "for fish"),
    )
    parser.add_argument("shell", choices=tuple(SCRIPTS), help="the shell")


def execute(options: Namespace, console: Console) -> int:
    """Prints the script."""
    from shlo.cli.help.completion import SCRIPTS
    from shlo.cli.help.parsers import commands_help

    console.print(SCRIPTS[options.shell](commands_help()), end="")
    return FINE
