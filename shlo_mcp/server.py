"""The tools of the server, and what each tells an agent about itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

import shlo
from shlo.dialects import all_op_defs, find_op_def
from shlo.dialects.opdef import Constraint, OpDef
from shlo.language.hover.op_docs import op_def_text
from shlo.runner.errors import quoted
from shlo.text.suggest import did_you_mean
from shlo.verifier.codes import GENERAL_CODES, TYPE_CONSTRAINTS
from shlo_mcp.calls import Answer, CallError, Calls, entry_words

INSTRUCTIONS: Final = (
    "Tools for StableHLO programs (MLIR). `program` is the text of a program, or the path of a file below "
    "the folders that the server was started with. Arguments of runs are literals, such as `[1.5, 2]`, `3` "
    "or `dense<0.0>`, or paths of .npy and .npz files. Begin with `check`; `explain` tells what a code in "
    "brackets means. An interpreter that follows the specification computes all results."
)


class Tools:
    """The tools, as methods: their names, types and docstrings are what agents see."""

    def __init__(self, calls: Calls, engine_words: Sequence[str] = ()) -> None:
        self._calls = calls
        self._engine_words = engine_words

    def check(self, program: str) -> str:
        """Reads and verifies a program. Returns all findings as JSON: place, message, code, and the edits
        that mend it; an empty list where nothing is wrong.
        """
        return _text(self._calls.run("check", [program], "--format=json"), fine=(0, 1))

    def print_program(self, program: str, generic: bool = False) -> str:
        """Returns a program in MLIR's canonical form; reads bytecode and portable artifacts, too. `generic`
        prints every operation with all its attributes and types.
        """
        return _text(self._calls.run("convert", [program], *(["--generic"] if generic else [])))

    def explain(self, name: str) -> str:
        """Explains the code of a finding, such as `reverse-C3` or `type-mismatch`: the constraint, the
        operation that it belongs to, the section of the specification. An operation's name, such as
        `dot_general`, gives its operands, attributes, constraints and form.
        """
        return explain(name)

    def run(
        self, program: str, arguments: Sequence[str] = (), entry: str = "main", random_seed: int | None = None
    ) -> str:
        """Runs a function; returns its results as JSON. `random_seed` makes missing arguments up. The server
        may have been started with another engine than the interpreter, which computes them then.
        """
        seed = [] if random_seed is None else [f"--random={abs(random_seed)}"]
        how = self._engine_words or self._limits()
        words = [*self._calls.arguments(arguments), *entry_words(entry), *how, *seed]
        return _text(self._calls.run("run", [program], *words, "--format=json"))

    def first_nan(self, program: str, arguments: Sequence[str] = (), entry: str = "main") -> str:
        """Runs a program to the operation that makes the first NaN or infinity, and follows that element back
        to where it comes from: operations with lines and steps, up to an argument's element.
        """
        words = [*self._calls.arguments(arguments), *entry_words(entry), *self._limits(), "--script=-"]
        return _text(self._calls.run("debug", [program], *words, script="nonfinite\nblame\nquit\n"))

    def why(self, program: str, arguments: Sequence[str] = (), entry: str = "main") -> str:
        """Runs a program with all checks; returns as JSON the causes of NaN, infinities, wrong numbers and
        deadlocks, the likeliest first: what happened, at which line, out of which elements, and what helps.
        """
        words = [*self._calls.arguments(arguments), *entry_words(entry), *self._limits()]
        return _text(self._calls.run("why", [program], *words, "--format=json"), fine=(0, 1))

    def diff(self, before: str, after: str) -> str:
        """Compares two programs by structure, as JSON: names of values and the order of operations do not
        count. Two programs that compute the same in the same way have no differences. `compared` is false
        where there was nothing to compare.
        """
        return _text(self._calls.run("diff", [before, after], "--text", "--format=json"), fine=(0, 1, 2))

    def diff_runs(self, before: str, after: str, arguments: Sequence[str] = ()) -> str:
        """Runs two programs on the same arguments; returns the first operation whose values part, as JSON,
        and the largest difference with what was allowed. Only where `compared` is true does no difference
        mean that the results are the same.
        """
        words = [*self._calls.arguments(arguments), *self._limits(), "--format=json"]
        return _text(self._calls.run("diff", [before, after], *words), fine=(0, 1, 2))

    def reduce(
        self,
        program: str,
        arguments: Sequence[str] = (),
        fault: Literal["nan", "error", "finding"] = "nan",
        text: str = "",
    ) -> str:
        """Returns a smaller program that still shows a fault: "nan", a run makes one; "error", a run fails
        and says `text`; "finding", `check` says `text`, in a message or as its code.
        """
        option = "--nan" if fault == "nan" else f"--{fault}={text}"
        seconds = f"--seconds={max(self._calls.limits.seconds // 2, 1)}"
        words = [*self._calls.arguments(arguments), *self._limits(), option, seconds]
        return _text(self._calls.run("reduce", [program], *words, result=True), fine=(0, 2))

    def cost(self, program: str) -> str:
        """Counts FLOPs, bytes and memory of a program, by operation and name scope, as JSON; runs nothing."""
        return _text(self._calls.run("cost", [program], "--format=json"))

    def _limits(self) -> list[str]:
        return [f"--max-steps={self._calls.limits.max_steps}"]


NAMES: Final = (
    *("check", "print_program", "explain", "run", "first_nan", "why", "diff", "diff_runs", "reduce", "cost"),
)
"""The methods of `Tools` that are tools."""


def make_server(calls: Calls, engine_words: Sequence[str] = ()) -> MCPServer:
    """Returns a server whose tools are carried out by calls; `engine_words` are options of `shlo run` that
    name another engine than the interpreter.
    """
    server = MCPServer("shlo", version=shlo.__version__, instructions=INSTRUCTIONS, log_level="WARNING")
    tools = Tools(calls, engine_words)
    for name in NAMES:
        method: Callable[..., Any] = getattr(tools, name)
        server.tool(name=name, description=method.__doc__, structured_output=False)(_with_errors(method))
    return server


def _with_errors(method: Callable[..., str]) -> Callable[..., str]:
    """Returns a tool whose CallError is told to the agent as the tool's error."""
    from functools import wraps

    @wraps(method)
    def tool(*arguments: Any, **keywords: Any) -> str:
        try:
            return method(*arguments, **keywords)
        except CallError as error:
            raise ToolError(str(error)) from None

    return tool


