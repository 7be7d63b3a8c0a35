"""`%%python`: cells in Python, which share the session's values as NumPy arrays, both ways."""

from __future__ import annotations

import ast
import linecache
import traceback
from collections.abc import Mapping
from typing import Any, Final, cast

import numpy as np

from shlo.interpreter.runtime.values import check_of
from shlo.ir.dense import bit_view
from shlo.ir.dtypes import Array, UnsupportedTypeError
from shlo.ir.types import Type
from shlo.runner.errors import RequestError
from shlo.runner.interrupts import plain_interrupts
from shlo.text.escape import escaped
from shlo_kernel.cells.errors import CellError
from shlo_kernel.cells.session import own_type
from shlo_kernel.magics.magic import Magic, Notebook
from shlo_kernel.mime.bundle import Value, mime_of

VALUES: Final = "values"
"""The variable that holds all values by name, also those whose names are none of Python's."""
_FILE: Final = "<python cell>"


def _python(notebook: Notebook, argument: str, body: str | None) -> None:
    if body is None:
        raise RequestError("the Python is missing", "write %%python on the first line, Python below it")
    given = _share(notebook)
    linecache.cache[_FILE] = (len(body), None, body.splitlines(keepends=True), _FILE)
    try:
        with plain_interrupts():
            result = _execute(body, notebook.variables)
        _show_result(notebook, result)
    except BaseException as error:  # whatever the cell's Python raises is the cell's
        notebook.variables.clear()
        notebook.variables.update(given)
        if isinstance(error, KeyboardInterrupt):
            raise
        raise _traceback_error(error) from None
    _take_over(notebook, given)


def _share(notebook: Notebook) -> dict[str, Any]:
    """Returns the values that changed to Python as variables; gives all variables as they are then."""
    variables = notebook.variables
    before: Mapping[str, Any] = variables.get(VALUES, {})
    shared = {name: value.array for name, value in notebook.session.values.items()}
    for name, array in shared.items():
        if name.isidentifier() and before.get(name) is not array:
            variables[name] = array
    variables[VALUES] = shared
    variables.setdefault("__name__", "__main__")
    return dict(variables)


def _execute(code: str, variables: dict[str, Any]) -> Any:
    """Runs Python, and gives what its last line is worth where that is an expression."""
    tree = ast.parse(code, _FILE)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, _FILE, "exec"), variables)
    if last is None:
        return None
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), _FILE, "eval"), variables)


def _show_result(notebook: Notebook, result: Any) -> None:
    if result is None:
        return
    array = cast("Array", result) if isinstance(result, np.ndarray) else None
    type_ = None if array is None else _type_of(array)
    if type_ is not None:
        notebook.screen.show(mime_of("", type_, array))
        return
    from IPython.core.formatters import DisplayFormatter

    data, _ = DisplayFormatter().format(cast("object", result))
    notebook.screen.show(data)


def _take_over(notebook: Notebook, given: Mapping[str, Any]) -> None:
    """Makes values of the arrays that Python has given new variables."""
    for name, variable in notebook.variables.items():
        known = notebook.session.values.get(name)
        is_old = given.get(name) is variable and not _is_changed(known, variable)
        array = None if is_old or name.startswith("_") or not name.isascii() else _array(variable)
        type_ = None if array is None else _kept_type(known, array)
        if type_ is not None:
            notebook.session.set_value(name, array, type_)
    notebook.variables[VALUES] = {name: value.array for name, value in notebook.session.values.items()}


def _is_changed(known: Value | None, variable: Any) -> bool:
    """Returns whether Python has written to an array that it gave to the session before."""
    if known is None or not isinstance(variable, np.ndarray) or not variable.flags.writeable:
        return False
    return not np.array_equal(bit_view(known.array), bit_view(cast("Array", variable)))


def _array(variable: Any) -> Array | None:
    """Returns an array of the session's own from an array of NumPy or of another library, or from a
    scalar."""
    if isinstance(variable, type) or not hasattr(variable, "dtype") or not hasattr(variable, "__array__"):
        return None
    array = np.asarray(variable)
    return np.array(array) if array is variable and array.flags.writeable else array


def _kept_type(known: Value | None, array: Array) -> Type | None:
    """Returns the type that the value of a name has already where the array is of it, else the array's
    own."""
    if known is not None and check_of(known.type)(array):
        return known.type
    return _type_of(array)


def _type_of(array: Array) -> Type | None:
    try:
        return own_type(array)
    except UnsupportedTypeError:
        return None


def _traceback_error(error: BaseException) -> CellError:
    """Python's own traceback, from the cell's first line on."""
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename != _FILE:
        frames = frames.tb_next
    lines = traceback.format_exception(type(error), error, frames)
    return CellError(type(error).__name__, str(error), escaped("".join(lines).rstrip("\n")))


PYTHON: Final = (
    Magic(
        "python",
        "",
        "a cell in Python: values are arrays (read-only), arrays become values",
        _python,
        takes_cell=True,
        takes_line=False,
    ),
)
