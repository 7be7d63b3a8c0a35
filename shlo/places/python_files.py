"""What the text of a Python file says about names: its functions, what they assign, where expressions are.

A file is parsed, never run. Positions are those of `ast` and of JAX's locations: lines from 1, columns from
0 in bytes of UTF-8, ends exclusive.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

LARGEST: Final = 1 << 20
"""How many characters a file may have whose names are read."""

_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_PASSED_THROUGH: Final = ("jit", "filter_jit", "checkpoint", "remat", "compact", "filter_checkpoint")
"""Decorators whose function returns what the decorated one does."""

Range = tuple[int, int, int, int]
"""Where an expression is: its first line and column, its last line and column."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class Assignment(NamedTuple):
    """A target of an assignment, as it is written, and the expression on its right side.

    Args:
        name: `loss`, `self.cache`, `state['step']`.
        target: the name in the tree.
        expression: what is assigned; None where it is computed from the name itself (`x += y`).
        statement: the statement, whose range the operation of `x += y` has.
        part: which part of the expression, of `parts`, is assigned; None for the whole.
        group: the tuple of the targets, whose range the operations of an unpacked array have.
    """

    name: str
    target: ast.expr
    expression: ast.expr | None
    statement: ast.stmt | ast.expr
    part: int | None = None
    parts: int = 0
    group: ast.expr | None = None

    @property
    def line(self) -> int:
        """The line of the statement."""
        return self.statement.lineno


