"""Runs of functions, few at a time in child processes: the command `shlo.run`, and lenses above functions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types
from msgspec.structs import asdict
from pygls.exceptions import JsonRpcInvalidParams

from shlo.engines import DEFAULT, ENGINES, may_be_engine
from shlo.ir.source import Source
from shlo.language.lenses import Action, Lens, cost_title, lenses
from shlo.runner.child.launch import Child, Inputs, RunOutcome
from shlo.runner.files import split_program
from shlo_lsp.documents import Edition
from shlo_lsp.features import python_lines
from shlo_lsp.features.hints import MAX_SHOWN, offset_of, remember, value_text
from shlo_lsp.features.tensors import new_folder
from shlo_lsp.positions import position_data, range_data
from shlo_lsp.settings import json_object
from shlo_lsp.view import RequestFailed, View

if TYPE_CHECKING:
    from shlo_lsp.server import Server


COMMAND = "shlo.run"
OBSERVED = 1.0
"""For how many seconds the values of a run are looked at, which are shown behind their operations."""
AT_ONCE = 2
"""How many run at the same time; the others wait."""


class Runs:
    """The child processes of a server."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE, "run")
        self._children: set[Child] = set()

    async def outcome(self, child: Child) -> RunOutcome:
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
    """Runs a function, on `arguments` as `shlo run` takes them (files with their whole paths, literals) and,
    for what is missing, on `filling` (`random`, from `seed`, or `zeros`); `random: true` is short for random
    ones; by the `engine` (as `shlo.run` takes it); within `limits` (`seconds`, `megabytes`), else those of
    the settings.

    The answer: `status` (done, failed, time limit, memory limit, crashed, stopped), `function`, `seconds`,
    `results` (type, text, summary of each), `message`, the `position` of a failure, the `grid` of processes
    that the program is for (`1x8`, or null), all of it as `text`, `values` (what operations gave, each the
    `text` and the `line` of one, from 1), and the number of the `run` by which `shlo/tensor` shows results
    that have a `dtype`.
    """
    if not server.settings.allow_run:
        raise RequestFailed("running programs is not allowed here")
    wanted = json_object(argument)
    if not isinstance(wanted.get("function"), str):
        raise JsonRpcInvalidParams("the argument is {uri, function, program, random}")
    document = server.documents.get(wanted.get("uri", ""))
    if document is None:
        raise JsonRpcInvalidParams("the document is not open")
    edition = document.now
    folder = new_folder()
    try:
        child = Child(
            _program(edition, wanted.get("program", 0)),
            wanted["function"],
            server.settings.limits_with(wanted.get("limits")),
            document.name,
            _inputs(wanted),
            OBSERVED if server.settings.inlay_hints else 0.0,
            folder.name,
        )
        outcome = await server.runs.outcome(child)
    except BaseException:
        folder.cleanup()
        raise
    remember(document, edition, outcome.values)
    if server.client.can("workspace.inlay_hint.refresh_support"):
        server.workspace_inlay_hint_refresh(None)
    run_number = server.tensors.keep(document.uri, folder, outcome.results)
    return {**_data(wanted["function"], outcome, edition), "run": run_number}


def _inputs(wanted: dict[str, Any]) -> Inputs:
    arguments, filling, seed = wanted.get("arguments", []), wanted.get("filling"), wanted.get("seed", 0)
    if not isinstance(arguments, list) or filling not in ("random", "zeros", None):
        raise JsonRpcInvalidParams("arguments is a list of texts, filling is random or zeros")
    texts = tuple(argument for argument in cast("list[Any]", arguments) if isinstance(argument, str))
    if wanted.get("random") is True and filling is None:
        filling = "random"
    engine = wanted.get("engine", DEFAULT)
    if not isinstance(engine, str) or not may_be_engine(engine):
        raise JsonRpcInvalidParams(f"engine is one of {', '.join(ENGINES)}, pjrt:NAME, command:WORDS")
    return Inputs(texts, filling, seed if isinstance(seed, int) and seed >= 0 else 0, engine)


def _program(edition: Edition, number: Any) -> str:
    """Returns the text of one program of a document, its lines numbered as in the whole."""
    programs = split_program(Source(edition.text))
    if not isinstance(number, int) or not 0 <= number < len(programs):
        raise JsonRpcInvalidParams(f"the document has no program {number!r}")
    return programs[number].text


