"""Calls of the session's functions as one writes them: `@f(%x, 2.0, x.npy, random)`, and in a grid:
`2x4 --split 0 %r = @f(%x, %y#{process})`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from shlo.interpreter.topology.groups import MOST_PROCESSES
from shlo.ir.operations import Function, Module
from shlo.ir.types import RankedTensorType, TokenType, Type
from shlo.runner.arguments.call import (
    ArgumentTexts,
    Parameter,
    entry_function,
    parameters_of,
    read_argument,
    read_values,
)
from shlo.runner.arguments.grid import (
    GridCall,
    GridPlace,
    has_placeholder,
    parts_of,
    places_of,
    read_grid,
    read_split,
    whole_types,
)
from shlo.runner.errors import RequestError, quoted
from shlo.syntax.lexer.strings import readable_symbol, unescape
from shlo.syntax.lexer.tokens import STRING
from shlo.text.numbers import plural
from shlo.text.suggest import did_you_mean
from shlo_kernel.cells.session import CellSession

_CALL: Final = re.compile(
    rf"@(?P<name>{STRING}|[^\W\d][\w$.:]*)\s*(?:\((?P<arguments>.*)\))?\s*\Z", re.DOTALL
)
_ASSIGNMENT: Final = re.compile(r"(?P<names>%[\w$.-]+(?:\s*,\s*%[\w$.-]+)*)\s*=(?P<call>.*)\Z", re.DOTALL)
_RANDOM: Final = re.compile(r"random(?:\s*\(?\s*(?P<seed>\d{1,18})\s*\)?)?\Z", re.ASCII)
_FILLING: Final = re.compile(r"\s+--(?:(?P<random>random)(?:[ =]+(?P<seed>\d{1,18}))?|zeros)\s*\Z", re.ASCII)
_OPTIONS: Final = r"(?:\s+--[\w-]+(?:=|\s+)[^\s@]+)*"
_GRID: Final = re.compile(
    rf"\s*(?P<shape>[^\s@%]+)(?P<before>{_OPTIONS})\s+(?P<call>.*?)(?P<after>{_OPTIONS})\s*\Z",
    re.ASCII | re.DOTALL,
)
_OPTION: Final = re.compile(r"--([\w-]+)(?:=|\s+)(\S+)", re.ASCII)
_OPENING, _CLOSING = "([<{", ")]>}"

SHOWN_AT_MOST: Final = 5
"""How many arguments a message lists."""


class FunctionCall(Struct, frozen=True):
    """A function of a program with its arguments."""

    module: Module
    function: Function
    arguments: list[Any]


def read_names(text: str) -> tuple[list[str], str]:
    """Returns the names in front of a call, without `%`, none where there are none, and the call: `%x, %y
    = @f`."""
    match = _ASSIGNMENT.match(text.strip())
    if match is None:
        return [], text
    return [name.strip().removeprefix("%") for name in match["names"].split(",")], match["call"]


def check_names(names: Sequence[str], function: str, count: int) -> None:
    """Raises RequestError where a function has another number of results than there are names for them."""
    if names and len(names) != count:
        raise RequestError(f"@{function} gives {plural(count, 'result')}, {len(names)} names are given")


def read_call(
    session: CellSession, text: str, splits: Mapping[int, int] | None = None, count: int = 1
) -> FunctionCall:
    """Returns the call that a text says; raises RequestError. `splits` are arguments that are given for
    `count` processes together, with the dimension along which they will be split.
    """
    written, filling = _filling(text.strip())
    name, inside = _read_callee(written)
    module, function = function_of(session, name)
    texts = list(split_arguments(inside))
    types = whole_types(function, splits or {}, count)
    parameters = [replace(parameter, type=types[parameter.index]) for parameter in parameters_of(function)]
    if (len(texts) == 1 != len(parameters) and _RANDOM.match(texts[0])) or texts == ["zeros"]:
        texts, filling = [], texts[0]
    named = [argument for argument in texts if argument.lower().endswith(".npz")]
    texts = [argument for argument in texts if argument not in named]
    if len(texts) > len(parameters) or (len(texts) < len(parameters) and not named and filling is None):
        raise _wrong_count(name, parameters, len(texts))
    arguments = [read_value(session, parameter, argument) for parameter, argument in zip(parameters, texts)]
    rest = parameters[len(texts) :]
    if named:  # arrays under the names of arguments; the missing ones are generated, if that was asked for
        seed = _RANDOM.match(filling or "")
        how = None if filling is None else "random" if seed else "zeros"
        remaining = [replace(parameter, index=at) for at, parameter in enumerate(rest)] if texts else rest
        written = ArgumentTexts(named, how, _seed(seed))
        return FunctionCall(module, function, arguments + read_values(remaining, name, written))
    arguments += [read_value(session, parameter, filling or "zeros") for parameter in rest]
    return FunctionCall(module, function, arguments)


def called_function(session: CellSession, text: str) -> tuple[Module, Function]:
    """Returns the function that a call means, `@f` or `@f(%x)`, and the program that it runs in; raises
    RequestError."""
    if not text:
        raise RequestError("a function is missing", "write @f")
    return function_of(session, _read_callee(text)[0])


def _read_callee(text: str) -> tuple[str, str]:
    """Returns the name of the function that a call means, and what is inside of its parentheses."""
    match = _CALL.match(text)
    if match is None:
        raise RequestError(f"{quoted(text)} is no call" if text else "a call is missing", "write @f(%x, 2.0)")
    name = match["name"]
    return unescape(name[1:-1]) if name.startswith('"') else name, match["arguments"] or ""


def _filling(text: str) -> tuple[str, str | None]:
    """Returns a call without `--random SEED` or `--zeros` behind it, and how that makes up arguments."""
    match = _FILLING.search(text)
    if match is None:
        return text, None
    return text[: match.start()], f"random {match['seed'] or 0}" if match["random"] else "zeros"


def _seed(match: re.Match[str] | None) -> int:
    return int(match["seed"] or 0) if match else 0


def _wrong_count(name: str, parameters: Sequence[Parameter], count: int) -> RequestError:
    """Returns the error of a call with another number of arguments than the function has; names a few."""
    shown = [f"{_named(parameter)}: {parameter.type}" for parameter in parameters[:SHOWN_AT_MOST]]
    more = len(parameters) - len(shown)
    wanted = ", ".join(shown) + (f", ... ({more:,} more)" if more else "") or "no arguments"
    takes = plural(len(parameters), "argument", "no")
    how = "" if count > len(parameters) else f"; --random 0 behind @{name}() makes the others up"
    return RequestError(f"{readable_symbol(name)} takes {takes}, {count} given", f"{wanted}{how}")


def _named(parameter: Parameter) -> str:
    traced = parameter.traced_name
    return f"%{parameter.name} ({traced})" if traced not in ("", parameter.name) else f"%{parameter.name}"


def function_of(session: CellSession, name: str) -> tuple[Module, Function]:
    """Returns the function that a name means, and the program that it runs in; raises RequestError."""
    definitions = session.state.definitions
    full = definitions.resolve(name)
    if definitions.signature(full) is None:
        names = [*definitions.short_names, *session.functions]
        shown = ", ".join(map(readable_symbol, names[:10])) or "no functions"
        hint = did_you_mean(name, names, "@{}", f"there are {shown}" if names else "there are none")
        raise RequestError(f"there is no function {readable_symbol(name)}", hint)
    module, local_name = definitions.program_of(full)
    return module, entry_function(module, local_name)


def read_value(session: CellSession, parameter: Parameter, text: str) -> Any:
    """Returns an argument from what the user wrote: a value of the session, `random`, `zeros`, an array file
    or a literal; raises RequestError."""
    if text.startswith("%"):
        return _value_of(session, parameter.type, text)
    if isinstance(parameter.type, TokenType):
        return None
    random = _RANDOM.match(text)
    if random or text == "zeros":
        return _generated(parameter, _seed(random) if random else None)
    return read_argument(parameter, text)


def _value_of(session: CellSession, type_: Type | None, text: str) -> Any:
    """Returns a value of the session, which must be of a type where one is given."""
    from shlo.interpreter.kernel_api import KernelError
    from shlo.interpreter.runtime.marshal import marshal_argument

    values = session.named(text[1:])
    if not values:
        raise RequestError(f"there is no value {quoted(text)}")
    if type_ is None:
        return values[0].array
    try:
        return marshal_argument(values[0].array, type_, text)
    except KernelError as error:
        raise RequestError(str(error)) from None


def _generated(parameter: Parameter, seed: int | None) -> Any:
    """Returns random numbers, which depend on a seed and the argument's index; zeros without a seed."""
    import numpy as np

    from shlo.runner.arguments.literals import random_tensor, zero_tensor

    type_ = parameter.type
    if not isinstance(type_, RankedTensorType):
        raise RequestError(f"{parameter.label} has type {type_}; only tensors can be made up")
    if seed is None:
        return zero_tensor(type_, parameter.label)
    return random_tensor(type_, parameter.label, np.random.default_rng([seed, parameter.index]))


