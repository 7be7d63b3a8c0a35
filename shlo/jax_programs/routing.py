"""Keywords of a call of `shlo.run` and the like: which are the function's, which are shlo's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import wraps
from types import MappingProxyType
from typing import Any, Final, ParamSpec, TypeVar, cast

from shlo.interpreter.options import OptionError, RunKeywords, RunOptions
from shlo.jax_programs.arguments import FunctionKeywords
from shlo.jax_programs.kinds import kind_of
from shlo.runner.errors import RequestError, shown
from shlo.text.suggest import did_you_mean

_P = ParamSpec("_P")
_T = TypeVar("_T")


class CallOptions(RunKeywords, total=False):
    """Options of a run, by the names of the fields of RunOptions, and keywords of shlo's functions."""

    engine: Any
    shadow: str | None
    platform: str | None
    devices: int | None
    static_argnums: int | Sequence[int]
    static_argnames: str | Sequence[str]
    front_end: Callable[..., Any] | None
    listen: str | None
    locations: bool
    names: Sequence[str]
    rules: str


Options = CallOptions | RunOptions | None

FUNCTION_OPTIONS: Final = frozenset(
    ("engine", "shadow", "front_end", "listen", "locations", "names", "rules")
) | {"static_argnums", "static_argnames"}
"""The keywords of `shlo.run` and the like that are no options of a run."""
_NONE: Final[Mapping[str, Any]] = MappingProxyType({})
_KNOWN: Final = FUNCTION_OPTIONS | frozenset(RunKeywords.__annotations__) | {"platform", "devices"}

_block: ContextVar[Mapping[str, Any]] = ContextVar("options of the with block", default=_NONE)


@contextmanager
def options(**keywords: Any) -> Generator[None]:
    """Sets options of shlo's functions, for the calls of this thread or task inside of a `with` block.

        with shlo.options(engine="xla", max_steps=10**6):
            shlo.run(f, x, engine=2.0)  # `engine` is a parameter of f

    Args:
        keywords: keywords of `shlo.run`, `shlo.debug` and the like, and fields of `RunOptions`. A call's own
            go before them; functions that have no such option leave it alone.

    Raises:
        TypeError: an option is unknown.
    """
    for name in keywords:
        if name not in _KNOWN:
            hint = f"the options are {', '.join(sorted(_KNOWN))}"
            raise OptionError(f"unexpected option {name!r}; {did_you_mean(name, _KNOWN, otherwise=hint)}")
    token = _block.set({**_block.get(), **keywords})
    try:
        yield
    finally:
        _block.reset(token)


def options_by_name(options: Options) -> dict[str, Any]:
    """Returns the options of a run: those of the call, and else of the `with` block. Raises RequestError."""
    block = _block.get()
    return _of_run(block) | _by_name(options) if block else _by_name(options)


def route_keywords(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Decorates a function that takes a program, its arguments, and keywords of its own.

    A keyword that is the decorated function's own, and the name of a parameter of the program's function
    that the positional arguments leave open, is the latter's. Options in `options=` and the `with` block
    become keywords of the decorated function where it has such.
    """
    parameters = inspect.signature(function).parameters.values()
    keyword_only = frozenset(
        parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY
    )
    takes_options = "options" in keyword_only
    shared = keyword_only | {"options"}
    leading = sum(parameter.kind is parameter.POSITIONAL_ONLY for parameter in parameters)

    def routed(arguments: Sequence[Any], keywords: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        clashes = shared & keywords.keys()
        programs, positional = arguments[:leading], arguments[leading:]
        of_function = FunctionKeywords(
            {
                name: keywords.pop(name)
                for name in clashes
                if any(_takes(program, name, len(positional)) for program in programs)
            }
        )
        block, explicit = _block.get(), _by_name(keywords.pop("options", None))
        chosen = {name: value for name, value in {**block, **explicit}.items() if name in keyword_only}
        others = {name: value for name, value in explicit.items() if name not in chosen}
        if takes_options:
            keywords["options"] = {**_of_run({**block}), **others}
        elif others:
            raise OptionError(f"unexpected option {next(iter(others))!r} of {function.__name__}")
        return (*arguments, *([of_function] if of_function else ())), chosen | keywords

    @wraps(function)
    def call_with_routed_keywords(*arguments: _P.args, **keywords: _P.kwargs) -> _T:
        named: dict[str, Any] = keywords
        if len(arguments) < leading or not (_block.get() or (named and shared & named.keys())):
            return function(*arguments, **keywords)
        positional, chosen = routed(arguments, named)
        call: Callable[..., _T] = function
        return call(*positional, **chosen)

    return call_with_routed_keywords


def _of_run(block: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in block.items() if name not in FUNCTION_OPTIONS}


def _by_name(options: Any) -> dict[str, Any]:
    """Returns options by name; raises RequestError for what holds none."""
    if options is None:
        return {}
    if isinstance(options, RunOptions):
        values = {name: getattr(options, name) for name in RunOptions.__struct_fields__}
        return {name: value for name, value in values.items() if value != getattr(RunOptions(), name)}
    if not isinstance(options, Mapping):
        raise RequestError(
            f"expected a dictionary or RunOptions for options, got {shown(options)}",
            'write options={"semantics": "xla"}, or engine="xla"',
        )
    return dict(cast("Mapping[str, Any]", options))


def _takes(program: Any, name: str, count: int) -> bool:
    """Returns whether a program's function has a parameter of a name that `count` positional arguments leave
    open."""
    kind = kind_of(program)
    if kind in ("lowered", "traced", "exported"):
        tree = getattr(program, "in_tree", None)
        return tree is not None and name in tree.unflatten([0] * tree.num_leaves)[1]
    if kind not in ("function", "jitted", "wrapper"):
        return False
    with suppress(ValueError, TypeError):
        parameters = inspect.signature(program).parameters
        parameter = parameters.get(name)
        if parameter is not None and parameter.kind is not parameter.POSITIONAL_OR_KEYWORD:
            return parameter.kind is parameter.KEYWORD_ONLY
        return parameter is not None and [*parameters].index(name) >= count
    return False
