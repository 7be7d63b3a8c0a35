"""A function of a Python script, lowered with arguments in a process of its own: `train.py:loss`.

The process runs this module: `python -P -m shlo.jax_programs.scripts FOLDER SCRIPT FUNCTION ARG...`. It
imports the script, which runs its statements, and writes `program.mlir` and `program.npz` to the folder, or
why it cannot to `error.txt`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from shlo.ir.array_files import ArrayArchive, any_array, read_npy
from shlo.ir.diagnostics import ShloError
from shlo.jax_programs.functions import save
from shlo.jax_programs.kinds import script_of
from shlo.jax_programs.tracebacks import print_traceback
from shlo.runner.errors import RequestError, quoted
from shlo.text.suggest import did_you_mean

_PATH: Final = re.compile(r"\['([^']*)'\]|\[(\d+)\]|\.(\w+)")
_POSITION: Final = re.compile(r"(?:arg|args|arr_|arg_)\[?(\d+)\]?")
_JSON_NUMBERS: Final = {"nan": "NaN", "inf": "Infinity"}
_NONFINITE: Final = re.compile(r"\b(?:nan|inf)\b", re.IGNORECASE)
_PROGRAM: Final = "program.mlir"
_ARGUMENTS: Final = "program.npz"
_ERROR: Final = "error.txt"
PATIENCE_S: Final = 0.1
"""After how long is asked whether to stop."""


def lower_script(
    script: str,
    function: str,
    arguments: Sequence[str],
    folder: str,
    should_stop: Callable[[], bool] = lambda: False,
) -> tuple[bytes, list[str]]:
    """Returns the text of a function's program and the files of its arguments, of which there is one in
    `folder` or none.

    What the script prints goes to standard error. `should_stop` is asked now and then whether the result is
    not wanted any more; the process ends then. Raises RequestError.
    """
    if not os.path.isfile(script):
        raise RequestError(f"cannot read {script}: No such file or directory")
    command = [sys.executable, "-P", "-m", __name__, folder, script, function, *arguments]
    read, held = os.pipe()  # the other process ends when this end is closed
    try:
        code = _wait(subprocess.Popen(command, stdin=read, stdout=2), should_stop)
    finally:
        os.close(read)
        os.close(held)
    trouble, program, arrays = (Path(folder, name) for name in (_ERROR, _PROGRAM, _ARGUMENTS))
    if trouble.exists():
        message, _, hint = trouble.read_text(encoding="utf-8").partition("\0")
        raise RequestError(message, hint or None)
    if code or not program.exists():
        raise RequestError(f"{script}:{function} could not be lowered (exit code {code})")
    return program.read_bytes(), [str(arrays)] if arrays.exists() else []


def _wait(process: subprocess.Popen[bytes], should_stop: Callable[[], bool]) -> int:
    """Returns the exit code of a process; ends it, and raises RequestError, where it should stop."""
    try:
        while not should_stop():
            with suppress(subprocess.TimeoutExpired):
                return process.wait(PATIENCE_S)
    finally:
        process.kill()  # of a process that has ended, this does nothing
        process.wait()
    raise RequestError("the lowering was stopped")


def main(folder: str, script: str, name: str, *texts: str) -> int:
    """Lowers a function; returns the exit code."""
    try:
        module = _imported(script)
        arguments, keywords = _read(module, texts)
        save(Path(folder, _PROGRAM), _member(module, script, name), *arguments, **keywords)
    except ShloError as error:
        trouble: ShloError = error
    except Exception as error:  # what the script raises, or JAX about it
        print_traceback(error)
        said = traceback.format_exception_only(error)[-1].splitlines()[0]
        trouble = RequestError(f"{script}:{name} could not be lowered: {said}")
    else:
        return 0
    text = f"{trouble}\0{trouble.hint or ''}"
    Path(folder, _ERROR).write_text(text, encoding="utf-8", newline="\n")
    return 1


def _imported(script: str) -> Any:
    """Returns a script as a module; `sys.path` begins with its folder, as where Python runs it. Raises
    RequestError where a module is missing that it needs.
    """
    spec = spec_from_file_location(Path(script).stem, script)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.path.insert(0, str(Path(script).resolve().parent))
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as error:
        package = "'shlo[xla]'" if error.name == "jax" else "what brings it"
        hint = f"scripts run with the Python of shlo: {sys.executable} -m pip install {package}"
        raise RequestError(f"{script}: {error}", hint) from None
    return module


def _member(module: Any, script: str, name: str) -> Any:
    member = module
    for part in name.split("."):
        if not hasattr(member, part):
            raise RequestError(f"{script} has no {name}", did_you_mean(part, dir(member)) or None)
        member = getattr(member, part)
    return member


def _read(module: Any, texts: Sequence[str]) -> tuple[list[Any], dict[str, Any]]:
    """Returns positional and named arguments: of `.npy` and `.npz` files, of functions of scripts that
    return a tuple of them, and literals.
    """
    positional, named = list[Any](), dict[str, Any]()
    for text in texts:
        reference = script_of(text)
        if reference is not None:
            is_same = os.path.samefile(module.__file__, reference[0])
            given = _member(module if is_same else _imported(reference[0]), *reference)()
            if not isinstance(given, (tuple, list)):
                kind = type(cast("object", given)).__name__
                raise RequestError(
                    f"expected a tuple of arguments from {text}, got an object of type {kind}",
                    f"return (value,) where {kind} is the only argument",
                )
            positional += cast("Sequence[Any]", given)
        elif text.endswith(".npy"):
            positional.append(read_npy(text, any_array))
        elif text.endswith(".npz"):
            _add_members(text, positional, named)
        else:
            positional.append(_literal(text))
    return positional, named


def _literal(text: str) -> Any:
    try:
        value = json.loads(_NONFINITE.sub(lambda match: _JSON_NUMBERS[match[0].lower()], text))
    except ValueError:
        what = f"expected a .npy or .npz file, a number or a list of numbers, got {quoted(text)}"
        raise RequestError(
            what, "script.py:name calls a function that returns a tuple of arguments"
        ) from None
    return value if isinstance(value, (bool, int, float)) else np.asarray(value)


def _add_members(path: str, positional: list[Any], named: dict[str, Any]) -> None:
    """Adds the arrays of a file: by their position (`arg0`), or by the name of an argument and the path in it
    (`params['w'][0]`).
    """
    with ArrayArchive(path) as archive:
        numbered = {name: int(match[1]) for name in archive.names if (match := _POSITION.fullmatch(name))}
        for name in sorted(numbered, key=lambda key: numbered[key]):
            positional.append(archive.read(name, any_array))
        tree: dict[Any, Any] = {}
        for name in archive.names:
            if name not in numbered:
                _place(tree, name, archive.read(name, any_array))
        named.update({name: _with_lists(value) for name, value in tree.items()})


def _place(tree: dict[Any, Any], name: str, array: Any) -> None:
    """Puts an array where its name says, in dictionaries by the keys and numbers of the path."""
    root = re.match(r"\w*", name)
    assert root is not None
    keys: list[Any] = [root[0]]
    for match in _PATH.finditer(name, root.end()):
        keys.append(int(match[2]) if match[2] else match[1] if match[1] is not None else match[3])
    for key in keys[:-1]:
        tree = tree.setdefault(key, {})
    tree[keys[-1]] = array


def _with_lists(value: Any) -> Any:
    """Returns nested dictionaries with lists in place of those whose keys are 0, 1, ..."""
    if not isinstance(value, dict):
        return value
    mapping = cast("dict[Any, Any]", value)
    tree = {key: _with_lists(item) for key, item in mapping.items()}
    return [tree[number] for number in range(len(tree))] if set(tree) == set(range(len(tree))) else tree


def _end_with_parent(folder: str) -> None:
    """Ends this process, and removes its folder, when the one that started it is gone; the script reads
    nothing from standard input.
    """
    held = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)

    def wait() -> None:
        os.read(held, 1)
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


if __name__ == "__main__":
    _end_with_parent(sys.argv[1])
    sys.exit(main(*sys.argv[1:]))
