"""What a directive of an assembly format is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from shlo.syntax.form_reading import FormReading
from shlo.syntax.form_writing import FormWriting


class Directive(NamedTuple):
    """A pair of functions that read and write what a format names `custom(...)` or `type(...)`.

    `attributes` are those that the directive writes, which are then left out of the attribute dictionary.
    `blank` says that a blank stands before it, as before other items.
    """

    read: Callable[[FormReading], None]
    write: Callable[[FormWriting], None]
    attributes: tuple[str, ...] = ()
    blank: bool = True


Directives = dict[str, Directive]
