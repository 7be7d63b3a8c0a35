"""Magics that read and write files: `%load`, `%save`."""

from __future__ import annotations

import os
import re
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from msgspec.structs import replace

from shlo.command_line.outputs import Kind, fault_of
from shlo.ir.array_files import ArrayArchive
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module
from shlo.runner.bytecode_view import inspection_lines
from shlo.runner.conversion import SUFFIXES, OutputForm, form_of_name, refusal, write_program
from shlo.runner.equality import tensor_of
from shlo.runner.errors import RequestError, quoted
from shlo.runner.files import open_bytes, read_program, replace_file, save_arrays
from shlo.syntax.lexer.strings import readable_symbol, symbol_value
from shlo.syntax.lexer.tokens import NAME, STRING
from shlo_kernel.cells.calls import function_of
from shlo_kernel.cells.session import CellSession, Naming, own_type
from shlo_kernel.magics.magic import Magic
from shlo_kernel.magics.values import check_elements
from shlo_kernel.mime.bundle import CellValue

if TYPE_CHECKING:
    from shlo_kernel.notebook import NotebookSession


def _load(notebook: NotebookSession, argument: str, body: str | None) -> None:
    match = _AS.fullmatch(argument.strip())
    path, _ = _split(match["path"] if match else argument)
    suffix = Path(path).suffix.lower()
    if suffix == ".npy":
        raise RequestError("an array needs a name", f"write %input %x = {path}")
    if suffix == ".npz":
        return _load_arrays(notebook, path)
    module = match["name"].removeprefix("@") if match else ""
    if match and (not re.fullmatch(NAME, module, re.ASCII) or "." in module):
        raise RequestError(f"{quoted(match['name'])} is no name of a module", "write %load a.mlir as a")
    fallback = re.sub(r"\W|^(?=\d)", "_", Path(path).stem, flags=re.ASCII)
    source = read_program(path)
    return notebook.run_program(source.text, source.name, Naming(module, fallback))


def _load_arrays(notebook: NotebookSession, path: str) -> None:
    loaded: dict[str, CellValue] = {}
    with ArrayArchive(path) as archive:
        for name in archive.names:
            array = archive.read(name, lambda header: check_elements(header, path))
            if not _VALUE.fullmatch(name):
                raise RequestError(f"{path} holds an array {quoted(name)}, which is no name of a value")
            loaded[name] = CellValue(own_type(array), array)
    notebook.session.set_values(loaded)
    notebook.screen.write("".join(f"%{name} : {value.type}\n" for name, value in loaded.items()))


def _save(notebook: NotebookSession, argument: str, body: str | None, *, is_bytecode: bool = False) -> None:
    """Saves values, a module or a function; as bytecode, where that is said, whatever the file is called."""
    target, rest = _target(argument.strip())
    symbol, rest = _symbol(rest)
    path, names = _split(rest)
    suffix = Path(path).suffix.lower()
    if is_bytecode and names:
        raise RequestError("values are no bytecode", "write %save values.npz %x")
    if not is_bytecode and suffix in (".npy", ".npz") and target is None:
        _save_arrays(path, suffix, _arrays(notebook, names))
        return notebook.screen.write(f"saved {path}\n")
    if names:
        raise RequestError(f"values are saved in .npz or .npy files, not in {quoted(path)}")
    output = _bytecode_form(target)
    if not is_bytecode:
        try:
            output = replace(output, form=form_of_name(path, target))
        except RequestError:
            hint = f"give a name that ends in {', '.join(SUFFIXES)}, .npz or .npy"
            raise RequestError(f"cannot save in {quoted(path)}", hint) from None
    written: list[str] = []
    _refuse_another_kind(path, "MLIR text" if output.form == "text" else "bytecode")
    replace_file(path, lambda file: written.append(_encode(notebook, file, output, symbol)))
    return notebook.screen.write(f"saved {written[0]} in {path}\n")


def _chosen(session: CellSession, symbol: str | None) -> tuple[Module, str]:
    """Returns the module that a name means, or a function of the session with all that it calls, and what to
    call it; without a name what is outside of modules, or the only module. Raises RequestError."""
    programs = dict(session.state.definitions.programs)
    if symbol is None:
        if len(programs) > 1 and "" not in programs:
            names = ", ".join(map(readable_symbol, programs))
            raise RequestError(f"there are {len(programs)} modules", f"write %save FILE and one of {names}")
        name = "" if "" in programs or not programs else next(iter(programs))
        module = programs.get(name) or session.state.definitions.module
        return module, readable_symbol(name) if name else "what is outside of modules" if len(
            programs
        ) > 1 else "all"
    if symbol in programs:
        return programs[symbol], readable_symbol(symbol)
    return function_of(session, symbol)[0], readable_symbol(symbol)


def _encode(notebook: NotebookSession, file: BinaryIO, output: OutputForm, symbol: str | None) -> str:
    """Writes a module, and no places: those of cells mean nothing elsewhere. Returns what it wrote. Raises
    RequestError for what the form cannot hold."""
    from shlo_bytecode import EncodingError

    module, what = _chosen(notebook.session, symbol)
    try:
        write_program(file, module, output)
    except EncodingError as error:
        from shlo_bytecode.writer.module import first_version

        first = first_version(module) if output.target else None
        hint = f"version {first} can" if first else None
        form_name = f"an artifact for {output.target}" if output.target else "bytecode"
        raise RequestError(f"{form_name} cannot hold this: {'; '.join(refusal(error))}", hint) from None
    return what


