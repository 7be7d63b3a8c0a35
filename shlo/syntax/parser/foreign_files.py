"""Files of another kind that are taken for programs: HLO, jaxprs, archives, arrays, other encodings."""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.suggestions import advise
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.lexer.tokens import STRING
from shlo.syntax.split import part_spans

_LOWER: Final = "`jax.jit(f).lower(x).as_text()` prints StableHLO"
_BINARY: Final = "shlo reads text in UTF-8, MLIR bytecode and files of jax.export"
_SAVE: Final = "save it as UTF-8 (PowerShell: `| Out-File -Encoding utf8 FILE`)"
PYTHON_HELP: Final = "this is Python; `shlo run FILE.py:FUNCTION` lowers a function with JAX"
_PYTHON_BEFORE: Final = r'(?>\s+|#[^\n]*+|"""(?:(?!""")[\s\S])*+""")*+'
"""Comments and a docstring."""
_CONTROL: Final = r"\0-\x08\x0e-\x1a\x1c-\x1f\x7f"
"""Characters that texts do not hold, in whatever encoding: no blanks, line ends, escapes of terminals."""
_KINDS: Final = tuple(
    (re.compile(pattern), help)
    for pattern, help in (
        (r"(?:HloModule|ENTRY)\s", f"this is HLO, what XLA compiles StableHLO to; {_LOWER}"),
        (r"\{\s*lambda\b", f"this is a jaxpr; {_LOWER}"),
        (r"\x1f\udc8b", "this is compressed by gzip: unpack it with gunzip"),
        (r"\(\udcb5/\udcfd", "this is compressed by Zstandard: unpack it with unzstd"),
        (r"\udc93NUMPY", "this is an array of NumPy, an argument: `shlo run PROGRAM FILE.npy`"),
        (r"PK\x03\x04", "this is a zip archive; one of NumPy is an argument: `shlo run PROGRAM FILE.npz`"),
        (r"\x7fELF", f"this is machine code (ELF); {_BINARY}"),
        (r"\udcff\udcfe\0\0|\0\0\udcfe\udcff", f"this text is UTF-32: {_SAVE}"),
        (r"\udcff\udcfe|\udcfe\udcff", f"this text is UTF-16: {_SAVE}"),
        (r"(?:[\t\r\n -~]\0){4}|(?:\0[\t\r\n -~]){4}", f"this text is UTF-16: {_SAVE}"),
        (
            rf"\{{\s*(?:\}}\s*\Z|{STRING}\s*:)|\[\s*(?:\]\s*\Z|[\[{{\"]|-?\d[\d.eE+-]*\s*[,\]])",
            f"this is JSON; {_BINARY}",
        ),
        (
            rf"{_PYTHON_BEFORE}(?:import\s+\w|from\s+[\w.]+\s+import\b|def\s+\w+\((?!\s*%))",
            PYTHON_HELP,
        ),
        (r"(?i:<(?:!doctype|html)\b)", "this is HTML, a page that shows the file: download the file itself"),
        (r"version https://git-lfs\.", "this is a pointer of Git LFS: `git lfs pull` fetches the file"),
        (
            rf"[{_CONTROL}\udc80-\udcff]{{2}}|(?:[^{_CONTROL}]{{0,40}}+[{_CONTROL}]){{3}}",
            f"this is neither text nor bytecode; {_BINARY}",
        ),
    )
)
"""What files of other kinds begin with, as text with surrogate escapes, and what to do about each."""


def foreign_file_help(text: str) -> str:
    """Returns what a text is that is no program, and what to do; empty where that is not known."""
    starts = (0, Cursor(text, pos=1 if text.startswith("\ufeff") else 0).skip())
    return next((help for pattern, help in _KINDS for start in starts if pattern.match(text, start)), "")


def without_rest(text: str, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Returns what was found in a text, in its order; of a part between lines `// -----` that is no program
    the first error, with what it is."""
    remaining: list[Diagnostic] = []
    parts = part_spans(text)
    ends = [*(part.start for part in parts[1:]), len(text) + 1]
    for part, end in zip(parts, ends):
        inside = [diagnostic for diagnostic in diagnostics if part.start <= diagnostic.span.start < end]
        first = next((diagnostic for diagnostic in inside if diagnostic.severity == "error"), None)
        help = foreign_file_help(text[part.start : part.end]) if first else ""
        remaining += [replace(first, suggestions=advise(help))] if first and help else inside
    return remaining
