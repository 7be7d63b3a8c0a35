"""Where shlo knows something about an operation: found in its own sources and tables, not listed anywhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

import shlo
from shlo.dialects import all_op_defs
from shlo.dialects.opdef import OpDef

_ROOT: Final = Path(shlo.__file__).resolve().parents[1]
_PACKAGES: Final = ("shlo", "shlo_lsp", "shlo_dap", "shlo_mcp", "shlo_tui", "shlo_kernel")
_SUBJECTS: Final = (
    ("shlo/dialects/vhlo", "VHLO"),
    ("shlo/dialects", "definition"),
    ("shlo/interpreter/kernels", "kernel"),
    ("shlo/interpreter/custom_calls", "kernel"),
    ("shlo/reference", "reference"),
)
_NAMED_AFTER_OPS: Final = ("shlo/fuzzing/recipes/", "shlo/debugger/provenance/")
"""Folders whose functions are called after the operation that they are about."""
_PUNCTUATION: Final = "\"'`,.:;()"


class OpMention(Struct, frozen=True):
    """A line that names an operation; `subject` is what it belongs to: a definition, a kernel, a test."""

    subject: str
    path: str
    line: int


def op_places(op_def: OpDef) -> list[OpMention]:
    """Returns the lines that name an operation: of its definition, kernel and reference, of other packages
    (facets), and, in a checkout, of tests and documents."""
    order = {"definition": 0, "kernel": 1, "reference": 2, "VHLO": 3, "test": 5, "document": 6}
    lines = {*_in_packages(op_def), *_functions(op_def), *_vhlo(op_def), *_in_checkout(op_def)}
    return sorted(lines, key=lambda line: (order.get(line.subject, 4), line.path, line.line))


def _in_packages(op_def: OpDef) -> Iterator[OpMention]:
    short = re.compile(rf"\b{re.escape(op_def.name.partition('.')[2])}\b")
    folders = [_ROOT / name for name in _PACKAGES]
    bytecode = _ROOT / "bytecode" / "shlo_bytecode"
    folders.append(bytecode if bytecode.exists() else _ROOT / "shlo_bytecode")
    for path in (path for folder in folders for path in sorted(folder.rglob("*.py"))):
        text = path.read_text("utf-8")
        if short.search(text):
            name = path.relative_to(_ROOT).as_posix()
            for line in _lines_about(op_def, name, text):
                yield OpMention(_subject(name), name, line)


def _lines_about(op_def: OpDef, path: str, text: str) -> Iterator[int]:
    short = op_def.name.partition(".")[2]
    is_about_dialect = op_def.dialect in text or path.startswith(_NAMED_AFTER_OPS)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            if node.name == short and path.startswith(_NAMED_AFTER_OPS):
                yield node.lineno
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = [word.strip(_PUNCTUATION) for word in node.value.split()]
            if op_def.name in words or (
                is_about_dialect and short in words and _op_words(op_def.dialect).issuperset(words)
            ):
                yield node.lineno


@cache
def _op_words(dialect: str) -> frozenset[str]:
    """Returns the names of a dialect's operations, full and without the dialect."""
    names = [op_def.name for op_def in all_op_defs() if op_def.dialect in (dialect, "stablehlo", "chlo")]
    return frozenset((*names, *(name.partition(".")[2] for name in names)))


def _subject(path: str) -> str:
    return next((subject for prefix, subject in _SUBJECTS if path.startswith(prefix)), "facet")


def _functions(op_def: OpDef) -> Iterator[OpMention]:
    """Yields where the functions are that compute an operation, which tables register under many names."""
    from shlo.interpreter.registry import find_kernel
    from shlo.reference import meanings

    entry = find_kernel(op_def.name)
    computed_by = {"kernel": entry and entry.kernel, "reference": meanings().get(op_def.name)}
    for subject, function in computed_by.items():
        code = getattr(function, "__code__", None)
        if code is not None and Path(code.co_filename).is_relative_to(_ROOT):
            path = Path(code.co_filename).relative_to(_ROOT).as_posix()
            yield OpMention(subject, path, code.co_firstlineno)


def _vhlo(op_def: OpDef) -> Iterator[OpMention]:
    """Returns the rows of an operation's versions."""
    from shlo.dialects.vhlo import versions

    path = Path(versions.__file__)
    bases = {row.base for row in versions.ROWS if row.stablehlo_name == op_def.name}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        words = line.split()
        is_row = any(word.endswith(":") for word in words[1:2])
        if line.startswith("    ") and bases.intersection(words[:1] if is_row else words):
            yield OpMention("VHLO", path.relative_to(_ROOT).as_posix(), number)


def _in_checkout(op_def: OpDef) -> Iterator[OpMention]:
    full = re.compile(rf"\b{re.escape(op_def.name)}\b")
    patterns = (("test", "tests", "*.py"), ("test", "tests/ops", "*.mlir"), ("document", "docs", "*.md"))
    for subject, folder, pattern in patterns:
        for path in sorted((_ROOT / folder).rglob(pattern)):
            match = full.search(path.read_text("utf-8"))
            if match is not None:
                line = match.string.count("\n", 0, match.start()) + 1
                yield OpMention(subject, path.relative_to(_ROOT).as_posix(), line)
