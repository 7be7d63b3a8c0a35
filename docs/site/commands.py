"""Reference of the commands, from their parsers; of the debugger's commands and the magics, from their tables."""

from __future__ import annotations

from docs.site.stage import code, running_cell, running_text, table
from release.share import own_commands
from shlo.cli.help import Argument, CommandHelp
from shlo.debugger.commands.table import COMMANDS
from shlo_kernel.magics import MAGICS


def commands_page() -> str:
    """Returns the page of all subcommands."""
    head = (
        "# Commands and their options\n\nWhat `shlo COMMAND --help` says. [The commands by task](../commands.md) "
        "show output. The exit code is 0 when all is fine, 1 when the program has faults, 2 when the request "
        "could not be carried out.\n"
    )
    return "\n".join([head, *(_command(each) for each in own_commands())])


def _command(command: CommandHelp) -> str:
    text = [f"## shlo {command.name}\n", f"```text\n{command.synopsis}\n```\n"]
    text += [f"{running_text(' '.join(part.split()))}\n" for part in command.description.split("\n\n")]
    arguments = (*command.positionals, *command.options)
    text.append(table(("", ""), ((_written(each), running_cell(each.help)) for each in arguments)))
    if command.examples:
        lines = "\n".join(f"{line}  # {meaning}" for line, meaning in command.examples)
        text.append(f"```sh\n{lines}\n```\n")
    return "\n".join(text)


def _written(argument: Argument) -> str:
    if not argument.flags:
        return code(argument.value)
    return ", ".join(code(f"{flag} {argument.value}".strip()) for flag in argument.flags)


def debugger_page() -> str:
    """Returns the page of the debugger's commands."""
    rows = (
        (code(f"{each.name} {each.usage}".strip()), running_cell(each.summary), _others(each.names))
        for each in COMMANDS
    )
    head = (
        "# Commands of the debugger\n\nAt the prompt of `shlo debug` (`:` on its screen), in scripts, in the debug "
        "console of editors and in notebooks. [The debugger](../debugger.md) tells how to use them.\n\n"
    )
    return head + table(("command", "does", "also"), rows)


def _others(names: tuple[str, ...]) -> str:
    return ", ".join(map(code, names[1:]))


def magics_page() -> str:
    """Returns the page of the notebook's magics."""
    rows = ((code(each.written), running_cell(each.summary)) for each in MAGICS.values())
    head = "# Magics of notebooks\n\nWhat a cell can say beside StableHLO; [notebooks](../notebooks.md) tells more.\n\n"
    return head + table(("magic", "does"), iter(dict.fromkeys(rows)))