def split_arguments(text: str) -> Iterator[str]:
    """Yields what commas separate that are in no brackets and in no string."""
    start, depth, in_string = 0, 0, False
    for at, character in enumerate(text):
        if character == '"':
            in_string = not in_string
        elif in_string:
            continue
        elif character == "," and depth == 0:
            yield text[start:at].strip()
            start = at + 1
        else:
            depth += (character in _OPENING) - (character in _CLOSING)
    if text.strip():
        yield text[start:].strip()


def read_grid_call(session: CellSession, text: str) -> tuple[list[str], GridCall]:
    """Returns the grid and the call in each of its processes that a text says, `2x4 --split 0:1 %r = @f(%x)`,
    and the names for results; raises RequestError. `{process}`, `{replica}` and `{partition}` in a call are
    replaced by the numbers of each process.
    """
    match = _GRID.match(text)
    if match is None:
        raise RequestError("the grid or the call is missing", "write 2x4 @f(%x): 2 replicas of 4 partitions")
    places = places_of(*_shape(match["shape"]))
    splits = dict(_splits(f"{match['before']} {match['after']}"))
    names, written = read_names(match["call"])
    calls = _calls(session, written, places, splits)
    last = places[-1]
    grid = GridCall(
        last.replica + 1,
        last.partition + 1,
        tuple(places),
        tuple(call.module for call in calls),
        tuple(call.function for call in calls),
        tuple(parts_of(call.arguments, splits, at, len(calls)) for at, call in enumerate(calls)),
        ((),) * len(calls),
    )
    return names, grid


