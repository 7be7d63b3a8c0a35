"""A request of ours about two programs: how they differ.

`shlo/compare` `{before, after}`, each a file (`{uri}`), a text (`{text}`) or a file's bytes (`{data}`, in
Base64), is answered by `{before, after, differs, lines, reason}`: the text of both in which values that both
have are called alike, so that an editor's comparison of lines shows what really differs; whether anything
does; what `shlo diff --text` prints, the last line a summary; and, where one of the two is no program or they
are too long for an editor, why (then the texts are as they are, or empty, and there are no lines). Large
constants are left out of the texts; different ones have different names there.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from shlo.api import parse, without_vhlo
from shlo.ir.diagnostics import ParseError
from shlo.ir.operations import Module
from shlo.ir.source import Source
from shlo.runner.bytecode_view import ELIDED_ABOVE, LONGEST_TEXT
from shlo.runner.errors import RequestError
from shlo.runner.files import open_program, program_in
from shlo.text.styled import plain_text
from shlo_lsp.features.bytecode import path_of
from shlo_lsp.view import RequestFailed

if TYPE_CHECKING:
    from shlo_lsp.server import Server

COMPARE = "shlo/compare"
NAMES = ("before", "after")


async def compare_programs(server: Server, params: Any) -> dict[str, Any]:
    """Returns the texts of two programs and their difference."""
    return await server.work(_compared, *(getattr(params, name, None) for name in NAMES))


def _read(side: Any, name: str) -> Source | Module:
    """Returns the program of one side; raises RequestError."""
    text, data = getattr(side, "text", None), getattr(side, "data", None)
    if isinstance(text, str):
        return Source(text, name)
    if isinstance(data, str):
        try:
            return program_in(base64.b64decode(data, validate=True), name)
        except binascii.Error:
            raise JsonRpcInvalidParams(f"{name}.data is to be Base64") from None
    return open_program(path_of(side, "uri"))


def _compared(*sides: Any) -> dict[str, Any]:
    """Returns the answer, in a worker."""
    from shlo.compare import compare_and_align
    from shlo.compare.report import lines_of
    from shlo.transforms.elision import elided

    try:
        programs = [_read(side, name) for side, name in zip(sides, NAMES, strict=True)]
    except RequestError as error:
        raise RequestFailed(str(error)) from None
    try:
        before, after = (
            without_vhlo(program if isinstance(program, Module) else parse(program)) for program in programs
        )
    except ParseError as error:
        texts = [program.text if isinstance(program, Source) else program.to_text() for program in programs]
        return _refused(texts, str(error))

    def shown(program: Module) -> Module:
        return elided(program, ELIDED_ABOVE)

    difference, aligned = compare_and_align(before, after, shown)
    lines = plain_text(lines_of(difference)).split("\n")
    texts = [str(shown(before)), aligned]
    if max(map(len, texts)) > LONGEST_TEXT:
        return _refused(["", ""], "the texts are too long for an editor")
    names = dict(zip(NAMES, texts, strict=True))
    return {**names, "differs": bool(difference), "lines": lines, "reason": None}


def _refused(texts: list[str], reason: str) -> dict[str, Any]:
    before, after = texts
    return {"before": before, "after": after, "differs": True, "lines": [], "reason": reason}
