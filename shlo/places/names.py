"""The names that the Python source gives to values of a program.

A location of JAX has the range of the expression that an operation is for, and the calls that led there. A
name is that of a value where the ranges prove it: the range is that of the right side of an assignment, and

- the expression is an operator or a call of JAX with one value that is used behind it, or
- it calls a function of the sources whose only `return` has such an expression, or
- an operator that has the name as its operand uses one of the expression's values, or
- it is an argument of the program, or a part of one, that came there through names and calls alone.

Expressions without such a proof have no name here: a wrong value is worse than none. Values of the backward
pass, of tangents, and what is computed again for the backward pass have the ranges of the forward pass, and
no names.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Final

from msgspec import Struct

from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.locations import Location, resolve
from shlo.ir.name_stack import is_transposed, scope_parts
from shlo.ir.operations import Block, Function, Module, Operation
from shlo.ir.traced_names import ONLY_RESULT, argument_label, result_labels
from shlo.places.array_functions import ACTIVATIONS, ARRAY_METHODS, BUILTINS, MANY_RESULTS, OF_SEQUENCES
from shlo.places.origins import Origin, SourceLine, is_library, origin_of
from shlo.places.python_files import Assignment, PythonFile, PythonFunction, parse_python, path_text

ReadLines = Callable[[str], Sequence[str] | None]
"""Returns the lines of a file that a location names; None for one that may not be read."""

Chain = tuple[SourceLine, ...]
"""The calls that led to an operation, the innermost first."""

MOST_DEPTH: Final = 30
"""How many names and calls a name is followed through."""

_TRANSFORMS: Final = re.compile(r"(vmap|jvp|transpose|rematted_computation|checkpoint|remat)\b")

COPIES: Final = frozenset(
    f"stablehlo.{name}" for name in ("broadcast_in_dim", "convert", "reshape", "transpose")
)
"""Operations whose results are their operands in another form, and have their names."""
_OF_SAME_ARGUMENTS: Final = frozenset(
    f"jax.{name}" for name in ("checkpoint", "grad", "jit", "remat", "value_and_grad")
)
"""What makes a function that takes the arguments of another, which it calls with them."""
_WORD: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class PythonName(Struct, frozen=True):
    """A name of a value: the function of the program that binds it, the value there, the line of Python that
    assigns it (None for an argument or result, which the program itself names), and the calls that led to
    that line, the innermost first.
    """

    name: str
    function: str
    value: int
    line: SourceLine | None = None
    calls: Chain = ()


class PythonNames:
    """The names of a program's values, and the values of names."""

    def __init__(self, names: Iterable[PythonName], assigned: Mapping[str, SourceLine]) -> None:
        self._by_name: dict[str, list[PythonName]] = {}
        self._by_value: dict[tuple[str, int], list[PythonName]] = {}
        for name in dict.fromkeys(names):
            self._by_name.setdefault(name.name, []).append(name)
            self._by_value.setdefault((name.function, name.value), []).append(name)
        self.unknown: Mapping[str, SourceLine] = {
            name: line for name, line in assigned.items() if name not in self._by_name
        }
        """Names that the sources assign and of which no value is known, with the line of one assignment."""

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def values_of(self, name: str) -> Sequence[PythonName]:
        """Returns the values that have a name, in the order of the program."""
        return self._by_name.get(name, ())

    def end_of_path(self, text: str, start: int) -> int | None:
        """Returns where the longest known name that is written at an offset of a text ends; None for none."""
        word = _WORD.match(text, start)
        ends = (
            start + len(name)
            for name in self._by_word.get(word[0] if word else "", ())
            if python_path(text[start : start + len(name)]) == name
            and not re.match(r"\w", text[start + len(name) :])
        )
        return max(ends, default=None)

    @cached_property
    def _by_word(self) -> Mapping[str, Sequence[str]]:
        """The names by the word that they begin with."""
        by_word: dict[str, list[str]] = {}
        for name in (*self._by_name, *self.unknown):
            word = _WORD.match(name)
            by_word.setdefault(word[0] if word else "", []).append(name)
        return by_word

    def names_of(self, function: str, value: int) -> Sequence[PythonName]:
        """Returns the names of a value of a function of the program."""
        return self._by_value.get((function, value), ())


