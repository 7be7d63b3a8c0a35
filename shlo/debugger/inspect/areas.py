"""Areas of a program: the operations of a scope of the name stack, or of a line of Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from typing import Final, Literal

from msgspec import Struct

from shlo.debugger.errors import DebuggerError
from shlo.debugger.replay.trace import ProcessTrace
from shlo.ir.name_stack import part_names, scope_parts
from shlo.places.origins import Origin, SourceLine

AreaKind = Literal["scope", "python"]

LONGEST: Final = 500
"""How many characters may name an area."""

_PYTHON_LINE = re.compile(r"(?P<file>.*\.py):(?P<line>[0-9]{1,9})")


class ScopeArea(Struct, frozen=True, dict=True):
    """The operations below a part of the name stack: `layer_57` is that of `jit(f)/jvp(layer_57)/attn`, and
    `layer_57/attn`, `layer_*` are, too. A `*` within a part is any text.
    """

    text: str

    @cached_property
    def _wanted(self) -> tuple[str, ...]:
        return scope_parts(self.text.strip("/"))

    def contains(self, origin: Origin) -> bool:
        """Returns whether an operation of an origin belongs to the area."""
        return bool(origin.scope) and self.depth_in(origin.scope) is not None

    def depth_in(self, scope: str) -> int | None:
        """Returns how many parts of a scope lead to the first match and through it, None where none does."""
        parts, wanted = scope_parts(scope), self._wanted
        for start in range(len(parts) - len(wanted) + 1):
            if all(map(_is_named, parts[start:], wanted)):
                return start + len(wanted)
        return None


class PythonLineArea(Struct, frozen=True):
    """The operations that a line of Python led to, itself or through calls. `file` is a path or the last
    parts of one.
    """

    file: str
    line: int

    def contains(self, origin: Origin) -> bool:
        """Returns whether an operation of an origin belongs to the area."""
        return any(map(self.is_at, origin.lines))

    def is_at(self, source_line: SourceLine) -> bool:
        """Returns whether a line is this one."""
        return source_line.line == self.line and is_file(source_line.file, self.file)


Area = ScopeArea | PythonLineArea


def is_file(path: str, name: str) -> bool:
    """Returns whether a path is, or ends with the parts of, a name."""
    path, name = path.replace("\\", "/"), name.replace("\\", "/")
    return path == name or path.endswith(f"/{name}")


def read_python_line(text: str) -> PythonLineArea | None:
    """Parses `FILE.py:LINE`, None for another text."""
    match = _PYTHON_LINE.fullmatch(text.strip()) if len(text) <= LONGEST else None
    return PythonLineArea(match["file"], int(match["line"])) if match else None


@lru_cache(256)
def read_area(kind: AreaKind, text: str) -> Area:
    """Parses the name of a scope, or `FILE.py:LINE`; raises DebuggerError."""
    if kind == "python":
        line = read_python_line(text)
        if line is None:
            raise DebuggerError(f"expected FILE.py:LINE, got {text!r}")
        return line
    if not text.strip("/") or len(text) > LONGEST:
        raise DebuggerError("expected a scope of the name stack: layer_57, layer_57/attn, layer_*")
    return ScopeArea(text.strip("/"))


def written_area(text: str) -> tuple[AreaKind, str] | None:
    """Returns the area that one writes as `scope NAME` or `FILE.py:LINE`, None for another text."""
    word, _, rest = text.partition(" ")
    if word == "scope":
        return "scope", rest.strip()
    return ("python", text) if read_python_line(text) else None


def _is_named(part: str, wanted: str) -> bool:
    names = part_names(part)
    return wanted in names or ("*" in wanted and any(fnmatchcase(name, wanted) for name in names))


def enters(trace: ProcessTrace, step: int, is_in: Callable[[int], bool]) -> bool:
    """Returns whether a process came from outside to an area, to which the numbers of program points belong
    for which `is_in` holds. What it called in between, from the area, is a part of it.
    """
    if not is_in(trace.numbers[step]):
        return False
    before = trace.last_within(trace.depths[step], step)
    return before < 0 or not is_in(trace.numbers[before])
