"""Programs of a folder, such as JAX writes with `JAX_DUMP_IR_TO`: in the order in which they were written,
by name.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from shlo.runner.errors import RequestError
from shlo.support.suffixes import PROGRAM_SUFFIXES
from shlo.text.suggest import did_you_mean

_TRANSFORM: Final = r"(?:(?:jit|pmap|pjit)_)?"
_DUMP: Final = re.compile(rf"jax_ir(\d+)_{_TRANSFORM}(.+)_[a-z]+")
_MEMBER: Final = re.compile(r"(.+):([^:/\\]+?)(?:#(\d+))?")


class FolderProgram(Struct, frozen=True):
    """A program's file in a folder: its number, what it is called there, and how many of that name come
    before it.
    """

    path: str
    number: int
    name: str
    occurrence: int

    @property
    def label(self) -> str:
        """The name, with the number of the occurrence behind the first one: `step`, `step#2`."""
        return f"{self.name}#{self.occurrence + 1}" if self.occurrence else self.name


def programs_in(folder: str) -> list[FolderProgram]:
    """Returns the programs in a folder: those that JAX wrote in their order, others by the names of their
    files.

    Raises RequestError where there is none.
    """
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(PROGRAM_SUFFIXES))
    except OSError as error:
        raise RequestError(f"cannot read {folder}: {error.strerror}") from None
    if not names:
        raise RequestError(
            f"cannot read {folder}: the folder has no programs",
            f"expected files that end with one of {', '.join(PROGRAM_SUFFIXES)}",
        )
    read = [(_DUMP.fullmatch(Path(name).stem), name) for name in names]
    read.sort(key=lambda pair: int(pair[0][1]) if pair[0] else -1)
    counts: defaultdict[str, int] = defaultdict(int)
    programs = list[FolderProgram]()
    for number, (match, file) in enumerate(read):
        name = match[2] if match else Path(file).stem
        programs.append(FolderProgram(os.path.join(folder, file), number, name, counts[name]))
        counts[name] += 1
    return programs


def member_path(path: str) -> str:
    """Returns the file that `FOLDER:NAME` names, the last one of that name, or `FOLDER:NAME#2`; any other
    path as it is. NAME is a function's name, or that of the module that JAX makes of it: `f`, `jit_f`.

    Raises RequestError where the folder has no such program.
    """
    match = _MEMBER.fullmatch(path)
    if match is None or os.path.exists(path) or not os.path.isdir(match[1]):
        return path
    programs = programs_in(match[1])
    names = {match[2], re.sub(f"^{_TRANSFORM}", "", match[2])}
    named = [program for program in programs if program.name in names]
    if match[3]:
        named = [program for program in named if program.occurrence + 1 == int(match[3])]
    if not named:
        hint = did_you_mean(match[2], [program.name for program in programs])
        raise RequestError(f"{match[1]} has no program {path[len(match[1]) + 1 :]}", hint or None)
    return named[-1].path


def refuse_folder(path: str) -> None:
    """Raises RequestError where a path is a folder, which is no program: names one that it holds."""
    if os.path.isdir(path):
        first = programs_in(path)[0]
        raise RequestError(
            f"cannot read {path}: it is a folder", f"name a program of it: {path}:{first.label}"
        )


def expanded(paths: Sequence[str], suffixes: tuple[str, ...] = PROGRAM_SUFFIXES) -> list[str]:
    """Returns paths with the programs of folders and of those inside in their place, as far as they have
    some; hidden folders are left out.
    """
    return [file for path in paths for file in (_files(path, suffixes) if os.path.isdir(path) else [path])]


def _files(folder: str, suffixes: tuple[str, ...]) -> list[str]:
    files: list[str] = []
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if any(name.endswith(suffixes) for name in names):
            files += [program.path for program in programs_in(path) if program.path.endswith(suffixes)]
    return files or [folder]  # who reads it says why it cannot be read