def _shape(text: str) -> tuple[int, int]:
    """Replicas and partitions."""
    try:
        replicas, partitions = read_grid(text)
    except ValueError:
        raise RequestError(f"{quoted(text)} is no grid", "write REPLICASxPARTITIONS: 2x4") from None
    if replicas * partitions > MOST_PROCESSES:
        raise RequestError(f"a grid has at most {MOST_PROCESSES} processes, not {replicas * partitions}")
    return replicas, partitions


def _splits(options: str) -> Iterator[tuple[int, int]]:
    """Arguments and the dimensions along which they are split, from options `--split 0:1`."""
    for name, value in _OPTION.findall(options):
        try:
            if name != "split":
                raise ValueError(name)
            yield read_split(value)
        except ValueError:
            hint = "write --split ARGUMENT or --split ARGUMENT:DIMENSION, in numbers from 0"
            raise RequestError(f"--{name} {quoted(value)} is no option of a grid", hint) from None


def _calls(
    session: CellSession, text: str, places: Sequence[GridPlace], splits: Mapping[int, int]
) -> list[FunctionCall]:
    """Returns the call of each process; what is written the same for several is read once."""
    for word in split_arguments(text.partition("(")[2].rpartition(")")[0]):
        values = session.named(word[1:]) if word.startswith("%") else []
        if values and values[0].name != word[1:]:
            hint = f"write {word}#{{process}} for one to each process, %{values[0].name} for the first to all"
            raise RequestError(f"{word} names {len(values)} values", hint)
    if not has_placeholder(text):
        return [read_call(session, text, splits, len(places))] * len(places)
    calls: dict[str, FunctionCall] = {}
    for grid_place in places:
        filled = grid_place.fill(text)
        if filled not in calls:
            calls[filled] = read_call(session, filled, splits, len(places))
    joined = _in_one_program(session, calls)
    return [joined[grid_place.fill(text)] for grid_place in places]


def _in_one_program(session: CellSession, calls: Mapping[str, FunctionCall]) -> Mapping[str, FunctionCall]:
    """Returns calls of functions outside of modules with one program that has all of these functions; others
    as they are, each with the module that its function is of."""
    definitions = session.state.definitions
    names = {call.function.name for call in calls.values()}
    are_outside = all(
        call.function.name in definitions.by_name
        and definitions.program_of(call.function.name)[0] is call.module
        for call in calls.values()
    )
    if len(names) < 2 or not are_outside:
        return calls
    program = definitions.program_with(names)
    return {
        text: replace(call, module=program, function=program.functions[call.function.name])
        for text, call in calls.items()
    }
