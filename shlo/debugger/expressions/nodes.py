"""Nodes of expressions about a run's values, and the text of an expression, which parses to an equal one."""

from __future__ import annotations

from typing import Final

from shlo.places.names import PythonName
from shlo.text.expressions import Binary, Call, Constant, Node, Slice, Subscript, Unary

RELATIONS: Final = ("<", "<=", ">", ">=", "==", "!=")

PRECEDENCE: Final = {
    operator: level
    for level, operators in enumerate(
        (("or",), ("and",), RELATIONS, ("|",), ("&",), ("+", "-"), ("*", "/", "//")), start=1
    )
    for operator in operators
}
"""How tightly operators between two operands bind, as in Python."""

COMPARISON: Final = PRECEDENCE["<"]
SIGN: Final = len(PRECEDENCE)
"""How tightly `-x` and `~x` bind; `**` and what has no operator bind more tightly."""
POWER, ATOM = SIGN + 1, SIGN + 2

SHORT_MEASURES: Final = ("min", "max", "mean")
"""Measures that short forms (`%x max > 10`) have of finite elements only."""


class ValueRef(Node, frozen=True):
    """A value of the program: `outer` calls outward, of a `process`, as it was `back` bindings before.
    `python` are the values that a name of the Python source has; none for one of the program's own names.
    """

    name: str
    outer: int = 0
    process: int | None = None
    back: int = 0
    python: tuple[PythonName, ...] = ()


class Round(Node, frozen=True):
    """The round of the `level`-th open loop, 0 is the innermost."""

    level: int


def finite_argument(node: Node) -> Node | None:
    """Returns x of `max(finite(x))` and the like, which short forms mean; None for anything else."""
    match node:
        case Call(name, (Call("finite", (inner,)),)) if name in SHORT_MEASURES:
            return inner
        case _:
            return None


def expression_text(node: Node) -> str:
    """Returns an expression as one writes it."""
    match node:
        case Constant(value):
            return str(value)
        case ValueRef(name, outer, process, back, python):
            prefix = "" if process is None else f"process({process})."
            return f"{'prev(' * back}{prefix}{'outer.' * outer}{'' if python else '%'}{name}{')' * back}"
        case Round(level):
            return f"iter({level})" if level else "iter"
        case Slice(start, stop, step):
            bounds = ["" if bound is None else expression_text(bound) for bound in (start, stop)]
            return ":".join(bounds if step is None else [*bounds, expression_text(step)])
        case Subscript(value, index):
            return f"{_within(value, ATOM)}[{', '.join(map(expression_text, index))}]"
        case Call(function, arguments):
            if isinstance(inner := finite_argument(node), ValueRef):
                return f"{expression_text(inner)} {function}"
            return f"{function}({', '.join(map(expression_text, arguments))})"
        case Unary("not", operand):
            return f"not {_within(operand, COMPARISON)}"
        case Unary(operator, operand):
            return f"{operator}{_within(operand, SIGN)}"
        case Binary("**", left, right):
            return f"{_within(left, ATOM)} ** {_within(right, POWER)}"
        case Binary(operator, left, right):
            level = PRECEDENCE[operator]
            return f"{_within(left, level + (operator in RELATIONS))} {operator} {_within(right, level + 1)}"
        case _:
            raise AssertionError(node)


def _within(node: Node, level: int) -> str:
    text = expression_text(node)
    return text if _level(node, text) >= level else f"({text})"


def _level(node: Node, text: str) -> int:
    match node:
        case Unary("not"):
            return COMPARISON
        case Binary("**"):
            return POWER
        case Binary(operator):
            return PRECEDENCE[operator]
        case Unary():
            return SIGN
        case _:
            is_signed = isinstance(node, Constant) and text.startswith("-")
            return SIGN if is_signed or isinstance(finite_argument(node), ValueRef) else ATOM