def python_names(module: Module, read_lines: ReadLines) -> PythonNames:
    """Returns the names of a program's values, as far as the sources can be read and prove them."""
    return PythonNames(*_Program(module, read_lines).resolve())


NO_NAMES: Final = PythonNames((), {})


def python_path(text: str) -> str:
    """Returns a path as names have it: `params['w']` for `params["w"]`."""
    return text.replace('"', "'")


class _Step(Struct, frozen=True, eq=False):
    """An operation in the order of the program, with the calls that led to it and its name stack."""

    number: int
    operation: Operation
    lines: Chain
    stack: str
    is_backward: bool


class _Activation(Struct, frozen=True):
    """A call of a function of the sources: its file, its qualified name, and what led to the call."""

    file: str
    name: str
    outer: Chain

    def chain(self, node: ast.expr | ast.stmt) -> Chain:
        """Returns the lines of an operation that is for an expression of the function."""
        end = node.end_lineno or 0, node.end_col_offset or 0
        return (SourceLine(self.file, node.lineno, node.col_offset, self.name, *end), *self.outer)


class _Program:
    """The sources of a program, and how its functions call each other."""

    def __init__(self, module: Module, read_lines: ReadLines) -> None:
        self.module = module
        self._read_lines = read_lines
        self._files: dict[str, PythonFile | None] = {}
        self._origins: dict[int, Origin] = {}
        self.functions = {name: function for name, function in module.functions.items() if function.body}

    def resolve(self) -> tuple[list[PythonName], dict[str, SourceLine]]:
        """Returns the names of all functions, and the names that are assigned."""
        names, assigned = list[PythonName](), dict[str, SourceLine]()
        bodies = {name: _FunctionBody(self, function) for name, function in self.functions.items()}
        scopes = self._scopes_of_calls(bodies)
        for name, body in bodies.items():
            body.scopes = scopes.get(name, frozenset())
            names += body.labels()
            names += body.resolve(assigned)
        return names, assigned

    def file(self, path: str) -> PythonFile | None:
        """Returns a file of the sources; None for a library, or one that cannot be read."""
        if path not in self._files:
            lines = None if is_library(path) else self._read_lines(path)
            self._files[path] = parse_python(lines) if lines else None
        return self._files[path]

    def function(self, activation: _Activation, line: int) -> PythonFunction | None:
        """Returns the function of the sources that is called."""
        file = self.file(activation.file)
        return file.function(activation.name, line) if file else None

    def origin(self, location: Location | None) -> Origin:
        """Returns the origin of a location, once for each."""
        location = resolve(location)
        if id(location) not in self._origins:  # the program keeps its locations
            self._origins[id(location)] = origin_of(location)
        return self._origins[id(location)]

    @cached_property
    def has_transposed(self) -> bool:
        """Whether there is a backward pass."""
        return any(is_transposed(_stack(origin)) for origin in self._origins.values())

    def _scopes_of_calls(self, bodies: Mapping[str, _FunctionBody]) -> dict[str, frozenset[str]]:
        """Returns, by function, the name stacks around its calls, also through other functions."""
        scopes: dict[str, frozenset[str]] = {}
        for _ in range(len(bodies)):
            before = dict(scopes)
            for caller, body in bodies.items():
                for callee, stack in body.calls():
                    around = scopes.get(caller, frozenset()) | {stack}
                    scopes[callee] = scopes.get(callee, frozenset()) | around
            if scopes == before:
                break
        return scopes


