"""A request of ours about a file of Python: the program that one of its functions is lowered to.

`shlo/lowerPython` `{uri, function, arguments, before}` imports the file in a process of its own and lowers
the function as `shlo run FILE.py:FUNCTION` does: `arguments` are functions of the file that return a tuple of
them, files of arrays, numbers and lists. `before` is the text that is shown now, or null. The answer is
`{text, lines, costs, values, changed, difference}`, as `shlo.language.lowered` describes it. It is refused
where programs may not run.
"""

from __future__ import annotations

import os
import time
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from msgspec import to_builtins
from pygls.exceptions import JsonRpcInvalidParams

from shlo.ir.diagnostics import ParseError
from shlo.runner.errors import RequestError
from shlo.support.cancellation import checkpoint
from shlo.support.suffixes import ARRAY_SUFFIXES, has_suffix
from shlo_lsp.features.bytecode import path_of
from shlo_lsp.view import RequestFailed

if TYPE_CHECKING:
    from shlo_lsp.server import Server

LOWER = "shlo/lowerPython"
PATIENCE_S = 120
"""How long a lowering may take, with the imports of the file."""


async def lower_python(server: Server, params: Any) -> dict[str, Any]:
    """Returns the program that a function of a file of Python is lowered to."""
    if not server.settings.allow_run:
        raise RequestFailed("running programs is not allowed here")
    function, before = getattr(params, "function", None), getattr(params, "before", None)
    words = getattr(params, "arguments", None)
    items = cast("list[object]", words) if isinstance(words, list) else None
    texts = None if items is None else [word for word in items if isinstance(word, str)]
    if not isinstance(function, str) or texts is None or not isinstance(before, str | None):
        raise JsonRpcInvalidParams("the parameters are {uri, function, arguments, before}")
    return await server.work(_lowered, path_of(params, "uri"), function, texts, before)


def _lowered(path: str, function: str, arguments: list[str], before: str | None) -> dict[str, Any]:
    from shlo.jax_programs.scripts import lower_script
    from shlo.language.lowered import lowered_text

    end = time.monotonic() + PATIENCE_S

    def should_stop() -> bool:
        checkpoint()
        return time.monotonic() > end

    words = [_argument(path, word) for word in arguments]
    try:
        with TemporaryDirectory(prefix="shlo-") as folder:
            program, _ = lower_script(path, function, words, folder, should_stop)
        return to_builtins(lowered_text(program.decode(), path, before))
    except (RequestError, ParseError) as error:
        raise RequestFailed(error.with_hint) from None


def _argument(path: str, word: str) -> str:
    """Returns an argument for `lower_script`: a function's name with the file, files below its folder."""
    if word.isidentifier():
        return f"{path}:{word}"
    return os.path.join(os.path.dirname(path), word) if has_suffix(word, *ARRAY_SUFFIXES) else word