def _data(function: str, outcome: RunOutcome, edition: Edition) -> dict[str, Any]:
    position = None
    if outcome.place is not None:
        position = edition.lines.position(offset_of(edition, outcome.place))
    return {
        "status": outcome.status,
        "function": function,
        "seconds": outcome.seconds,
        "results": [asdict(result) for result in outcome.results],
        "message": outcome.message,
        "position": position and position_data(position),
        "grid": outcome.grid,
        "values": [
            {"line": value.place[0], "text": value_text(value)} for value in outcome.values[:MAX_SHOWN]
        ],
        "text": "\n".join(_text(function, outcome, position)),
    }


def _text(function: str, outcome: RunOutcome, position: types.Position | None) -> Iterator[str]:
    yield f"@{function}: {outcome.status} ({outcome.seconds:.3f} s)"
    if outcome.message:
        prefix = f"line {position.line + 1}, column {position.character + 1}: " if position else ""
        yield prefix + outcome.message
    if outcome.grid:
        yield f"note: the program is for a grid of processes, and one ran: shlo run --grid {outcome.grid}"
    for number, result in enumerate(outcome.results):
        note = f"  # {result.summary}" if result.summary else ""
        yield f"result {number}: {result.type}{note}\n{result.text}"


COMMANDS: dict[str, Callable[..., Awaitable[Any]]] = {
    COMMAND: run,
    python_lines.COMMAND: python_lines.operations_of_python_line,
}
"""What a client may have carried out, each given the server and the command's arguments."""


async def command(server: Server, params: types.ExecuteCommandParams) -> Any:
    """Carries a command out; cancelling the request stops it."""
    execute = COMMANDS.get(params.command)
    if execute is None:
        raise JsonRpcInvalidParams(f"there is no command {params.command!r}")
    return await execute(server, *(params.arguments or [])[:1])


CODE_LENS_OPTIONS = types.CodeLensOptions(resolve_provider=True)
RUNS: dict[Action, bool] = {"run": False, "run_random": True}
"""The actions that are runs, and whether their inputs are made up."""


def code_lenses(view: View, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Returns what can be done with functions; where nothing may run, how often they are used and what they
    cost alone. Costs are counted when a lens is resolved, which a client does for those on its screen.
    """
    may_run, shows_costs = view.client.settings.allow_run, _shows_costs(view)
    code_lens_list: list[types.CodeLens] = []
    for lens in lenses(view.document):
        range_ = view.range(lens.span)
        if lens.action == "cost" and shows_costs:
            code_lens_list.append(types.CodeLens(range_, data=_argument(view, lens)))
        elif may_run or lens.action == "references":
            command = _lens_command(view, lens)
            code_lens_list += [types.CodeLens(range_, command)] if command else []
    return code_lens_list


def lens_uri(lens: types.CodeLens) -> str:
    """Returns the URI of the document that a lens to resolve is in."""
    return str(json_object(lens.data).get("uri", ""))


def resolve_lens(view: View, lens: types.CodeLens) -> types.CodeLens:
    """Returns a lens with what the function costs; the client's command for it gets the function's name."""
    argument = json_object(lens.data)
    program, function = argument.get("program"), argument.get("function")
    if isinstance(program, int) and isinstance(function, str):
        title = cost_title(view.document, program, function)
        name = view.client.settings.commands.get("cost", "")
        lens.command = types.Command(title, name, arguments=[argument] if name else None)
    return lens


def _shows_costs(view: View) -> bool:
    """Returns whether a client resolves lenses, as it says or as a command for costs tells."""
    resolves = view.client.knows("text_document.code_lens.resolve_support.properties", "command")
    return resolves or "cost" in view.client.settings.commands


def _argument(view: View, lens: Lens) -> dict[str, Any]:
    return {"uri": view.uri, "function": lens.function, "program": lens.program}


def _lens_command(view: View, lens: Lens) -> types.Command | None:
    is_run = lens.action in RUNS
    name = COMMAND if is_run else view.client.settings.commands.get(lens.action)
    if name is None:
        return None
    argument = _argument(view, lens)
    if lens.action == "references":
        position = position_data(view.position(lens.span.start))
        uses = [{"uri": view.uri, "range": range_data(view.range(span))} for span in lens.uses]
        return types.Command(lens.title, name, arguments=[view.uri, position, uses])
    if is_run:
        argument["random"] = RUNS[lens.action]
    return types.Command(lens.title, name, arguments=[argument])