class _FunctionBody:
    """The operations of one function of a program, by the expressions that they are for."""

    def __init__(self, program: _Program, function: Function) -> None:
        self._program = program
        self.function = function
        self.scopes: frozenset[str] = frozenset()
        self.steps: list[_Step] = []
        self._users: dict[int, list[_Step]] = {}
        self._bound_by: dict[int, _Step] = {}
        assert function.body is not None
        self._values_table = function.body.values  # regions that a short form implies have their own
        for block in function.body.blocks:
            self._add(block)
        self._own: dict[Chain, list[_Step]] = {}
        self._through: dict[Chain, list[_Step]] = {}
        self._derived: dict[Chain, list[_Step]] = {}
        for step in self.steps:
            if step.lines and not step.is_backward:
                self._own.setdefault(step.lines, []).append(step)
            for at in range(len(step.lines)):
                table = self._derived if step.is_backward else self._through
                table.setdefault(step.lines[at:], []).append(step)

    def _add(self, block: Block) -> None:
        for operation in block.operations:
            origin = self._program.origin(operation.location)
            stack = _stack(origin)
            step = _Step(len(self.steps), operation, origin.lines, stack, _is_backward(stack))
            self.steps.append(step)
            for operand in operation.operands:
                self._users.setdefault(operand, []).append(step)
            for result in operation.results:
                self._bound_by[result] = step
            for region in operation.regions:
                for inner in region.blocks if region.values is self._values_table else ():
                    self._add(inner)

    def calls(self) -> Iterator[tuple[str, str]]:
        """Yields the functions that are called, with the name stack of the call."""
        for step in self.steps:
            callee = step.operation.attribute("callee") if "call" in step.operation.name else None
            if isinstance(callee, SymbolRefAttr):
                yield callee.root, step.stack

    def labels(self) -> Iterator[PythonName]:
        """Yields the names of arguments and results that the program tells."""
        for label, argument in self._argument_labels:
            yield PythonName(label, self.function.name, argument)
        for label, value in zip(self._result_labels, self._returned):
            if label.startswith("result"):
                yield PythonName(label, self.function.name, value)

    @cached_property
    def _returned(self) -> Sequence[int]:
        assert self.function.body is not None
        operations = self.function.body.blocks[-1].operations
        return operations[-1].operands if operations else ()

    @cached_property
    def _result_labels(self) -> Sequence[str]:
        return result_labels(self.function.operation, len(self._returned))

    @cached_property
    def _is_entry(self) -> bool:
        return self.function.name == "main"

    @cached_property
    def _is_derived(self) -> bool:
        """Whether the function is called from a backward pass, or where derivatives are taken forwards."""
        return any(_is_backward(scope) for scope in self.scopes)

    def _in_derivative(self, stack: str) -> bool:
        return "jvp(" in stack or any("jvp(" in scope for scope in self.scopes)

    # --- assignments ---

    def resolve(self, assigned: dict[str, SourceLine]) -> Iterator[PythonName]:
        """Yields the names of values that assignments of the sources prove; notes what is assigned."""
        if self._is_derived:
            return
        aliases, unproved = list[PythonName](), set[tuple[str, SourceLine]]()
        for activation, function in self._activations():
            for assignment in function.assignments:
                line = SourceLine(
                    activation.file, assignment.line, assignment.statement.col_offset, activation.name
                )
                assigned.setdefault(assignment.name, line)
                name = partial(PythonName, assignment.name, self.function.name)
                values = self._assigned_values(activation, function, assignment)
                for value in values:
                    yield name(value, line, activation.outer)
                arguments = [] if values else self._assigned_argument(activation, function, assignment)
                aliases += [name(value, line, activation.outer) for value in arguments]
                if not values and not arguments:
                    unproved.add((assignment.name, line))
        # An argument has no place in the program: its name must be right for every call of the function.
        yield from (alias for alias in aliases if alias.line and (alias.name, alias.line) not in unproved)

    def _activations(self) -> Iterator[tuple[_Activation, PythonFunction]]:
        seen = set[_Activation]()
        for chain in self._through:
            activation = _Activation(chain[0].file, chain[0].function, chain[1:])
            if activation in seen or not self._program.file(activation.file):
                continue
            seen.add(activation)
            function = self._program.function(activation, chain[0].line)
            if function is not None:
                yield activation, function

    def _assigned_values(
        self, activation: _Activation, function: PythonFunction, assignment: Assignment, depth: int = 0
    ) -> list[int]:
        expression = assignment.expression
        if expression is None:  # x += y
            return self._own_values(activation.chain(assignment.statement))
        if assignment.part is not None:
            return self._part_values(activation, function, assignment, depth)
        return self._values(activation, function, expression, depth) or self._proved_by_use(
            activation, function, assignment
        )

    def _part_values(
        self, activation: _Activation, function: PythonFunction, assignment: Assignment, depth: int
    ) -> list[int]:
        """Returns the values of one of several targets."""
        assert assignment.expression is not None
        assert assignment.group is not None
        assert assignment.part is not None
        call = self._callee(activation, assignment.expression)
        result = call and call[1].result
        if call and isinstance(result, (ast.Tuple, ast.List)) and len(result.elts) == assignment.parts:
            return self._values(call[0], call[1], result.elts[assignment.part], depth + 1)
        for node in (assignment.group, assignment.expression):
            values = self._own_values(activation.chain(node))
            if (
                len(values) == assignment.parts
                and len({self._bound_by[value].operation.name for value in values}) == 1
            ):
                return [values[assignment.part]]
        return self._proved_by_use(activation, function, assignment)

    # --- expressions ---

    def _values(
        self, activation: _Activation, function: PythonFunction, expression: ast.expr, depth: int = 0
    ) -> list[int]:
        """Returns the values that an expression is proved to have had, in the order of the program: several
        where it was evaluated several times.
        """
        if depth > MOST_DEPTH:
            return []
        match expression:
            case ast.NamedExpr(_, value):
                return self._values(activation, function, value, depth + 1)
            case ast.IfExp(_, body, orelse):
                branches = [self._values(activation, function, part, depth + 1) for part in (body, orelse)]
                return branches[0] or branches[1] if not all(branches) else []
            case ast.Name(name):
                return self._values_of_name(activation, function, name, depth)
            case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.Subscript() | ast.Attribute():
                return self._own_values(activation.chain(expression))
            case ast.Call():
                if (call := self._callee(activation, expression)) is not None:
                    result = call[1].result
                    return [] if result is None else self._values(call[0], call[1], result, depth + 1)
                return (
                    self._own_values(activation.chain(expression))
                    if self._is_of_array(activation, expression)
                    else []
                )
            case _:
                return []

    def _values_of_name(
        self, activation: _Activation, function: PythonFunction, name: str, depth: int
    ) -> list[int]:
        assignment = function.only_assignment(name)
        return self._assigned_values(activation, function, assignment, depth + 1) if assignment else []

    def _is_of_array(self, activation: _Activation, call: ast.Call) -> bool:
        """Returns whether a call's result is one array: of a function of JAX, or of a method of arrays."""
        file = self._program.file(activation.file)
        name = file.module_of(call.func) if file else ""
        if name.startswith("jax.") or _is_activation(name):
            return name.rpartition(".")[2] not in MANY_RESULTS
        match call.func:
            case ast.Attribute(_, method):
                return not name and method in ARRAY_METHODS and bool(self._own.get(activation.chain(call)))
            case ast.Name(called):
                return not name and (called in BUILTINS or self._is_jitted(activation, call, called))
            case _:
                return False

    def _is_jitted(self, activation: _Activation, call: ast.Call, name: str) -> bool:
        """Returns whether a call is of a jitted function of the sources whose result is one array."""
        file, definition = self._program.file(activation.file), self._definition(activation, name)
        function = file.only_function(definition) if file else None
        steps = self._own.get(activation.chain(call), ())
        is_call = bool(steps) and all(step.stack.endswith(f"jit({name})") for step in steps)
        return (
            is_call
            and function is not None
            and isinstance(function.result, (ast.BinOp, ast.UnaryOp, ast.Compare))
        )

    def _own_values(self, chain: Chain) -> list[int]:
        """Returns the results, used by others, of the operations that are for an expression itself."""
        steps = self._own.get(chain, ())
        values = [
            value for step in steps for value in step.operation.results if self._leaves(value, step, chain)
        ]
        last = next((step for step in reversed(steps) if step.operation.results), None)
        is_last = last is None or any(value in values for value in last.operation.results)
        return values if is_last or any(self._in_derivative(step.stack) for step in steps) else []

    def _leaves(self, value: int, step: _Step, chain: Chain) -> bool:
        """Returns whether a value is used by an operation of another expression. What a derivative keeps for
        its backward pass is used there by operations of the same expression.
        """
        is_derivative = self._in_derivative(step.stack)
        if self._may_be_tangent(step):
            return False
        for user in self._users.get(value, ()):
            is_return = user.operation.name.endswith("return")
            if _is_inside(user.lines, chain):
                continue
            if not is_return or not is_derivative or (self._is_entry and value in self._returned):
                return True
        return False

    def _may_be_tangent(self, step: _Step) -> bool:
        """Returns whether an operation may be one on tangents, which have the lines of those on values."""
        return self._in_derivative(step.stack) and (
            not self._program.has_transposed or "jvp(jvp(" in step.stack
        )

    # --- arguments of the program, and their parts ---

    @cached_property
    def _argument_labels(self) -> Sequence[tuple[str, int]]:
        """The names that the program tells of arguments, in `main` their paths, and the arguments."""
        assert self.function.body is not None
        block = self.function.body.blocks[0]
        labels = ((argument_label(block, number), value) for number, value in enumerate(block.arguments))
        return [(label, value) for label, value in labels if label]

    def _assigned_argument(
        self, activation: _Activation, function: PythonFunction, assignment: Assignment
    ) -> list[int]:
        """Returns the argument of the program that an assignment gives a name, as `x, y = batch` does."""
        transforms = self._transforms_of(activation) if self._is_entry else None
        if transforms is None or "vmap" in transforms:
            return []
        path = self._path_of_assigned(activation, function, assignment)
        return [value for label, value in self._argument_labels if label == path]

    def _path_of_assigned(
        self, activation: _Activation, function: PythonFunction, assignment: Assignment, depth: int = 0
    ) -> str:
        expression, part = assignment.expression, assignment.part
        path = "" if expression is None else self._path(activation, function, expression, depth)
        return f"{path}[{part}]" if path and part is not None else path

    def _path(
        self, activation: _Activation, function: PythonFunction, expression: ast.expr, depth: int
    ) -> str:
        """Returns an expression as a path that begins with a parameter of the traced function; empty for one
        that is none."""
        written = path_text(expression)
        if depth > MOST_DEPTH or not written:
            return ""
        name = next(node.id for node in ast.walk(expression) if isinstance(node, ast.Name))
        assignment = function.only_assignment(name)
        if assignment is not None:
            path = self._path_of_assigned(activation, function, assignment, depth + 1)
        elif name in function.parameters and function.bindings[name] == 1:
            path = self._path_of_parameter(activation, function, name, depth)
        else:
            path = ""
        return path and path + written.removeprefix(name)

    def _path_of_parameter(
        self, activation: _Activation, function: PythonFunction, name: str, depth: int
    ) -> str:
        """Returns what a parameter is called with, as a path of the traced function."""
        if self._is_traced(activation):
            return name
        if not activation.outer:
            return ""
        caller, *outer = activation.outer
        around = _Activation(caller.file, caller.function, tuple(outer))
        file, calling = self._program.file(caller.file), self._program.function(around, caller.line)
        place = caller.line, caller.column, caller.end_line, caller.end_column
        call = file.expressions.get(place) if file else None
        if calling is None or not isinstance(call, ast.Call):
            return ""
        if not self._is_call_of(around, self._differentiated(around, call.func), activation.name):
            return ""
        takes = function.parameters[function.parameters[:1] == ("self",) :]
        if len(call.args) > len(takes) or any(isinstance(argument, ast.Starred) for argument in call.args):
            return ""
        given = {keyword.arg: keyword.value for keyword in call.keywords} | dict(zip(takes, call.args))
        return self._path(around, calling, given[name], depth + 1) if name in given else ""

    def _is_traced(self, activation: _Activation) -> bool:
        """Returns whether an activation is of the function that became the program."""
        name = activation.name.rpartition(".")[2]
        is_inner = any(line.function == activation.name for line in activation.outer)
        return not is_inner and self._program.module.name == f"jit_{name}"

    def _differentiated(self, activation: _Activation, called: ast.expr) -> ast.expr:
        """Returns the function that one for gradients, which takes the same arguments, is made of."""
        match called:
            case ast.Call(make, [function, *_]) if self._module_of(activation, make) in _OF_SAME_ARGUMENTS:
                return function
            case _:
                return called

    # --- calls ---

    def _callee(
        self, activation: _Activation, expression: ast.expr | None
    ) -> tuple[_Activation, PythonFunction] | None:
        """Returns the call of a function of the sources that an expression is; None where it is none, or is
        not proved to return what the function does.
        """
        if not isinstance(expression, ast.Call):
            return None
        chain = activation.chain(expression)
        inner = {
            step.lines[: -len(chain)][-1:]: step
            for step in self._through.get(chain, ())
            if len(step.lines) > len(chain)
        }
        if len({lines[0].function for lines in inner}) != 1:
            return None
        (line,), step = next(iter(inner.items()))
        file, caller = self._program.file(line.file), self._program.file(activation.file)
        if file is None or caller is None or not self._is_call_of(activation, expression.func, line.function):
            return None
        callee = file.function(line.function, line.line)
        if callee is None or _transforms(step.stack) != self._transforms_of(activation):
            return None
        return _Activation(line.file, line.function, step.lines[-len(chain) :]), callee

    def _is_call_of(self, activation: _Activation, function: ast.expr, entered: str) -> bool:
        """Returns whether what is called is named as the function that was entered."""
        name = entered.rpartition(".")[2]
        match function:
            case ast.Name(called) if called == name:
                return self._definition(activation, called) in (entered, f"import {called}")
            case ast.Attribute(_, called) if called == name:
                return "." in entered or bool(self._module_of(activation, function))
            case ast.Call():
                return name == "__call__" and not self._module_of(activation, function.func).startswith(
                    "jax."
                )
            case _:
                return name == "__call__"

    def _definition(self, activation: _Activation, name: str) -> str:
        """Returns the qualified name of the function that a name refers to in a function of the sources;
        `import NAME` for one of another module; empty for none, or where the name is bound again.
        """
        file = self._program.file(activation.file)
        if file is None:
            return ""
        if activation.name == "<module>":
            prefixes = [""]
        else:
            parts = activation.name.split(".<locals>.")
            prefixes = [
                ".<locals>.".join(parts[:count]) + ".<locals>." for count in range(len(parts), 0, -1)
            ] + [""]
        for prefix in prefixes:
            scope = file.only_function(prefix.removesuffix(".<locals>.") or "<module>")
            if scope is None:
                return ""
            if scope.bindings[name]:
                defined = file.only_function(prefix + name)
                return prefix + name if defined and scope.bindings[name] == 1 else ""
        return f"import {name}" if name in file.imports else ""

    def _module_of(self, activation: _Activation, expression: ast.expr) -> str:
        file = self._program.file(activation.file)
        return file.module_of(expression) if file else ""

    def _transforms_of(self, activation: _Activation) -> tuple[str, ...] | None:
        """Returns the transformations around the operations that an activation's own expressions are."""
        found = {
            _transforms(step.stack)
            for chain, steps in self._own.items()
            if chain[1:] == activation.outer and chain[0].function == activation.name
            for step in steps
        }
        return next(iter(found)) if len(found) == 1 else None

    # --- proof by use ---

    def _proved_by_use(
        self, activation: _Activation, function: PythonFunction, assignment: Assignment
    ) -> list[int]:
        """Returns the value of an expression that an operation with the name as its operand uses."""
        if assignment.expression is None:
            return []
        chain = activation.chain(assignment.expression)
        steps = (*self._through.get(chain, ()), *self._derived.get(chain, ()))
        produced = {value for step in steps for value in step.operation.results}
        if not produced:
            return []
        proofs = [
            proof
            for user, name in function.uses_of(assignment)
            if (proof := self._used_at(activation, user, name, produced))
        ]
        values = set[int]().union(*proofs)
        return [*values] if len(values) == 1 else []

    def _used_at(
        self, activation: _Activation, user: ast.AST, name: ast.expr, produced: set[int]
    ) -> set[int]:
        """Returns the values, of some, that an expression uses as an operand that is a name."""
        match user:
            case ast.Return(value):
                return self._returned_as(activation, value, name) & produced
            case ast.BinOp(left, _, right):
                return self._operands(
                    activation, user, produced, 0 if left is name else 1 if right is name else None
                )
            case ast.Compare(left, _, [right]):
                return self._operands(activation, user, produced, 0 if left is name else 1)
            case ast.UnaryOp() | ast.Subscript(value=ast.Name()) | ast.Attribute():
                return self._operands(activation, user, produced, None)
            case ast.Call(called, [first, *others], keywords) if first is name:
                if self._takes_array(activation, called):
                    return self._operands(activation, user, produced, None)
                is_layer = not others and not keywords and self._is_layer(activation, user)
                return self._flowing(activation.chain(user), produced) if is_layer else set()
            case _:
                return set()

    def _returned_as(self, activation: _Activation, returned: ast.expr | None, name: ast.expr) -> set[int]:
        """Returns the values that a function returns as a name: results of the program, or of the call whose
        result is assigned to a name."""
        if self._is_result(activation):
            label = "result"
            if isinstance(returned, ast.Tuple):
                label = f"result[{returned.elts.index(name)}]"
            return {value for text, value in zip(self._result_labels, self._returned) if text == label}
        if not activation.outer or returned is not name:
            return set()
        caller, *outer = activation.outer
        around = _Activation(caller.file, caller.function, tuple(outer))
        function = self._program.function(around, caller.line)
        for assignment in function.assignments if function else ():
            expression = assignment.expression
            is_here = isinstance(expression, ast.Call) and around.chain(expression) == activation.outer
            if (
                function
                and is_here
                and assignment.part is None
                and self._callee(around, assignment.expression)
            ):
                return {*self._proved_by_use(around, function, assignment)}
        return set()

    def _is_layer(self, activation: _Activation, call: ast.Call) -> bool:
        """Returns whether a call is of an object of a library, such as a layer."""
        chain = activation.chain(call)
        inner = [step.lines[: -len(chain)] for step in self._through.get(chain, ())]
        return any(inner) and all(
            not lines
            or (lines[-1].function.endswith("__call__") and all(is_library(line.file) for line in lines))
            for lines in inner
        )

    def _flowing(self, chain: Chain, produced: set[int]) -> set[int]:
        """Returns the values, of some, that the operations of a call take."""
        return {
            operand for step in self._through.get(chain, ()) for operand in step.operation.operands
        } & produced

    def _takes_array(self, activation: _Activation, called: ast.expr) -> bool:
        module = self._module_of(activation, called)
        last = module.rpartition(".")[2]
        return module.startswith(("jax.numpy.", "jax.nn.")) and last not in OF_SEQUENCES | MANY_RESULTS

    def _is_result(self, activation: _Activation) -> bool:
        """Returns whether what a function returns is the only result of the program."""
        name = self._program.module.name or ""
        return (
            self._is_entry
            and list(self._result_labels) == [ONLY_RESULT]
            and name == f"jit_{activation.name.rpartition('.')[2]}"
        )

    def _operands(
        self, activation: _Activation, user: ast.expr, produced: set[int], side: int | None
    ) -> set[int]:
        """Returns the values that the operations of an expression take from outside: as the operand of one
        side of an elementwise operation with two, or any."""
        steps = self._own.get(activation.chain(user), ())
        own = {value for step in steps for value in step.operation.results}
        operands = set[int]()
        for step in steps:
            inputs = () if self._may_be_tangent(step) else step.operation.operands
            is_binary = len(inputs) == 2 and step.operation.name != "stablehlo.dot_general"
            if side is not None and is_binary and step.operation.name not in COPIES:
                inputs = inputs[side : side + 1]
            elif side is not None and step.operation.name in COPIES:
                continue
            operands.update(self._source(value, own) for value in inputs)
        return operands & produced

    def _source(self, value: int, own: set[int]) -> int:
        """Returns what a value of an expression was broadcast or converted from."""
        while value in own and self._bound_by[value].operation.name in COPIES:
            (value,) = self._bound_by[value].operation.operands
        return value


def _stack(origin: Origin) -> str:
    return f"{origin.scope}/{origin.primitive}" if origin.primitive else origin.scope


def _is_backward(stack: str) -> bool:
    """Returns whether a name stack is of a backward pass, or of what is computed again for one."""
    return is_transposed(stack) or "rematted_computation" in stack


def _is_inside(lines: Chain, chain: Chain) -> bool:
    """Returns whether an operation is for a part of an expression, or for what it calls."""
    return len(lines) >= len(chain) and lines[-len(chain) :] == chain


def _is_activation(name: str) -> bool:
    """Returns whether a full name is that of a function of `jax.nn` in a library of layers."""
    module, _, function = name.rpartition(".")
    return module in ("flax.linen", "flax.nnx") and function in ACTIVATIONS


def _transforms(stack: str) -> tuple[str, ...]:
    return tuple(match for part in scope_parts(stack) for match in _TRANSFORMS.findall(part))
