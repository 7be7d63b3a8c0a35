"""Large tensors whose planes a page asks the kernel for: by key, as long as their arrays live."""

from __future__ import annotations

import secrets
import weakref
from collections import OrderedDict
from typing import Any, Final, cast

import numpy as np
from msgspec.structs import replace

from shlo.ir.dtypes import Array
from shlo.runner.tensors.planes import REQUEST, DescribedTensor, described, plane_json

TARGET: Final = "shlo.planes"
"""The target of comms that ask for planes."""
DESCRIBED_AT_MOST: Final = 8
"""Of how many tensors what is known of all of one is kept."""


class LiveTensors:
    """Arrays by key. It keeps none alive: one that is gone is no longer answered for."""

    def __init__(self) -> None:
        self._arrays: dict[str, weakref.ref[Array]] = {}
        self._described: OrderedDict[str, DescribedTensor] = OrderedDict()
        self._keys: dict[int, str] = {}

    def key_of(self, array: Array) -> str:
        """Returns the key of an array, a new one for an array that has none."""
        existing = self._keys.get(id(array))
        if existing is not None and self._arrays[existing]() is array:
            return existing
        key, identity = secrets.token_hex(8), id(array)

        def forget(_: Any) -> None:
            self._arrays.pop(key, None)
            if self._keys.get(identity) == key:
                del self._keys[identity]

        self._arrays[key] = weakref.ref(array, forget)
        self._keys[identity] = key
        return key

    def answer(self, question: Any) -> dict[str, Any]:
        """Returns `{number, plane}` for a question `{number, key, slice}`, or `{number, error}` that says why
        not."""
        asked = cast("dict[str, Any]", question) if isinstance(question, dict) else {}
        number, key, wanted = asked.get("number"), asked.get("key"), asked.get("slice")
        reference = self._arrays.get(key) if isinstance(key, str) else None
        array = None if reference is None else reference()
        if array is None or not isinstance(key, str) or not isinstance(wanted, dict):
            return {"number": number, "error": "the kernel no longer has this tensor; run the cell again"}
        request = cast("dict[str, Any]", wanted)
        try:
            plane = plane_json(self._tensor(key, array), {name: request.get(name) for name in REQUEST})
        except ValueError as error:
            return {"number": number, "error": str(error)}
        return {"number": number, "plane": plane}

    def _tensor(self, key: str, array: Array) -> DescribedTensor:
        """Returns what is known of an array, but for the array itself, which is not kept here."""
        tensor = self._described.get(key)
        if tensor is None:
            tensor = self._described[key] = replace(described(array), array=np.empty(0))
            while len(self._described) > DESCRIBED_AT_MOST:
                self._described.popitem(last=False)
        return replace(tensor, array=array)


LIVE_TENSORS: Final = LiveTensors()
"""The tensors of this kernel."""


def open_comm(comm: Any, _: Any) -> None:
    """Answers the questions of a page; the handler of TARGET."""

    def answer(message: dict[str, Any]) -> None:
        comm.send(LIVE_TENSORS.answer(message["content"]["data"]))

    comm.on_msg(answer)
