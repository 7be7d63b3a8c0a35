"""`shlo completion`: prints a script by which a shell completes the command's words."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from shlo.cli.help import Argument, CommandHelp
from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINE
from shlo.command_line.options import describe


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo completion`."""
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
    from shlo.cli.help import commands_help

    console.print(SCRIPTS[options.shell](commands_help()), end="")
    return FINE


def bash_script(commands: Sequence[CommandHelp]) -> str:
    """Returns a script for bash 3.2 and newer. Where it offers nothing, bash completes file names."""
    names = " ".join(command.name for command in commands)
    lines = [
        "# Completion of `shlo` for bash; `shlo completion bash` writes it.",
        "_shlo() {",
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=",
        "    COMPREPLY=()",
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        f'        words="{names} --help --version"',
        "    else",
        '        case "${COMP_WORDS[1]} $previous" in',
        *(f"            {line}" for command in commands for line in _bash_values(command)),
        "        *)",
        '            case "$current" in',
        "            -*)",
        '                case "${COMP_WORDS[1]}" in',
        *(
            f'                {command.name}) words="{" ".join(_flags(command.options))}" ;;'
            for command in commands
        ),
        "                esac ;;",
        "            *)",
        '                [ "$COMP_CWORD" -eq 2 ] && case "${COMP_WORDS[1]}" in',
        f'                help) words="{names}" ;;',
        *(
            f'                {command.name}) words="{" ".join(command.positionals[0].choices)}" ;;'
            for command in commands
            if command.positionals and command.positionals[0].choices
        ),
        "                esac ;;",
        "            esac ;;",
        "        esac",
        "    fi",
        '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
        "}",
        "complete -o default -F _shlo shlo",
    ]
    return "\n".join(lines) + "\n"


def zsh_script(commands: Sequence[CommandHelp]) -> str:
    """Returns a script for zsh, to be named `_shlo` in a folder of `fpath`."""
    lines = [
        "#compdef shlo",
        "# Completion of `shlo` for zsh; `shlo completion zsh` writes it.",
        "_shlo() {",
        "  local -a commands",
        "  commands=(",
        *(f"    {shlex.quote(f'{command.name}:{command.summary}')}" for command in commands),
        "  )",
        "  if (( CURRENT == 2 )); then",
        "    _describe -t commands command commands",
        "    return",
        "  fi",
        "  local command=$words[2]",
        "  shift words",
        "  (( CURRENT-- ))",
        "  case $command in",
    ]
    for command in commands:
        arguments = [_zsh_option(flag, option) for option in command.options for flag in option.flags]
        arguments += [_zsh_positional(argument) for argument in command.positionals]
        lines += [
            f"    {command.name})",
            "      _arguments \\",
            *(f"        {shlex.quote(argument)} \\" for argument in arguments),
            "      ;;",
        ]
        lines[-2] = lines[-2].removesuffix(" \\")
    return "\n".join([*lines, "  esac", "}", '_shlo "$@"']) + "\n"


def fish_script(commands: Sequence[CommandHelp]) -> str:
    """Returns a script for fish."""
    lines = ["# Completion of `shlo` for fish; `shlo completion fish` writes it."]
    for command in commands:
        summary = shlex.quote(command.summary)
        lines.append(f"complete -c shlo -n __fish_use_subcommand -f -a {command.name} -d {summary}")
    for command in commands:
        condition = f"complete -c shlo -n '__fish_seen_subcommand_from {command.name}'"
        for option in command.options:
            lines.append(f"{condition} {_fish_option(option)}")
        for argument in command.positionals[:1]:
            if argument.choices:
                lines.append(f"{condition} -f -a '{' '.join(argument.choices)}'")
    return "\n".join(lines) + "\n"


SCRIPTS: Final[Mapping[str, Callable[[Sequence[CommandHelp]], str]]] = MappingProxyType(
    {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}
)
"""Functions that write the scripts, by the name of the shell."""


def _flags(options: Iterable[Argument]) -> Iterator[str]:
    for option in options:
        yield from option.flags


def _bash_values(command: CommandHelp) -> Iterator[str]:
    """Yields what completes the value of each option: a choice, or (an empty list) a file."""
    for option in command.options:
        if option.value:
            pattern = "|".join(f'"{command.name} {flag}"' for flag in option.flags)
            yield f'{pattern}) words="{" ".join(option.choices)}" ;;'


def _zsh_option(flag: str, option: Argument) -> str:
    start = f"{'*' if option.is_repeated else ''}{flag}[{_zsh_text(option.help)}]"
    return start + (f":{_zsh_text(option.value)}:{_zsh_values(option)}" if option.value else "")


def _zsh_positional(argument: Argument) -> str:
    message = f"{_zsh_text(argument.help or argument.value)}:{_zsh_values(argument)}"
    return f"*:{message}" if argument.is_repeated else f"{':' if argument.is_required else '::'}{message}"


def _zsh_values(argument: Argument) -> str:
    return f"({' '.join(argument.choices)})" if argument.choices else "_files"


def _zsh_text(text: str) -> str:
    for mark in "\\[]:":
        text = text.replace(mark, f"\\{mark}")
    return text


def _fish_option(option: Argument) -> str:
    words = [f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags]
    if option.choices:
        words.append(f"-x -a '{' '.join(option.choices)}'")
    elif option.value:
        words.append("-r")
    return " ".join([*words, f"-d {shlex.quote(option.help)}"])
