"""What can be done with each function, above it.

Runs are this server's command. What happens in a terminal is the client's: a client that has commands for it
names them in its initialization options.
"""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from shlo.language.lenses import Action, Lens, lenses
from shlo_lsp.features import run
from shlo_lsp.view import View

OPTIONS = types.CodeLensOptions(resolve_provider=False)
RUNS: dict[Action, bool] = {"run": False, "run_random": True}
"""The actions that are runs, and whether their inputs are made up."""


def answer(view: View, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Nothing where nothing may run."""
    if not view.client.settings.allow_run:
        return []
    found = ((lens, _command(view, lens)) for lens in lenses(view.document))
    return [types.CodeLens(view.range(lens.span), command) for lens, command in found if command]


def _command(view: View, lens: Lens) -> types.Command | None:
    is_run = lens.action in RUNS
    name = run.COMMAND if is_run else view.client.settings.commands.get(lens.action)
    if name is None:
        return None
    argument: dict[str, Any] = {"uri": view.uri, "function": lens.function, "program": lens.program}
    if is_run:
        argument["random"] = RUNS[lens.action]
    return types.Command(lens.title, name, arguments=[argument])
