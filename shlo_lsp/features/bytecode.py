"""Requests of ours about files of bytecode: their text, and conversions between text, bytecode and artifacts.

- `shlo/readBytecode` `{uri}` is answered by `{text, damage, edition}`: what an editor shows, where the file
  is damaged (`{offset, message}`, or null), and what `shlo/writeBytecode` is to be given, null where the text
  cannot be edited.
- `shlo/writeBytecode` `{uri, text, edition}` writes the file of an edited text, as what it is: bytecode, an
  artifact or a file of `jax.export`, of the same version and producer. It is answered by `{edition}`, that of
  the file as it is now. A text with errors is not written, nor is one of a file that has changed meanwhile.
- `shlo/convert` `{uri, output, form, target}` writes a file (`form`: text, bytecode, artifact; `target`: an
  artifact's version of StableHLO) and is answered by `{reasons, first}`: why the form cannot hold the program
  (nothing where it was written), and the first version of StableHLO that can (null: none). It replaces
  neither that file nor one that holds something else.
- `shlo/artifactVersions` is answered by `{versions}`: those that artifacts can be written for, the newest
  first.

The first three work on files of a disk as they are there. Nothing of a program is run.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams
from pygls.uris import to_fs_path

from shlo.command_line.outputs import fault_of
from shlo.ir.diagnostics import ParseError
from shlo.runner.bytecode_view import view_of
from shlo.runner.conversion import FORMS, OutputForm, refusal, write_program
from shlo.runner.edited_artifacts import edition_of, save_edited
from shlo.runner.errors import RequestError
from shlo.runner.files import open_valid, replace_file
from shlo_lsp.view import RequestFailed

if TYPE_CHECKING:
    from shlo_lsp.server import Server

READ = "shlo/readBytecode"
WRITE = "shlo/writeBytecode"
CONVERT = "shlo/convert"
VERSIONS = "shlo/artifactVersions"


async def read(server: Server, params: Any) -> dict[str, Any]:
    """Returns the text of a file of bytecode."""
    return await server.work(_read, path_of(params, "uri"))


async def write(server: Server, params: Any) -> dict[str, Any]:
    """Writes a file of bytecode from its edited text."""
    text, edition = getattr(params, "text", None), getattr(params, "edition", None)
    if not isinstance(text, str) or not isinstance(edition, str):
        raise JsonRpcInvalidParams("text is that of the file, edition what shlo/readBytecode gave")
    return await server.work(_write, path_of(params, "uri"), text, edition)


async def convert(server: Server, params: Any) -> dict[str, Any]:
    """Writes a program in another form."""
    form, target = getattr(params, "form", None), getattr(params, "target", None)
    if form not in FORMS or not isinstance(target, str | None):
        raise JsonRpcInvalidParams(f"form is one of {', '.join(FORMS)}, target a version of StableHLO")
    return await server.work(_convert, path_of(params, "uri"), path_of(params, "output"), form, target)


async def versions(server: Server, _params: Any) -> dict[str, Any]:
    """Returns the versions of StableHLO that differ in what artifacts for them can hold, and this one."""
    from shlo.dialects.vhlo.versions import version_of
    from shlo.ir.version import STABLEHLO_VERSION
    from shlo_bytecode.vhlo.versions import EARLIEST
    from shlo_bytecode.writer.vhlo_forms import changing_versions

    all_versions = {version_of(STABLEHLO_VERSION), version_of(EARLIEST), *changing_versions()}
    return {"versions": [".".join(map(str, version)) for version in sorted(all_versions, reverse=True)]}


def path_of(params: Any, name: str) -> str:
    """Returns the path of the file that a parameter names."""
    uri = getattr(params, name, None)
    path = to_fs_path(uri) if isinstance(uri, str) else None
    if not path:
        raise JsonRpcInvalidParams(f"{name} is to be the uri of a file")
    return path


def _read(path: str) -> dict[str, Any]:
    edition = edition_of(path)
    try:
        view = view_of(path)
    except RequestError as error:
        raise _failed(error) from None
    damage = view.damage and {"offset": view.damage.offset, "message": view.damage.message}
    return {"text": view.text, "damage": damage, "edition": edition if view.module else None}


def _write(path: str, text: str, edition: str) -> dict[str, Any]:
    try:
        save_edited(path, text, edition)
    except (RequestError, ParseError) as error:
        raise _failed(error) from None
    return {"edition": edition_of(path)}


def _convert(path: str, output: str, form: Any, target: str | None) -> dict[str, Any]:
    from shlo_bytecode import EncodingError
    from shlo_bytecode.writer.module import first_version

    if os.path.realpath(path) == os.path.realpath(output):
        raise RequestFailed("a file is not replaced by what it is converted to")
    if fault := fault_of(output, "MLIR text" if form == "text" else "bytecode"):
        raise RequestFailed(f"expected {fault}")
    try:
        wanted = OutputForm(form, target, locations=form != "text")
        module = open_valid(path)
        try:
            replace_file(output, lambda file: write_program(file, module, wanted))
        except EncodingError as error:
            first = first_version(module) if form == "artifact" else None
            return {"reasons": refusal(error), "first": first}
    except (RequestError, ParseError) as error:
        raise _failed(error) from None
    return {"reasons": [], "first": None}


def _failed(error: RequestError | ParseError) -> RequestFailed:
    return RequestFailed(error.with_hint)
