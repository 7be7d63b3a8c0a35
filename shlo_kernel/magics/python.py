"""`%%python`: cells in Python, which share the session's values as NumPy arrays, both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from shlo.interpreter.runtime.values import check_of
from shlo.ir.dense import bit_view
from shlo.ir.dtypes import Array, UnsupportedTypeError
from shlo.ir.types import Type
from shlo.runner.errors import RequestError
from shlo.runner.interrupts import plain_interrupts
from shlo_kernel.cells.session import own_type
from shlo_kernel.magics.magic import Magic
from shlo_kernel.mime.bundle import CellValue, mime_of

if TYPE_CHECKING:
    from shlo_kernel.notebook import NotebookSession

VALUES: Final = "values"
"""The variable that holds all values by name, also those whose names are none of Python's."""


def _python(notebook: NotebookSession, argument: str, body: str | None) -> None:
    if body is None:
        raise RequestError("the Python is missing", "write %%python on the first line, Python below it")
    shared = _share(notebook)
    try:
        with plain_interrupts():
            result = notebook.python.execute(body)
        _show_result(notebook, result)
    except BaseException:  # what the cell bound stays Python's, but for the session's own values
        for name in notebook.session.values.keys() & shared.keys():
            notebook.variables[name] = shared[name]
        raise
    _take_over(notebook, shared)


def _share(notebook: NotebookSession) -> dict[str, Any]:
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


def _show_result(notebook: NotebookSession, result: Any) -> None:
    """Shows what the last line is worth: an array, of whichever library, as the notebook shows values."""
    if result is None:
        return
    array = _array(result)
    type_ = None if array is None else _type_of(array)
    if type_ is not None:
        notebook.screen.show_result(mime_of("", type_, array))
        return
    formatter: Any = notebook.python.display_formatter
    data, _ = formatter.format(result)
    notebook.screen.show_result(data)


def _take_over(notebook: NotebookSession, shared: Mapping[str, Any]) -> None:
    """Makes values of the arrays that Python has given new variables."""
    for name, variable in notebook.variables.items():
        previous = notebook.session.values.get(name)
        is_old = previous is not None and shared.get(name) is variable and not _is_changed(previous, variable)
        array = None if is_old or name.startswith("_") or not name.isascii() else _array(variable)
        if array is None:
            continue
        is_of_type = previous is not None and check_of(previous.type)(array)
        type_ = previous.type if previous is not None and is_of_type else _type_of(array)
        if type_ is not None:
            notebook.session.set_value(name, array, type_)
    notebook.variables[VALUES] = {name: value.array for name, value in notebook.session.values.items()}


def _is_changed(previous: CellValue | None, variable: Any) -> bool:
    """Returns whether Python has written to an array that it gave to the session before."""
    if previous is None or not isinstance(variable, np.ndarray) or not variable.flags.writeable:
        return False
    return not np.array_equal(bit_view(previous.array), bit_view(cast("Array", variable)))


def _array(variable: Any) -> Array | None:
    """Returns an array of the session's own from an array of NumPy or of another library, or from a
    scalar."""
    if isinstance(variable, type) or not hasattr(variable, "dtype") or not hasattr(variable, "__array__"):
        return None
    array = np.asarray(variable)
    return np.array(array) if array is variable and array.flags.writeable else array


def _type_of(array: Array) -> Type | None:
    try:
        return own_type(array)
    except UnsupportedTypeError:
        return None


PYTHON: Final = (
    Magic(
        "python",
        "",
        "a cell in Python, by IPython: values are arrays (read-only), arrays become values",
        _python,
        takes_cell=True,
        takes_line=False,
        defines="anything",
    ),
)
