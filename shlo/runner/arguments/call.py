"""A function's arguments from what a user writes: array files, literals, random values or zeros.

A `.npy` file is one argument. A `.npz` file gives the arguments that its arrays are named after (`arg0`), or,
where none of the names is one, an argument for each array, in order. Beside arrays that are named after
arguments, those named as results (`out0`, `result_0`) are not read, and others are skipped with a note.
A file of arguments that `shlo conform --export` and `shlo split` write names their types, too.
Anything else is a literal: `dense<[1, 2]>`, `3`, `true`, `[1.5, 2.5]`, with or without its type. Arguments
that are named are set aside; the others are given in order. What is missing may be random or zeros.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.diagnostics import ParseError
from shlo.ir.dtypes import Array, UnsupportedTypeError
from shlo.ir.operations import Function, Module
from shlo.ir.traced_names import argument_label
from shlo.ir.types import RankedTensorType, TokenType, Type
from shlo.runner.arguments.literals import random_tensor, read_literal, zero_tensor
from shlo.runner.errors import RequestError, quoted
from shlo.support.suffixes import ARCHIVE_SUFFIX, ARRAY_SUFFIX, CAPTURE_SUFFIX, has_suffix
from shlo.text.numbers import plural
from shlo.text.suggest import did_you_mean

if TYPE_CHECKING:
    from shlo.ir.array_files import ArrayArchive, ArrayHeader
    from shlo_bytecode.exported.exported import Exported


Filling = Literal["zeros", "random"]
Read = Callable[["Parameter"], Any]
Note = Callable[[str], object]
"""Gets what to tell the user beside the result."""

_IN_ORDER = "none of its arrays is named after an argument, so they are taken in the order of the file"

_RESULT = re.compile(r"%?(?:out|outputs?|results?|expected)(?:[_.-]?[0-9]+)?")
"""Names of arrays that lie beside arguments in a file: `shlo run --save` writes `result_0`."""

STRANGERS_SHOWN = 8
"""How many of the arrays that are skipped are named."""

WIDEST_ELEMENT = 16
"""Bytes of the widest element that a tensor has, `complex<f64>`."""


class Parameter(Struct, frozen=True):
    """An argument that a function takes: its number, name and type; None is the type of one that is not used,
    whose value is not read. `sigil` comes before the name in messages. `traced_name` is what the program that
    this was made from called it, empty where nothing says.
    """

    index: int
    name: str
    type: Type | None
    sigil: str = "%"
    traced_name: str = ""

    @property
    def label(self) -> str:
        """How messages speak of it."""
        names = [f"{self.sigil}{self.name}"] if self.name else []
        names += [self.traced_name] if self.traced_name not in ("", self.name) else []
        return f"argument {self.index} ({', '.join(names)})" if names else f"argument {self.index}"

    @property
    def is_needed(self) -> bool:
        """Whether the call needs a value: there is a type, and it is no token."""
        return self.type is not None and not isinstance(self.type, TokenType)


class ArgumentTexts(Struct, frozen=True):
    """What a user wrote for the arguments of a call.

    Args:
        texts: files and literals.
        filling: what missing arguments are; None: they are an error.
        seed: of random ones.
        platform: of those that a file of `jax.export` was lowered for, the one that was chosen.
        note: gets what was skipped.
    """

    texts: Sequence[str] = ()
    filling: Filling | None = None
    seed: int = 0
    platform: str | None = None
    note: Note | None = None


class Given(Struct, frozen=True):
    """A value that the user gave: its text, for which argument (None: the next one), how to read it."""

    text: str
    name: str | None
    read: Read


def entry_function(module: Module, entry: str) -> Function:
    """Returns the function of that name; raises RequestError where the program has none."""
    functions = module.functions
    if entry in functions:
        return functions[entry]
    names = ", ".join(f"@{name}" for name in list(functions)[:10])
    more = f" and {len(functions) - 10} more" if len(functions) > 10 else ""
    what = f"it has {names}{more}: choose one by `entry`" if functions else "it has no functions"
    help = did_you_mean(entry, functions, "@{}", what)
    raise RequestError(f"the program has no function @{entry}", help)


def parameters_of(function: Function) -> tuple[Parameter, ...]:
    """Returns the arguments that a function takes."""
    types = function.type.inputs
    names = function.argument_names or ("",) * len(types)
    block = function.body.blocks[0] if function.body else None
    return tuple(
        Parameter(index, name, type_, traced_name=argument_label(block, index) if block else "")
        for index, (name, type_) in enumerate(zip(names, types))
    )


def type_named(text: str) -> Type | None:
    """Returns the type that a user wrote, `tensor<3x4xf32>` or `3x4xf32`; None where it is none."""
    from shlo.syntax import parse_type

    for written in (f"tensor<{text}>", text):
        with suppress(ParseError):
            return parse_type(written)
    return None


def read_argument(parameter: Parameter, text: str) -> Any:
    """Returns the value of one argument from a `.npy` file or a literal; raises RequestError."""
    return _reader(text)(parameter)


def load_arguments(
    function: Function, written: ArgumentTexts, types: Sequence[Type] | None = None
) -> list[Any]:
    """Returns the arguments of a function from what the user wrote, of its types or else of `types`.

    Raises RequestError.
    """
    parameters = parameters_of(function)
    if types is not None:
        parameters = tuple(replace(parameter, type=types[parameter.index]) for parameter in parameters)
    return read_values(parameters, function.name, written)


def read_values(parameters: Sequence[Parameter], function: str, written: ArgumentTexts) -> list[Any]:
    """Returns the values of the parameters of a function from what the user wrote, None for what is not used.

    Raises RequestError.
    """
    from shlo.interpreter.kernel_api import TOKEN

    make = _maker(written.filling, written.seed)
    values: list[Any] = []
    with ExitStack() as archives:
        skipped: list[str] = []
        values_given = _given(written.texts, {parameter.name for parameter in parameters}, archives, skipped)
        assigned = _assign(parameters, values_given, function)
        for parameter in parameters:
            value = assigned.get(parameter.index)
            if parameter.type is None:
                values.append(None)
            elif value is not None:
                values.append(value.read(parameter))
            elif isinstance(parameter.type, TokenType):
                values.append(TOKEN)
            elif make is not None:
                values.append(make(_tensor_type(parameter), parameter.label))
            else:
                raise _missing(function, parameters, assigned, skipped)
        if written.note is not None:
            for text in skipped:
                written.note(text)
    return values


def names_capture(text: str) -> bool:
    """Returns whether a text is the path of a capture, which holds the arguments of its call."""
    if not has_suffix(text, CAPTURE_SUFFIX):
        return False
    from shlo.runner.capture import is_capture

    return is_capture(text)


def _given(texts: Sequence[str], names: set[str], archives: ExitStack, skipped: list[str]) -> list[Given]:
    """Returns the values that texts represent; adds to `skipped`; archives live as long as `archives`."""
    written: list[Given] = []
    for text in texts:
        if has_suffix(text, ARCHIVE_SUFFIX) or names_capture(text):
            from shlo.ir.array_files import ArrayArchive

            written += _members(archives.enter_context(ArrayArchive(text)), text, names, skipped)
        else:
            written.append(Given(text, None, _reader(text)))
    return written


def _members(archive: ArrayArchive, path: str, names: set[str], skipped: list[str]) -> list[Given]:
    if names.isdisjoint(archive.names) and "types" in archive.names:
        from shlo.engines.command.tensor_files import typed_members

        typed = typed_members(archive)
        if typed is not None:
            return [
                Given(f"{path}[{member}]", None, _typed_member_reader(archive, member, path, element))
                for member, element in typed.items()
            ]
    plain = {member: member.removeprefix("%") for member in archive.names}
    members = list(plain)
    if not names.isdisjoint(plain.values()):
        members = [member for member in plain if plain[member] in names or not _RESULT.fullmatch(member)]
    strangers = [member for member in members if plain[member] not in names]
    if strangers and len(strangers) < len(members):
        shown = ", ".join(strangers[:STRANGERS_SHOWN]) + (", ..." if len(strangers) > STRANGERS_SHOWN else "")
        skipped.append(f"{path}: skipped {plural(len(strangers), 'array')} named after no argument: {shown}")
        members, strangers = [member for member in members if plain[member] in names], []
    order = _IN_ORDER if strangers else None
    return [
        Given(
            f"{path}[{member}]",
            None if strangers else plain[member],
            _member_reader(archive, member, f"{path}[{member}]", order),
        )
        for member in members
    ]


def _assign(parameters: Sequence[Parameter], written: list[Given], function: str) -> dict[int, Given]:
    by_name = {parameter.name: parameter.index for parameter in parameters if parameter.name}
    assigned: dict[int, Given] = {}
    for value in written:
        if value.name is not None:
            index = by_name[value.name]
            if index in assigned:
                raise RequestError(
                    f"{parameters[index].label} is given twice: {assigned[index].text}, {value.text}"
                )
            assigned[index] = value
    takes_value = (
        p.index for p in parameters if p.index not in assigned and not isinstance(p.type, TokenType)
    )
    for value in written:
        if value.name is None:
            index = next(takes_value, None)
            if index is None:
                raise RequestError(
                    f"@{function} takes {plural(len(parameters), 'argument', 'no')}; "
                    f"{quoted(value.text)} is one too many",
                    _unquoted_list(written),
                )
            assigned[index] = value
    return assigned


def _unquoted_list(written: Sequence[Given]) -> str | None:
    """Returns a hint where a shell has made several arguments of one list."""
    is_split = any(value.text.count("[") > value.text.count("]") for value in written)
    return "a list with blanks is one argument in quotes: '[1, 2, 3]'" if is_split else None


def _missing(
    function: str, parameters: Sequence[Parameter], assigned: dict[int, Given], skipped: Sequence[str]
) -> RequestError:
    missing = [p for p in parameters if p.index not in assigned and p.is_needed]
    shown = ", ".join(f"{p.label}: {p.type}" for p in missing[:5]) + (", ..." if len(missing) > 5 else "")
    how_many = f"{len(assigned)} given" if assigned else "none given"
    return RequestError(
        f"@{function} takes {plural(len(parameters), 'argument', 'no')}, {how_many}; missing: {shown}",
        "; ".join(skipped)
        or "give each as FILE.npy, FILE.npz or a literal, or make them up with --random SEED or --zeros",
    )


def _maker(filling: Filling | None, seed: int) -> Callable[[RankedTensorType, str], Array] | None:
    if filling is None:
        return None

    if filling == "zeros":
        return zero_tensor
    import numpy as np

    generator = np.random.default_rng(seed)
    return lambda type_, label: random_tensor(type_, label, generator)


def _tensor_type(parameter: Parameter) -> RankedTensorType:
    from shlo.interpreter.runtime.values import tensor_type_of

    type_ = parameter.type and tensor_type_of(parameter.type)
    if isinstance(type_, RankedTensorType):
        return type_
    raise RequestError(f"{parameter.label} has type {parameter.type}; only tensors can be given")


def _reader(text: str) -> Read:
    if has_suffix(text, ARRAY_SUFFIX):
        from shlo.ir.array_files import read_npy

        return lambda parameter: _typed(read_npy(text, _fits(parameter, text)), parameter)
    return lambda parameter: read_literal(text, _tensor_type(parameter), parameter.label)


def _member_reader(archive: ArrayArchive, name: str, label: str, hint: str | None) -> Read:
    return lambda parameter: _typed(archive.read(name, _fits(parameter, label, hint)), parameter)


def _typed_member_reader(archive: ArrayArchive, name: str, path: str, element: str) -> Read:
    """Returns the reader of an array of a file whose types of elements it names itself."""
    from shlo.engines.command.tensor_files import TensorFileError, of_name

    def read(parameter: Parameter) -> Any:
        array = archive.read(name, _fits(parameter, f"{path}[{name}]"))
        try:
            return _typed(of_name(array, element), parameter)
        except TensorFileError as error:
            raise RequestError(f"{path}[{name}]: {error}") from None

    return read


def _fits(parameter: Parameter, source: str, hint: str | None = None) -> Callable[[ArrayHeader], None]:
    """Returns the check that an array is of the shape of an argument, before its elements are read."""
    type_ = _tensor_type(parameter)

    def check(header: ArrayHeader) -> None:
        fits = len(header.shape) == type_.rank and all(
            size in (None, there) for size, there in zip(type_.shape, header.shape)
        )
        if not fits or header.dtype.itemsize > WIDEST_ELEMENT:
            held = f"{header.dtype.name} of shape {header.shape}"
            raise RequestError(f"{parameter.label} is a {type_}, but {source} holds {held}", hint)

    return check


def _typed(array: Array, parameter: Parameter) -> Any:
    """Returns the array as the argument's type, by which void elements are read."""
    from shlo.interpreter.kernel_api import KernelError
    from shlo.interpreter.runtime.marshal import marshal_argument

    try:
        return marshal_argument(array, _tensor_type(parameter), parameter.label)
    except (KernelError, UnsupportedTypeError) as error:
        raise RequestError(str(error)) from None