def _bytecode(notebook: NotebookSession, argument: str, body: str | None) -> None:
    word, _, rest = argument.strip().partition(" ")
    if word == "load":
        return _load(notebook, rest, body)
    if word == "save":
        return _save(notebook, rest, body, is_bytecode=True)
    from shlo_bytecode.inspection import inspect

    rest = rest if word == "show" else argument
    target, rest = _target(rest.strip())
    symbol, rest = _symbol(rest)
    if rest.strip():
        data = open_bytes(_split(rest)[0])
    else:
        buffer = BytesIO()
        _encode(notebook, buffer, _bytecode_form(target), symbol)
        data = buffer.getvalue()
    inspection = inspect(data)
    if inspection.damage is not None:
        raise RequestError(f"byte {inspection.damage.offset}: {inspection.damage.message}")
    return notebook.screen.write("\n".join((*inspection_lines(inspection), "")))


def _bytecode_form(target: str | None) -> OutputForm:
    """Returns bytecode, or an artifact of a version, as what is to be written."""
    return OutputForm("artifact" if target else "bytecode", target, locations=False)


def _target(argument: str) -> tuple[str | None, str]:
    """Returns the version of `--artifact VERSION`, and the other words."""
    match = _ARTIFACT.search(argument)
    if match is None:
        return None, argument
    if not match["version"]:
        raise RequestError("an artifact is for a version of StableHLO", "write %save --artifact 1.4.0 FILE")
    return match["version"], f"{argument[: match.start()]} {argument[match.end() :]}"


def _symbol(argument: str) -> tuple[str | None, str]:
    """Returns the name behind the last `@`, and the other words."""
    match = _SYMBOL.search(argument)
    if match is None:
        return None, argument
    return symbol_value(f"@{match['name']}"), argument[: match.start()]


def _arrays(notebook: NotebookSession, names: list[str]) -> dict[str, Array]:
    """Returns the tensors of these names; without names, all that there are."""
    values = notebook.session.values
    chosen: dict[str, Array] = {}
    for name in names or list(values):
        matches = notebook.session.named(name)
        if not matches:
            raise RequestError(f"there is no value %{name}")
        for value in matches:
            array = tensor_of(value.array)
            if array is not None:
                chosen[value.name] = array
            elif names:
                raise RequestError(f"%{value.name} is no tensor and cannot be saved")
    return chosen


def _save_arrays(path: str, suffix: str, arrays: dict[str, Array]) -> None:
    if suffix == ".npy" and len(arrays) != 1:
        raise RequestError(f"cannot save {len(arrays)} values in {path}", f"write %save {path} %x")
    _refuse_another_kind(path, "npy" if suffix == ".npy" else "npz")
    save_arrays(path, arrays)


def _refuse_another_kind(path: str, kind: Kind) -> None:
    """Raises RequestError where a file is there that holds something else than is to be saved."""
    fault = fault_of(path, kind) if os.path.exists(path) else ""
    if fault:
        raise RequestError(f"expected {fault}", "save under another name, or remove the file before")


def _split(argument: str) -> tuple[str, list[str]]:
    """Returns a file's name, in quotes or not, and the names of values behind it."""
    match = _FILE.match(argument.strip())
    if match is None or not match["path"]:
        raise RequestError("the name of a file is missing")
    path = os.path.expanduser(match["path"].strip("\"'"))
    return path, [name.removeprefix("%") for name in match["names"].split()]


_VALUE: Final = re.compile(rf"{NAME}(?:#[0-9]+)?", re.ASCII)
_ARTIFACT: Final = re.compile(r"(?<!\S)--artifact(?:[ \t=]+(?P<version>[0-9]\S*))?(?!\S)")
_SYMBOL: Final = re.compile(rf"(?<!\S)@(?P<name>{STRING}|[\w$.-]+)\s*\Z")
_AS: Final = re.compile(r"(?P<path>\S.*?)\s+as\s+(?P<name>\S+)", re.DOTALL)
_FILE: Final = re.compile(r"(?P<path>.*?)(?P<names>(?:\s+%[\w$.#-]+)*)\Z", re.ASCII | re.DOTALL)
FILES: Final = (
    Magic(
        "load",
        "FILE [as NAME]",
        "define what text, bytecode or an artifact holds, or the values of a .npz file",
        _load,
        details="a module is a namespace: %load a.mlir as a gives @a.main; without that, its own name counts",
        defines="anything",
    ),
    Magic(
        "bytecode",
        "[save FILE] [--artifact VERSION] [@module] | load FILE [as NAME] | [show] FILE",
        "bytecode of a module: what is in it, or to a file and back; --artifact for a portable artifact",
        _bytecode,
        details="%bytecode shows what the session's functions are as bytecode: sections, dialects, constants",
        words=lambda: ("save", "load", "show", "--artifact"),
        defines="anything",
    ),
    Magic(
        "save",
        "[--artifact VERSION] FILE [@module | %x ...]",
        "write a module, or functions, to a .mlir, .mlirbc or .bc file, values to a .npz or .npy one",
        _save,
        details="@f is a function with all that it calls; without a name, all outside of modules is saved",
    ),
)
