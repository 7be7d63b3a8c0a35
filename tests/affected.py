"""Chooses the test files that a change affects, by the imports of product and tests.

    python -m tests.affected [BASE]     prints them; `make affected` runs them

What changed is what differs from BASE (the point where the branch left `main`), uncommitted and new files included.
A test file is affected where it imports a changed module, directly or through imports at the top of modules, or where
one import inside a function leads there, or a string that is a module's name. Modules also affect the tests of the folder
that is called after their package, since some are loaded by name (kernels, subcommands, front ends). Other files (programs, pages, pictures) affect the test
files that name them, or else those beside them. The full set of tests stays what must pass before a merge.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SOURCES = {"bytecode/shlo_bytecode": "bytecode/"}
"""Folders of packages that lie in another folder, with what their modules' names leave out."""
PACKAGES = (
    "shlo",
    "shlo_dap",
    "shlo_kernel",
    "shlo_lsp",
    "shlo_mcp",
    "shlo_tui",
    *SOURCES,
    "tests",
    "docs",
    "release",
)
FOLDERS = {
    "jax_programs": ("jax_users",),
    "kernels": ("kernels", "ops", "reference"),
    "ops": ("ops", "dialects", "verifier"),
    "shlo": ("cli",),
}
"""The folders of tests of packages that have another name, or further ones that reach their modules by name alone:
check programs and the reference run each kernel, inference and verdicts read each definition."""
NAME = re.compile(r'"(\w+(?:\.\w+)+)"')
"""A string that may be the name of a module."""
EVERYTHING = ("pyproject.toml", "tests/conftest.py")
"""Files that all tests depend on."""


class ImportGraph(NamedTuple):
    """The modules of the repository by path, and which are tests; for each module those that import it at its top, and in functions."""

    modules: Mapping[str, str]
    tests: frozenset[str]
    at_top: Mapping[str, set[str]]
    in_functions: Mapping[str, set[str]]


def import_graph() -> ImportGraph:
    """Reads the imports of all modules; those for type checkers alone do not count."""
    modules = {path: name for package in PACKAGES for path, name in _modules(package)}
    names = {name: path for path, name in modules.items()}
    at_top: defaultdict[str, set[str]] = defaultdict(set)
    in_functions: defaultdict[str, set[str]] = defaultdict(set)
    for path, name in modules.items():
        package = name if path.endswith("__init__.py") else name.rpartition(".")[0]
        text = (ROOT / path).read_text("utf-8")
        for node, is_inner in _imports(ast.parse(text), is_inner=False):
            for imported in _imported(node, package):
                if imported in names:
                    (in_functions if is_inner else at_top)[names[imported]].add(path)
        for name_in_text in NAME.findall(text):
            if name_in_text in names:
                in_functions[names[name_in_text]].add(path)
    return ImportGraph(modules, frozenset(filter(is_test, modules)), at_top, in_functions)


def _modules(package: str) -> Iterator[tuple[str, str]]:
    for file in sorted((ROOT / package).rglob("*.py")):
        path = file.relative_to(ROOT).as_posix()
        name = path.removeprefix(SOURCES.get(package, "")).removesuffix(".py").removesuffix("/__init__")
        yield path, name.replace("/", ".")


def _imports(node: ast.AST, *, is_inner: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child, is_inner
        elif (
            isinstance(child, ast.If)
            and isinstance(child.test, ast.Name)
            and child.test.id == "TYPE_CHECKING"
        ):
            continue
        elif isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            is_function = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
            yield from _imports(child, is_inner=is_inner or is_function)


def _imported(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    parents = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
    module = ".".join([*parents, *([node.module] if node.module else [])])
    yield module
    yield from (f"{module}.{alias.name}" for alias in node.names)


def affected_tests(changed: Iterable[str], graph: ImportGraph) -> set[str]:
    """Returns the test files that changes of these files affect, as paths from the root."""
    tests = graph.tests
    chosen: set[str] = set()
    for path in changed:
        if path in EVERYTHING:
            return set(tests)
        if path in graph.modules:
            chosen |= (importers(path, graph) & tests) | _of_folder(path, tests)
        else:
            naming = {test for test in tests if Path(path).name in (ROOT / test).read_text()}
            chosen |= naming or {test for test in tests if Path(test).parent == Path(path).parent}
    return chosen


def importers(path: str, graph: ImportGraph) -> set[str]:
    """Returns a module, those that its import in a function leads to, and all that import one of these at the top."""
    reached = {path, *graph.in_functions.get(path, ())}
    pending = list(reached)
    while pending:
        for importer in graph.at_top.get(pending.pop(), ()):
            if importer not in reached:
                reached.add(importer)
                pending.append(importer)
    return reached


def _of_folder(path: str, tests: Set[str]) -> set[str]:
    """Returns the tests in the folders that are called after the innermost package of a module that has some."""
    if path.startswith("tests/"):
        return set()
    for package in reversed(Path(path).parent.parts):
        folders = FOLDERS.get(package, (package.removeprefix("shlo_"),))
        beside = {test for test in tests if test.startswith(tuple(f"tests/{each}/" for each in folders))}
        if beside:
            return beside
    return set()


def is_test(path: str) -> bool:
    """Returns whether pytest collects tests from a file (those of tests/e2e run by `make e2e` alone)."""
    return Path(path).name.startswith("test_") and not path.startswith("tests/e2e/")


def changed_files(base: str) -> list[str]:
    """Returns the files that differ from a commit, and those that git does not know yet."""
    differing = _git("diff", "--name-only", base)
    return [*differing, *_git("ls-files", "--others", "--exclude-standard")]


def _git(*words: str) -> list[str]:
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()


def main() -> None:
    """Prints the affected test files, one a line."""
    base = sys.argv[1] if len(sys.argv) > 1 else _git("merge-base", "main", "HEAD")[0]
    tests = affected_tests(changed_files(base), import_graph())
    print("\n".join(sorted(tests)))


if __name__ == "__main__":
    main()