# --- files of jax.export ------------------------------------------------------------------------------------


P = ParamSpec("P")
T = TypeVar("T")


def exported_call(module: Module, function: Function, platform: str | None = None) -> Exported | None:
    """Returns what a file of `jax.export` says of a function of its program, None where it says nothing.

    Raises RequestError for a platform where there is nothing to choose, or that the function was not lowered
    for.
    """
    exported = None if type(module) is Module else _exported(module, function)
    if platform is not None:
        if exported is None:
            raise RequestError(
                "--platform chooses among the platforms of a file of jax.export, and this is another program"
            )
        _checked(exported.platform_index, platform)
    return exported


def _exported(module: Module, function: Function) -> Exported | None:
    from shlo_bytecode.exported.exported import ENTRY, exported_of

    return exported_of(module) if function.name == ENTRY else None


def load_call(
    function: Function, exported: Exported | None, written: ArgumentTexts, types: Sequence[Type] | None = None
) -> list[Any]:
    """Returns the arguments of a function from what the user wrote; for an exported function, that is its own
    arguments, of which those that it does not use may be given and are not read.

    `types` are as for `load_arguments`. Raises RequestError.
    """
    if exported is None:
        return load_arguments(function, written, types)
    places = _checked(exported.places, function)
    input_types = function.type.inputs if types is None else types
    types_by_number = dict(zip(exported.kept, (input_types[number] for number in places)))
    parameters = [
        Parameter(number, name, types_by_number.get(number), "")
        for number, name in enumerate(exported.input_names)
    ]
    values = read_values(parameters, function.name, written)
    return _checked(exported.arguments, function, values, written.platform)


def program_splits(
    exported: Exported | None, function: Function, splits: Mapping[int, int]
) -> Mapping[int, int]:
    """Returns the dimensions along which arguments are split by their number in the program's function, from
    those by their number in the exported function.
    """
    if exported is None:
        return splits
    numbers = dict(zip(exported.kept, _checked(exported.places, function)))
    strange = [number for number in splits if number not in numbers]
    if strange:
        raise RequestError(f"@{function.name} uses no argument {strange[0]} that could be split")
    return {numbers[number]: axis for number, axis in splits.items()}


def _checked(function: Callable[P, T], *arguments: P.args, **keywords: P.kwargs) -> T:
    """Returns what a function of the codec gives; its ValueError becomes a RequestError."""
    try:
        return function(*arguments, **keywords)
    except ValueError as error:
        raise RequestError(str(error)) from None
