"""The command `shlo.run`: runs a function in a child process with limits.

Its argument says which function of which program of a document, counted from 0, and whether inputs are made
up: `{uri, function, program, random}`.

The one way in which a program of a document is ever run: a person asks for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from shlo.ir.source import Source
from shlo.runner.child.launch import Child, Outcome
from shlo.runner.files import split_program
from shlo_lsp.documents import Edition
from shlo_lsp.errors import RequestFailed
from shlo_lsp.settings import json_object

if TYPE_CHECKING:
    from shlo_lsp.server import Server

COMMAND = "shlo.run"


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
    """The text of one program of a document, its lines numbered as in the whole."""
    programs = split_program(Source(edition.text))
    if not isinstance(number, int) or not 0 <= number < len(programs):
        raise JsonRpcInvalidParams(f"the document has no program {number!r}")
    return programs[number].text


def _data(function: str, outcome: Outcome, edition: Edition) -> dict[str, Any]:
    position = _position(outcome, edition)
    return {
        "status": outcome.status,
        "function": function,
        "seconds": outcome.seconds,
        "results": [asdict(result) for result in outcome.results],
        "message": outcome.message,
        "position": position and {"line": position.line, "character": position.character},
        "text": "\n".join(_text(function, outcome, position)),
    }


def _position(outcome: Outcome, edition: Edition) -> types.Position | None:
    if outcome.place is None:
        return None
    line, column = outcome.place
    return edition.lines.position(edition.lines.start_of(line - 1) + column - 1)


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
