"""Runs of functions, few at a time in child processes: the command `shlo.run`, and lenses above functions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from shlo.ir.source import Source
from shlo.language.lenses import Action, Lens, lenses
from shlo.runner.child.launch import Child, Outcome
from shlo.runner.files import split_program
from shlo_lsp.documents import Edition
from shlo_lsp.errors import RequestFailed
from shlo_lsp.settings import json_object
from shlo_lsp.view import View

if TYPE_CHECKING:
    from shlo_lsp.server import Server


COMMAND = "shlo.run"
AT_ONCE = 2
"""How many run at the same time; the others wait."""


class Runs:
    """The child processes of a server."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE, "run")
        self._children: set[Child] = set()

    async def outcome(self, child: Child) -> Outcome:
        """Runs a child; cancelling stops it."""
        self._children.add(child)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, child.outcome)
        except asyncio.CancelledError:
            child.stop()
            raise
        finally:
            self._children.discard(child)

    def stop(self) -> None:
        """Ends all that run or wait."""
        for child in list(self._children):
            child.stop()


async def run(server: Server, argument: Any = None) -> dict[str, Any]:
    """Runs a function. The answer: `status` (done, failed, time limit, memory limit, crashed, stopped),
    `function`, `seconds`, `results` (type, text, summary of each), `message`, the `position` of a failure,
    and all of it as `text`."""
    if not server.settings.allow_run:
        raise RequestFailed("running programs is not allowed here")
    wanted = json_object(argument)
    if not isinstance(wanted.get("function"), str):
        raise JsonRpcInvalidParams("the argument is {uri, function, program, random}")
    document = server.documents.get(wanted.get("uri", ""))
    if document is None:
        raise JsonRpcInvalidParams("the document is not open")
    edition = document.now
    child = Child(
        _program(edition, wanted.get("program", 0)),
        wanted["function"],
        server.settings.limits,
        document.name,
        wanted.get("random") is True,
    )
    outcome = await server.runs.outcome(child)
    return _data(wanted["function"], outcome, edition)


def _program(edition: Edition, number: Any) -> str:
    """Returns the text of one program of a document, its lines numbered as in the whole."""
    programs = split_program(Source(edition.text))
    if not isinstance(number, int) or not 0 <= number < len(programs):
        raise JsonRpcInvalidParams(f"the document has no program {number!r}")
    return programs[number].text


def _data(function: str, outcome: Outcome, edition: Edition) -> dict[str, Any]:
    position = None
    if outcome.place is not None:
        line, column = outcome.place
        position = edition.lines.position(edition.lines.start_of(line - 1) + column - 1)
    return {
        "status": outcome.status,
        "function": function,
        "seconds": outcome.seconds,
        "results": [asdict(result) for result in outcome.results],
        "message": outcome.message,
        "position": position and {"line": position.line, "character": position.character},
        "text": "\n".join(_text(function, outcome, position)),
    }


def _text(function: str, outcome: Outcome, position: types.Position | None) -> Iterator[str]:
    yield f"@{function}: {outcome.status} ({outcome.seconds:.3f} s)"
    if outcome.message:
        place = f"line {position.line + 1}, column {position.character + 1}: " if position else ""
        yield place + outcome.message
    for number, result in enumerate(outcome.results):
        note = f"  # {result.summary}" if result.summary else ""
        yield f"result {number}: {result.type}{note}\n{result.text}"


COMMANDS: dict[str, Callable[..., Awaitable[Any]]] = {COMMAND: run}
"""What a client may have carried out, each given the server and the command's arguments."""


async def command(server: Server, params: types.ExecuteCommandParams) -> Any:
    """Carries a command out; cancelling the request stops it."""
    execute = COMMANDS.get(params.command)
    if execute is None:
        raise JsonRpcInvalidParams(f"there is no command {params.command!r}")
    return await execute(server, *(params.arguments or [])[:1])


CODE_LENS_OPTIONS = types.CodeLensOptions(resolve_provider=False)
RUNS: dict[Action, bool] = {"run": False, "run_random": True}
"""The actions that are runs, and whether their inputs are made up."""


def code_lenses(view: View, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Nothing where nothing may run."""
    if not view.client.settings.allow_run:
        return []
    found = ((lens, _lens_command(view, lens)) for lens in lenses(view.document))
    return [types.CodeLens(view.range(lens.span), command) for lens, command in found if command]


def _lens_command(view: View, lens: Lens) -> types.Command | None:
    is_run = lens.action in RUNS
    name = COMMAND if is_run else view.client.settings.commands.get(lens.action)
    if name is None:
        return None
    argument: dict[str, Any] = {"uri": view.uri, "function": lens.function, "program": lens.program}
    if is_run:
        argument["random"] = RUNS[lens.action]
    return types.Command(lens.title, name, arguments=[argument])
