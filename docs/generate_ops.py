"""Writes docs/ops.md: every operation, and where its definition, its kernel and its check program are.

python docs/generate_ops.py
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import shlo.dialects
from docs import op_drawings
from shlo.cli.programs.ops import has_kernel
from shlo.dialects import DIALECT_MODULES, all_op_defs
from shlo.dialects.opdef import OpDef
from shlo.interpreter import kernels
from shlo.interpreter.registry import find_kernel

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "ops.md"
STEPPED_INTO = "shlo/interpreter/program/code.py"
"""What is shown as the kernel of an operation whose regions or callee the interpreter steps into."""

INTRODUCTION = """# Operations

Every operation that shlo knows: its definition says what it is, its kernel what it does, its check program
what to expect of it. `shlo ops NAME` prints a definition; `shlo test tests/ops` runs the programs. Where
there is no kernel, programs with the operation are read, verified and printed, but not run.

`python docs/generate_ops.py` writes this page.
"""

DRAWINGS = """## Five operations, drawn

What is of one colour makes the elements of that colour in the result; violet elements make both.
`shlo run docs/drawings/NAME.mlir` runs a program, `shlo debug` steps through it. `docs/op_drawings.py` draws.
"""


def page() -> str:
    """The page as it should be."""
    homes = op_def_files()
    sections = [section(dialect, homes) for dialect in DIALECT_MODULES]
    return "\n".join([INTRODUCTION, drawings(), *sections])


def section(dialect: str, homes: dict[str, str]) -> str:
    """The table of a dialect."""
    op_defs = [op_def for op_def in all_op_defs() if op_def.dialect == dialect]
    rows = "".join(row(op_def, homes[op_def.name]) for op_def in op_defs)
    head = "| operation | | definition | kernel | program | specification |\n|---|---|---|---|---|---|\n"
    return f"## {dialect}: {len(op_defs)}\n\n{head}{rows}"


def row(op_def: OpDef, home: str) -> str:
    """An operation's line."""
    url = op_def.url
    links = [link(home), link(kernel_file(op_def)), link(program_file(op_def))]
    specification = f"[{op_def.section}]({url})" if url else ""
    return f"| `{op_def.name}` | {op_def.summary} | {' | '.join(links)} | {specification} |\n"


def link(path: str | None) -> str:
    """A link to a file, empty where there is none."""
    return f"[{Path(path).name}](../{path})" if path else ""


def op_def_files() -> dict[str, str]:
    """The files that hold the definitions, by operation."""
    homes: dict[str, str] = {}
    for module in dialect_modules():
        for op_def in op_defs_in(module):
            homes[op_def.name] = file_of(module)
    return homes


def dialect_modules() -> Iterator[ModuleType]:
    """The modules of definitions. Those that gather the definitions of others come first."""
    names = [module.name for module in walk_packages(shlo.dialects.__path__, "shlo.dialects.")]
    modules = [import_module(name) for name in names]
    yield from sorted(modules, key=lambda module: not hasattr(module, "FAMILIES"))


def op_defs_in(module: ModuleType) -> Iterator[OpDef]:
    """The definitions that a module's tuples and its dialect hold."""
    for value in vars(module).values():
        if isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, OpDef))
        elif isinstance(value, OpDef):
            yield value
    if hasattr(module, "DIALECT"):
        yield from module.DIALECT.op_defs.values()


def kernel_file(op_def: OpDef) -> str | None:
    """The file that says what the operation does."""
    if not has_kernel(op_def):
        return None
    entry = find_kernel(op_def.name)
    if entry is None:
        return STEPPED_INTO
    module = import_module(entry.kernel.__module__)
    if op_def.dialect == "chlo" and module.__name__.endswith(".elementwise.table"):
        module = import_module(
            f"{kernels.__name__}.chlo"
        )  # it registers its functions by a helper from there
    return file_of(module)


def program_file(op_def: OpDef) -> str | None:
    """The operation's check program."""
    _, _, name = op_def.name.partition(".")
    folder = "" if op_def.dialect == "stablehlo" else f"{op_def.dialect}/"
    path = f"tests/ops/{folder}{name}.mlir"
    return path if (ROOT / path).exists() else None


def file_of(module: ModuleType) -> str:
    """A module's file, from the root of the repository."""
    assert module.__file__ is not None
    return Path(module.__file__).resolve().relative_to(ROOT).as_posix()


def drawings() -> str:
    """The section of operations that are drawn."""
    parts = [DRAWINGS]
    for name, example in op_drawings.EXAMPLES.items():
        program = op_drawings.text_of(name)
        parts.append(f"### {name}\n\n![{name}, drawn](drawings/{name}.svg)\n\n{example.says}\n")
        parts.append(f"```mlir\n{program}```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    for drawn in op_drawings.EXAMPLES:
        svg = op_drawings.drawing(drawn)
        (op_drawings.FOLDER / f"{drawn}.svg").write_text(svg, encoding="utf-8", newline="\n")
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
