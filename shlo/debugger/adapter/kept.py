"""Tensors of a client's views: those kept as they were, and what is known of the newest ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Final

from msgspec import Struct

from shlo.debugger.errors import DebuggerError
from shlo.ir.dtypes import Array
from shlo.runner.tensors.planes import DescribedTensor
from shlo.text.numbers import byte_size

MAX_KEPT: Final = 16
"""How many tensors are kept."""
MAX_BYTES: Final = 1 << 29
"""How many bytes they may have together."""
MAX_DESCRIBED: Final = 6
"""Of how many tensors statistics and quantiles are remembered while the session stays."""


class KeptTensor(Struct, frozen=True):
    """A value as it was at a position, under the name by which a view asks for it."""

    name: str
    expression: str
    position: int
    value: Array


class KeptTensors:
    """The tensors that a view holds on to while the session moves on."""

    def __init__(self) -> None:
        self._kept: dict[str, KeptTensor] = {}
        self._described: OrderedDict[Hashable, DescribedTensor] = OrderedDict()
        self._next = 1

    def __iter__(self) -> Iterator[KeptTensor]:
        return iter(self._kept.values())

    def __getitem__(self, name: str) -> KeptTensor:
        """Returns the tensor of a name; raises DebuggerError where there is none."""
        if name not in self._kept:
            raise DebuggerError(f"no tensor is kept as {name}")
        return self._kept[name]

    def keep(self, expression: str, position: int, value: Array) -> KeptTensor:
        """Returns a value as a kept one; raises DebuggerError where too much is kept."""
        if len(self._kept) >= MAX_KEPT:
            raise DebuggerError(f"expected at most {MAX_KEPT} tensors to keep; remove one first")
        total = value.nbytes + sum(tensor.value.nbytes for tensor in self)
        if total > MAX_BYTES:
            limit = byte_size(MAX_BYTES)
            raise DebuggerError(f"expected at most {limit} of tensors to keep, got {byte_size(total)}")
        tensor = KeptTensor(f"#{self._next}", expression, position, value)
        self._next += 1
        self._kept[tensor.name] = tensor
        return tensor

    def forget(self, name: str) -> None:
        """Keeps a tensor no longer; one that is not kept is passed over."""
        self._kept.pop(name, None)

    def described(self, key: Hashable, describe: Callable[[], DescribedTensor]) -> DescribedTensor:
        """Returns what is known of a tensor, which is found out once for a key of this position."""
        description = self._described.get(key)
        if description is None:
            description = self._described[key] = describe()
            if len(self._described) > MAX_DESCRIBED:
                self._described.popitem(last=False)
        self._described.move_to_end(key)
        return description

    def move(self) -> None:
        """Forgets what is known of the tensors of this position: there may be other ones."""
        self._described.clear()

    def clear(self) -> None:
        """Forgets everything: another session begins."""
        self._kept.clear()
        self._described.clear()