class PythonFunction:
    """A function of a file: what it assigns, reads and returns itself, without functions inside."""

    def __init__(self, node: FunctionNode | ast.Module) -> None:
        self.node = node
        self.nodes = tuple(_own_nodes(node))

    @cached_property
    def assignments(self) -> tuple[Assignment, ...]:
        """The targets of its assignments, in the order of the text."""
        found = [assignment for node in self.nodes for assignment in _assignments(node)]
        return tuple(sorted(found, key=lambda assignment: assignment.line))

    @cached_property
    def bindings(self) -> Counter[str]:
        """How often it binds each name, parameters and functions included."""
        counts = Counter(assignment.name for assignment in self.assignments)
        assigned = {id(assignment.target) for assignment in self.assignments}
        counts.update(
            node.id
            for node in self.nodes
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and id(node) not in assigned
        )
        counts.update(self.parameters)
        counts.update(node.name for node in self.nodes if isinstance(node, (*_DEFINITIONS,)))
        return counts

    def only_assignment(self, name: str) -> Assignment | None:
        """Returns the assignment of a name that nothing else binds; None for none."""
        if self.bindings[name] != 1:
            return None
        return next((assignment for assignment in self.assignments if assignment.name == name), None)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its positional parameters."""
        arguments = getattr(self.node, "args", None)
        if arguments is None:
            return ()
        return tuple(argument.arg for argument in (*arguments.posonlyargs, *arguments.args))

    @cached_property
    def result(self) -> ast.expr | None:
        """The expression that it returns, where there is one `return` and no decorator that changes it."""
        returns = [node for node in self.nodes if isinstance(node, ast.Return)]
        if len(returns) != 1 or any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in self.nodes):
            return None
        decorators: Sequence[ast.expr] = getattr(self.node, "decorator_list", ())
        return returns[0].value if all(map(_passes_through, decorators)) else None

    def uses_of(self, assignment: Assignment) -> Iterator[tuple[ast.AST, ast.expr]]:
        """Yields the expressions, and `return` statements, that have what an assignment binds as a part, with
        that part; none where it is not plain which assignment a name is of.
        """
        first, last = self._extent(assignment)
        for node in self.nodes:
            for child in (*ast.iter_child_nodes(node), *_returned_parts(node)):
                if isinstance(child, ast.expr) and path_text(child) == assignment.name:
                    is_read = isinstance(getattr(child, "ctx", None), ast.Load)
                    if is_read and first < child.lineno <= last:
                        yield node, child

    def _extent(self, assignment: Assignment) -> tuple[int, int]:
        """Returns the line behind which a name is what an assignment binds, and the last such line; an empty
        range where other assignments are not statements of the function itself, one after the other.
        """
        others = [other for other in self.assignments if other.name == assignment.name]
        body = getattr(self.node, "body", ())
        parameters = self.parameters.count(assignment.name)
        is_plain = self.bindings[assignment.name] == len(others) + parameters
        if not is_plain or (
            len(others) + parameters > 1 and any(other.statement not in body for other in others)
        ):
            return 0, 0
        later = [other.statement.end_lineno or 0 for other in others if other.line > assignment.line]
        return assignment.statement.end_lineno or 0, min(later, default=sys.maxsize)


_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class PythonFile:
    """The functions of a file by their qualified names, the modules that its names refer to, and its
    expressions.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self.functions: dict[str, list[PythonFunction]] = {"<module>": [PythonFunction(tree)]}
        self._add(tree, "")
        self.imports = dict(_imports(tree))

    @cached_property
    def expressions(self) -> dict[Range, ast.expr]:
        """The expressions by where they are."""
        nodes = (node for node in ast.walk(self._tree) if isinstance(node, ast.expr))
        return {
            (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0): node
            for node in nodes
        }

    def function(self, name: str, line: int) -> PythonFunction | None:
        """Returns the function of a qualified name around a line; None where none is, or several are."""
        found = [
            function
            for function in self.functions.get(name, ())
            if isinstance(function.node, ast.Module)
            or function.node.lineno <= line <= (function.node.end_lineno or 0)
        ]
        return found[0] if len(found) == 1 else None

    def only_function(self, name: str) -> PythonFunction | None:
        """Returns the function of a qualified name; None where none has it, or several have."""
        found = self.functions.get(name, ())
        return found[0] if len(found) == 1 else None

    def module_of(self, expression: ast.expr) -> str:
        """Returns the full name of what an expression names: `jax.numpy.sin` for `jnp.sin`; empty for
        none."""
        if isinstance(expression, ast.Name):
            return self.imports.get(expression.id, "")
        if isinstance(expression, ast.Attribute) and (module := self.module_of(expression.value)):
            return f"{module}.{expression.attr}"
        return ""

    def _add(self, node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.functions.setdefault(prefix + child.name, []).append(PythonFunction(child))
                inner = f"{prefix}{child.name}.<locals>."
            elif isinstance(child, ast.ClassDef):
                inner = f"{prefix}{child.name}."
            self._add(child, inner)


def parse_python(lines: Sequence[str]) -> PythonFile | None:
    """Returns what a file says about names; None for one that is no Python, or too large."""
    return _parsed(tuple(lines))


@lru_cache(8)
def _parsed(lines: tuple[str, ...]) -> PythonFile | None:
    text = "\n".join(lines)
    if len(text) > LARGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return PythonFile(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def path_text(node: ast.expr) -> str:
    """Returns a name, attribute or constant item as it is written, `self.w`, `params['w']`; empty for
    another expression."""
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(value, attribute) if base := path_text(value):
            return f"{base}.{attribute}"
        case ast.Subscript(value, ast.Constant(str() | int() as key)) if base := path_text(value):
            return f"{base}[{key!r}]"
        case _:
            return ""


def _returned_parts(node: ast.AST) -> Sequence[ast.AST]:
    """Returns the parts of a tuple that a `return` statement returns."""
    return node.value.elts if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) else ()


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes of a function's statements; of functions, classes and lambdas inside only the node."""
    to_visit: list[ast.AST] = list(getattr(scope, "body", ()))
    while to_visit:
        node = to_visit.pop()
        yield node
        if not isinstance(node, _SCOPES):
            to_visit.extend(ast.iter_child_nodes(node))


def _assignments(node: ast.AST) -> Iterator[Assignment]:
    match node:
        case ast.Assign(targets, value):
            for target in targets:
                yield from _targets(target, value, node)
        case ast.AnnAssign(target, _, value) if value is not None:
            yield from _targets(target, value, node)
        case ast.NamedExpr(target, value):
            yield from _targets(target, value, node)
        case ast.AugAssign(target) if name := path_text(target):
            yield Assignment(name, target, None, node)
        case _:
            return


def _targets(target: ast.expr, value: ast.expr, statement: ast.stmt | ast.expr) -> Iterator[Assignment]:
    if name := path_text(target):
        yield Assignment(name, target, value, statement)
        return
    if not isinstance(target, (ast.Tuple, ast.List)) or any(
        isinstance(part, ast.Starred) for part in target.elts
    ):
        return
    if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
        for part, part_value in zip(target.elts, value.elts):
            yield from _targets(part, part_value, statement)
        return
    for number, part in enumerate(target.elts):
        if name := path_text(part):
            yield Assignment(name, part, value, statement, number, len(target.elts), target)


def _passes_through(decorator: ast.expr) -> bool:
    match decorator:
        case ast.Name(name) | ast.Attribute(_, name):
            return name in (*_PASSED_THROUGH, "staticmethod", "classmethod")
        case ast.Call(ast.Name("partial") | ast.Attribute(_, "partial"), [function, *_]):
            return _passes_through(function)
        case ast.Call(function):
            return _passes_through(function)
        case _:
            return False


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (
                    (alias.asname or alias.name.partition(".")[0]),
                    (alias.name if alias.asname else alias.name.partition(".")[0]),
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
