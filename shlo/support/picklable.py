"""Errors that pass from process to process."""

from __future__ import annotations

from typing import Any


class PicklableError(Exception):
    """Base class of errors whose constructors take other arguments than the message that they end up with.

    `pickle` calls a class with `args`, the message, which fails in such a constructor, in the process that
    waits for a pool's result. This class restores message and attributes without the constructor.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args), self.__dict__


def _restored(class_: type[PicklableError], args: tuple[Any, ...]) -> PicklableError:
    error = class_.__new__(class_, *args)
    error.args = args
    return error