def _text(answer: Answer, fine: Sequence[int] = (0,)) -> str:
    """Returns what a command printed. Raises CallError with its messages where it failed: with exit code 2,
    what could not all be compared has an output, and what could not be begun has none.
    """
    if answer.code not in fine or (answer.code == 2 and not answer.output.strip()):
        raise CallError(answer.messages.strip() or answer.output.strip() or f"exit code {answer.code}")
    return "\n".join(filter(None, (answer.output.strip(), answer.messages.strip())))


LONGEST_NAME: Final = 200
"""Characters of a name that is looked up: to suggest others takes longer, the longer it is."""
_INPUTS: Final = "operands, attributes and regions in the specification's order"


def explain(name: str) -> str:
    """Returns what a code or an operation is. Raises CallError where there is none of that name."""
    if len(name) > LONGEST_NAME:
        raise CallError(f"expected the code of a finding or an operation, got {quoted(name)}")
    if name in GENERAL_CODES:
        return f"`{name}`: {GENERAL_CODES[name]}"
    op_def = _operation(name)
    if op_def:
        return "\n".join([op_def_text(op_def), "", "Constraints", *map(_line, op_def.constraints)])
    operation, _, label = name.rpartition("-")
    for op_name, constraint in _constraints():
        if (op_name, constraint.label) == (operation, label):
            op_def = _operation(operation)
            return "\n\n".join(filter(None, (_line(constraint), op_def_text(op_def) if op_def else "")))
    op_def = _operation(operation)
    if op_def and label.startswith("I"):
        return f"`{name}`: one of the {_INPUTS} is not of its kind.\n\n{op_def_text(op_def)}"
    names = [*GENERAL_CODES, *(f"{op_name}-{constraint.label}" for op_name, constraint in _constraints())]
    hint = did_you_mean(name, names)
    raise CallError(
        f"expected the code of a finding or an operation, got {name!r}" + (f"; {hint}" if hint else "")
    )


def _operation(name: str) -> OpDef | None:
    return find_op_def(name) or find_op_def(f"stablehlo.{name}")


def _constraints() -> Iterator[tuple[str, Constraint]]:
    """Yields the constraints of operations and of types with the name before the label in their codes."""
    operations = ((op_def.name.removeprefix("stablehlo."), op_def.constraints) for op_def in all_op_defs())
    for name, constraints in chain(operations, TYPE_CONSTRAINTS.items()):
        yield from ((name, constraint) for constraint in constraints)


def _line(constraint: Constraint) -> str:
    line = f"- {constraint.label}: `{constraint.formula}`; {constraint.severity} where it is broken"
    return f"{line}. {constraint.erratum}" if constraint.erratum else line
