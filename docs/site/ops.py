"""Pages of the operations: what each is, what must hold of it, an example with its result."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from inspect import getsource
from textwrap import dedent
from types import FunctionType

from docs.generate_constraints import places
from docs.generate_ops import kernel_file, op_def_files, program_file
from docs.site.examples import example_of
from docs.site.stage import Stage, cell, code, table
from shlo.dialects import DIALECT_MODULES, all_op_defs
from shlo.dialects.opdef import OpDef
from shlo.language.hover.op_docs import op_def_sections
from shlo.reference import meanings

FOLDER = "reference/ops"
REFERENCE = "shlo.reference."
"""The package with the specification's sentences as code."""
STORED = "vhlo"
"""The dialect of artifacts, whose operations are versions of StableHLO's: it has a list and no pages."""


def write_op_pages(stage: Stage) -> None:
    """Writes a page for each operation, and one for each dialect that lists them."""
    homes = op_def_files()
    dialects: list[str] = []
    for dialect in DIALECT_MODULES:
        op_defs = [each for each in all_op_defs() if each.dialect == dialect and dialect != STORED]
        if op_defs:
            _write(stage, f"{FOLDER}/{dialect}.md", _dialect_page(dialect, op_defs))
            dialects.append(dialect)
        for op_def in op_defs:
            _write(stage, f"{FOLDER}/{op_def.name}.md", op_page(op_def, homes[op_def.name]))
    stage.append("reference/ops.md", _dialects(dialects))


def _dialects(dialects: list[str]) -> str:
    links = "\n".join(f"- [{dialect}](ops/{dialect}.md)" for dialect in dialects)
    names = "\n".join(f"ops/{dialect}" for dialect in dialects)
    title = "## A page for each operation, with an example and its result"
    return f"\n{title}\n\n{links}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"


def _write(stage: Stage, place: str, text: str) -> None:
    """Writes a page whose links to files are relative to the root of the repository."""
    stage.write(place, stage.rewritten(text, "README.md", place))


def _dialect_page(dialect: str, op_defs: list[OpDef]) -> str:
    rows = (
        (
            f"<a href='{each.name}.html'><code>{each.name.removeprefix(f'{dialect}.')}</code></a>",
            cell(each.summary),
        )
        for each in op_defs
    )
    return f"# Dialect {dialect}\n\n{table(('operation', 'does'), rows)}"


def op_page(op_def: OpDef, home: str) -> str:
    """Returns the page of an operation; `home` is the file of its definition."""
    dialect = op_def.dialect
    # not in the sidebar: hundreds of links on every page would make it useless, and the build slow
    text = ["---\norphan: true\n---\n", _trail(dialect)]
    text += [f"# {op_def.name}\n", f"{cell(op_def.summary)}\n"]
    text += [f"{part}\n" for part in map(_section, op_def_sections(op_def))]
    example = example_of(op_def)
    if example:
        text += ["## Example\n", f"```mlir\n{example.program}```\n"]
        if example.printed:
            text.append(f"`shlo run` prints:\n\n```text\n{example.printed}```\n")
        else:
            text.append("`shlo test` runs it: it compares its values itself.\n")
    if op_def.constraints:
        rows = _constraints(op_def)
        text += [
            "## Constraints\n",
            table(("code", "must hold", "", "errata", "a program that breaks it"), rows),
        ]
    functions = list(reference_sources(op_def.name))
    if functions:
        words = f"[{op_def.section}]({op_def.url})" if op_def.url else "the specification"
        text += [
            "## As code\n",
            f"What {words} says of it, element by element, as `--engine reference` computes it:\n",
            *(f"```python\n{source}```\n" for source in functions),
        ]
    text += ["## Sources\n", *(f"- {line}" for line in _sources(op_def, home)), ""]
    return "\n".join(text)


def reference_sources(name: str) -> Iterator[str]:
    """Yields the texts of the functions that the reference has for an operation, those it is made from first."""
    waiting, functions = [meanings().get(name)], list[FunctionType]()
    while waiting:
        function = waiting.pop()
        if isinstance(function, FunctionType) and function.__module__.startswith(REFERENCE):
            functions.append(function)
            waiting += [cell.cell_contents for cell in function.__closure__ or ()]
    return (
        dedent(getsource(function)).removeprefix("return ") for function in reversed(dict.fromkeys(functions))
    )


def _trail(dialect: str) -> str:
    return f"<a href='../ops.html'>Operations</a> / <a href='{dialect}.html'>{dialect}</a>\n"


def _section(part: str) -> str:
    """Returns a section of a definition with its title as a heading of its own."""
    title, _, rest = part.strip("\n").partition("\n")
    return f"## {title}\n\n{rest}" if rest else title


def _constraints(op_def: OpDef) -> Iterator[tuple[str, ...]]:
    name = op_def.name.removeprefix("stablehlo.")
    for each in op_def.constraints:
        place = places().get(f"{name}-{each.label}")
        program = f"[program]({place})" if place else ""
        yield code(f"{name}-{each.label}"), code(each.formula), each.severity, cell(each.erratum), program


def _sources(op_def: OpDef, home: str) -> Iterator[str]:
    for title, path in (
        ("Definition", home),
        ("Kernel", kernel_file(op_def)),
        ("Check program", program_file(op_def)),
    ):
        yield f"{title}: " + (f"[{posixpath.basename(path)}]({path})" if path else "none")
