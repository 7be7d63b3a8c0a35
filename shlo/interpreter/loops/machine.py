"""Machine code of functions in LLVM's language, at first quickly made, later optimized. Both give the same
bits.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from shlo.interpreter.loops.llvm import AROUND, PASS
from shlo.interpreter.runtime.background import give_way
from shlo.interpreter.runtime.tiers import REFUSALS, make_code, policy
from shlo.support.llvm import MachineCode, Passes

MachineFunction = Callable[..., int]
"""Takes the address of a frame, and integers; returns an integer."""
LONGEST_TEXT: Final = 1 << 20
"""Characters of a text that is optimized at most: the end of the process waits for LLVM."""

OPTIMIZED_SHARE: Final = 1 / 8
"""The part of the time of passes over arrays, made quickly, that optimized ones save, about."""


class Machine:
    """Machine code of one function, as long as it is referred to.

    Args:
        text: LLVM's language.
        name: the function.
        integers: how many integers it takes beside a frame.
        packs: whether loops are unrolled, and operations in a straight line become vectors. Of larger
            functions that makes slower code, and takes several times as long.
        first: the passes of code that is made quickly, until it has run so long that optimizing it pays; None
            where it is optimized at once. Without any pass it is simple; with all its passes over arrays take
            a tenth to a quarter longer than the best, and it is made in half the time, or a third.
    """

    def __init__(
        self,
        text: str,
        name: str = "loop",
        integers: int = 1,
        packs: bool = False,
        first: Passes | None = None,
    ) -> None:
        self._name = name
        self._prototype = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *[ctypes.c_int64] * integers)
        self._text = text if first and len(text) <= LONGEST_TEXT else ""
        self._passes: Passes = "all" if PASS in text or first == "all" else "few"
        self._lines = self._text.count("\n")
        code = (
            MachineCode(text.replace(AROUND, f"{AROUND} optnone"), give_way, 0, first)
            if first
            else MachineCode(text, give_way, 2, packs=packs)
        )
        self._codes = [code]
        self._spent = 0.0
        self.function: MachineFunction = self._prototype(self.address(name))
        """The best code so far."""

    @property
    def is_simple(self) -> bool:
        """Whether the code was made quickly, and is to be optimized once that pays."""
        return self._text != ""

    def spend(self, seconds: float) -> None:
        """Adds what optimized code would have saved, and has it made once that pays, if it is needed then."""
        self._spent += seconds if self._passes == "all" else policy().least_gain * seconds
        text = self._text
        if text and policy().pays("optimized", self._spent, self._lines):
            self._text = ""
            reference = weakref.ref(self)
            make_code("optimized", lambda: (machine := reference()) is not None and machine.optimize(text))

    def optimize(self, text: str) -> None:
        """Has optimized code of the text take the place of the one before. All of LLVM's passes take several
        times as long as the few, and make only passes over arrays much faster."""
        with suppress(*REFUSALS):
            self._codes.append(MachineCode(text, give_way, 2, self._passes))
            self.function = self._prototype(self.address(self._name))

    def address(self, name: str) -> int:
        """Returns the address of another function of the text."""
        return self._codes[-1].address(name)


_shared: Final = weakref.WeakValueDictionary[str, Machine]()


def simple_machine(text: str) -> Machine:
    """Returns simple machine code of a text's function `loop`. Equal layers of a model share theirs."""
    machine = _shared.get(text)
    if machine is None:
        machine = _shared[text] = Machine(text, first="none")
    return machine
