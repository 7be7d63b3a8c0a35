"""Requests of views about tensors: which there are, planes of one, the difference of two, what is kept."""

from typing import Any, Final, Required, TypedDict

from shlo.debugger.adapter.debuggee import END, Debuggee
from shlo.debugger.adapter.kept import KeptTensor
from shlo.debugger.adapter.variables import named_results
from shlo.debugger.errors import DebuggerError
from shlo.debugger.tensors.difference import TensorDifference, difference_of
from shlo.debugger.text.format_expressions import outward_lines
from shlo.ir.dtypes import Array
from shlo.runner.statistics import tensor_of
from shlo.runner.tensors.planes import REQUEST, DescribedTensor, described, plane_json
from shlo.text.escape import escaped
from shlo.text.numbers import byte_size, number_text, plural

MAX_ASKED: Final = 32
"""How many tensors are listed at once."""
MAX_BYTES: Final = 1 << 29
"""How many bytes a tensor may have to be shown."""


class ListArguments(TypedDict, total=False):
    """Which expressions are shown."""

    frameId: int
    expressions: Required[list[str]]


class TensorArguments(TypedDict, total=False):
    """A tensor (an expression, or the name of a kept one), what is taken away from it, and which part of
    which plane is asked for, as `plane_json` takes it.
    """

    frameId: int
    tensor: Required[str]
    other: str
    at: Any
    rows: Any
    columns: Any
    window: Any
    height: Any
    width: Any


class KeepArguments(TypedDict, total=False):
    """The expression of a tensor to be kept as it is."""

    frameId: int
    tensor: Required[str]


class ForgetArguments(TypedDict):
    """The name of a kept tensor."""

    tensor: str


def tensors(debuggee: Debuggee, arguments: ListArguments) -> dict[str, Any]:
    """Returns what each expression is in a frame: type and shape, or why it is no tensor. `newest` is the
    name of the tensor that the last step bound, empty where there is none.
    """
    frame = debuggee.at(arguments.get("frameId"))
    asked = arguments["expressions"]
    if len(asked) > MAX_ASKED:
        raise DebuggerError(f"expected at most {MAX_ASKED} expressions, got {len(asked)}")
    newest = _newest(debuggee, frame)
    wanted = [newest] * bool(newest) + asked
    return {
        "newest": escaped(newest),
        "position": debuggee.session.position,
        "tensors": [_listed(debuggee, text, frame) for text in dict.fromkeys(wanted)],
        "kept": [_kept(tensor) for tensor in debuggee.kept],
    }


def tensor(debuggee: Debuggee, arguments: TensorArguments) -> dict[str, Any]:
    """Returns a part of a plane of a tensor, or of its difference to another one, pooled."""
    frame = debuggee.at(arguments.get("frameId"))
    one, other = arguments["tensor"], arguments.get("other", "")
    note = ""
    if other:
        difference, note = _difference(debuggee, one, other, frame)
    else:
        difference = _described(debuggee, one, frame)
    try:
        part = plane_json(difference, {name: arguments.get(name) for name in REQUEST})
    except ValueError as error:
        raise DebuggerError(str(error)) from None
    if note:
        part["statistics"]["line"] = note
    return part


def keep(debuggee: Debuggee, arguments: KeepArguments) -> dict[str, Any]:
    """Returns a tensor that is kept as it is here, wherever the session goes."""
    frame = debuggee.at(arguments.get("frameId"))
    array = _array(debuggee, arguments["tensor"], frame)
    return _kept(debuggee.kept.keep(arguments["tensor"], debuggee.session.position, array))


def forget(debuggee: Debuggee, arguments: ForgetArguments) -> None:
    """Keeps a tensor no longer."""
    debuggee.kept.forget(arguments["tensor"])


def _newest(debuggee: Debuggee, frame: int) -> str:
    """Returns the tensor that the last step bound, where it is in scope and no scalar, or else a scalar."""
    step = debuggee.session.snapshot.last_step
    if frame == END:
        return next((name for name, value in named_results(debuggee) if tensor_of(value) is not None), "")
    if step is None:
        return ""
    newest = ""
    for name in step.bound:
        try:
            bound = tensor_of(debuggee.session.inspector.value(name, frame))
        except DebuggerError:
            continue
        if bound is not None and (bound.shape or not newest):
            newest = f"%{name}"
            if bound.shape:
                break
    return newest


def _listed(debuggee: Debuggee, text: str, frame: int) -> dict[str, Any]:
    try:
        array, note = _noted(debuggee, text, frame)
    except DebuggerError as error:
        return {"tensor": escaped(text), "type": "", "shape": None, "note": escaped(str(error))}
    return {"tensor": escaped(text), **_shape(array), "note": escaped(note)}


def _kept(tensor: KeptTensor) -> dict[str, Any]:
    return {
        "tensor": tensor.name,
        "expression": escaped(tensor.expression),
        "position": tensor.position,
        **_shape(tensor.value),
    }


def _shape(array: Array) -> dict[str, Any]:
    return {"type": f"{'x'.join(map(str, (*array.shape, array.dtype.name)))}", "shape": list(array.shape)}


def _array(debuggee: Debuggee, text: str, frame: int) -> Array:
    """Returns a tensor by its expression or the name that it is kept under; raises DebuggerError."""
    return _noted(debuggee, text, frame)[0]


def _noted(debuggee: Debuggee, text: str, frame: int) -> tuple[Array, str]:
    """Returns a tensor, and which of its names were found in functions around; raises DebuggerError."""
    if text.startswith("#"):
        return debuggee.kept[text].value, ""
    value, note = _value(debuggee, text, frame)
    array = tensor_of(value)
    if array is None:
        raise DebuggerError("no tensor")
    if array.nbytes > MAX_BYTES:
        raise DebuggerError(f"expected at most {byte_size(MAX_BYTES)}, got {byte_size(array.nbytes)}")
    return array, note


def _value(debuggee: Debuggee, text: str, frame: int) -> tuple[Any, str]:
    if frame == END:
        matches = [value for name, value in named_results(debuggee) if name == text]
        if not matches:
            raise DebuggerError(
                "not in scope: the program has ended, and its results have names of their own"
            )
        return matches[0], ""
    evaluated = debuggee.session.watches.evaluate(text, frame)
    return evaluated.value, " ".join(outward_lines(evaluated.outward))


def _described(debuggee: Debuggee, text: str, frame: int) -> DescribedTensor:
    array = _array(debuggee, text, frame)
    return debuggee.kept.described(_key(debuggee, (text,), frame), lambda: described(array))


def _difference(debuggee: Debuggee, one: str, other: str, frame: int) -> tuple[DescribedTensor, str]:
    """Returns the first tensor minus the second, and in words how they differ."""
    difference = difference_of(_array(debuggee, one, frame), _array(debuggee, other, frame), 1)
    key = _key(debuggee, (one, other), frame)
    return debuggee.kept.described(key, lambda: described(difference.signed)), _words(difference)


def _key(debuggee: Debuggee, texts: tuple[str, ...], frame: int) -> tuple[Any, ...]:
    return texts, frame, debuggee.session.cursor.selected


def _words(difference: TensorDifference) -> str:
    """Returns how two tensors differ in a line."""
    if not difference.differing:
        return "all elements are the same"
    total = difference.signed.size
    words = f"{plural(difference.differing, 'element')} of {total:,} differ"
    if difference.largest is not None:
        words += f", by {number_text(difference.largest)} at most"
    if difference.ulps is not None:
        words += f", {difference.ulps:,} units in the last place"
    index = list(difference.worst[0].index)
    return f"{words}; the most at {index}"
