"""When a faster form of code is made: one policy, with one table of costs, for all tiers.

Code runs as it is until that has taken as long as making the faster form takes, by the clock of the thread
and over all calls. A wrong guess then costs no more than was saved.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from time import thread_time
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from shlo.interpreter.runtime.background import begin
from shlo.ir.diagnostics import ShloError

Form: TypeAlias = Literal["source", "loop", "sequence", "optimized", "chain", "rows", "library", "formula"]
"""What is made: Python source of a function or loop; simple machine code of a loop, and of consecutive
operations; both optimized; machine code of a chain of elementwise operations, of a scatter of rows, for
kernels, and of a formula."""


class TierCost(Struct, frozen=True):
    """Seconds that making a form takes.

    Args:
        fixed: for whatever is made.
        each: more for each operation, or line of LLVM's language.
        loading: more as long as the first of the modules is not loaded.
        modules: those that make it.
    """

    fixed: float
    each: float = 0.0
    loading: float = 0.0
    modules: tuple[str, ...] = ()

    def seconds(self, operations: int) -> float:
        """Returns how long making the form of so many operations takes now."""
        loading = self.loading if self.modules and self.modules[0] not in sys.modules else 0.0
        return loading + self.fixed + self.each * operations

    def load(self) -> None:
        """Loads the modules. A thread that does so while another one computes waits for Python's lock at each
        file, for seconds in all."""
        for module in self.modules:
            import_module(module)


_LOOPS: Final = "shlo.interpreter.loops"
_MACHINE: Final = ("shlo.support.llvm", f"{_LOOPS}.machine", "llvmlite.utils")
_EMITTER: Final = (f"{_LOOPS}.emitter", "shlo.interpreter.jit.native_loop", *_MACHINE)
_ROUTINES: Final = "shlo.interpreter.kernels.routine_calls"
_TABLE: Final = "shlo.interpreter.kernels.elementwise.table"
COSTS: Final[Mapping[Form, TierCost]] = MappingProxyType(
    {
        "source": TierCost(0.0, 1e-4, 4e-3, ("shlo.interpreter.jit.compile",)),
        "loop": TierCost(3e-3, 0.3e-3, 20e-3, _EMITTER),
        "sequence": TierCost(8e-3, 0.6e-3, 20e-3, _EMITTER),
        "optimized": TierCost(10e-3, 5e-5),
        "chain": TierCost(6e-3, 0.3e-3, 15e-3, (*_MACHINE, f"{_LOOPS}.chain_code")),
        "rows": TierCost(
            10e-3, 0.8e-3, 15e-3, (*_MACHINE, f"{_LOOPS}.library", f"{_LOOPS}.movement", _TABLE)
        ),
        "library": TierCost(15e-3, modules=(*_MACHINE, f"{_LOOPS}.library", f"{_LOOPS}.tiles", _ROUTINES)),
        "formula": TierCost(8e-3, 8e-5, 15e-3, (*_MACHINE, f"{_LOOPS}.formulas", _ROUTINES)),
    }
)


class Policy(Struct, frozen=True):
    """What decides how code runs. No field changes a bit of a result.

    Args:
        costs: what forms cost.
        refused: forms that are never made.
        sooner: by how much sooner machine code pays of a program that has run so often, and of fewer runs by
            as much as they are: it will be run as often once more.
        least_gain: the part of what simple machine code takes that optimized code saves, where there are no
            passes over arrays, which become much faster.
        in_background: whether code that nothing waits for is made while Python goes on.
        fused_elements: elements from which on operations are fused into chains.
        chain_seconds: what the call of a chain costs beyond its work.
        separate_seconds: what an array of elements that were computed one by one costs.
        block_bytes: bytes of a block of a value without machine code: those of several fit into a cache.
        least_blocks: blocks from which on going block by block pays, on several threads.
        part_elements: elements of a thread's part at least; lines of memory that threads share are few then.
        part_seconds: how long a part takes a thread at least; handing it over takes some percent of that.
        row_elements: elements of a scatter of rows from which on the call of machine code is quicker.
        sequence_seconds: what the operations of a sequence take at least in Python: its call costs as much.
        pause_work: elements that machine code computes, about, before it lets Python look for signals.
    """

    costs: Mapping[Form, TierCost] = COSTS
    refused: frozenset[Form] = frozenset()
    sooner: float = 4.0
    least_gain: float = 0.3
    in_background: bool = True
    fused_elements: int = 512
    chain_seconds: float = 3e-6
    separate_seconds: float = 1e-6
    block_bytes: int = 1 << 17
    least_blocks: int = 4
    part_elements: int = 4096
    part_seconds: float = 1.5e-4
    row_elements: int = 256
    sequence_seconds: float = 4e-6
    pause_work: int = 1 << 22

    def makes(self, form: Form) -> bool:
        """Returns whether a form is ever made."""
        return form not in self.refused and (form == "source" or is_installed())

    def pays(self, form: Form, seconds: float, operations: int, runs: int = 1) -> bool:
        """Returns whether a form of so many operations pays after so many seconds in the slower one; `runs`
        are those of the program so far, none of a program that runs for the first time in a grid.
        """
        cost = self.costs[form].seconds(operations)
        if form == "optimized":
            return seconds >= cost
        is_for_later = self.in_background and form not in ("source", "loop", "sequence")
        return seconds >= cost / (self.sooner if is_for_later else min(max(runs, 1), self.sooner))


def is_installed() -> bool:
    """Returns whether there is an llvmlite that makes machine code."""
    from shlo.support.llvm import is_usable

    return is_usable()


_policies: list[Policy] = [Policy()]


def policy() -> Policy:
    """Returns the policy in force."""
    return _policies[-1]


@contextmanager
def use_policy(replacement: Policy) -> Generator[None]:
    """Puts another policy in force, for all threads."""
    _policies.append(replacement)
    try:
        yield
    finally:
        _policies.pop()


class _Uncounted(threading.local):
    seconds = 0.0


_uncounted = _Uncounted()


def work_seconds() -> float:
    """Returns how long this thread has worked; what is `uncounted` is left out, such as making code, so that
    no loop seems slow because of one inside it that was compiled.
    """
    return thread_time() - _uncounted.seconds


@contextmanager
def uncounted() -> Generator[None]:
    """Leaves what happens inside out of `work_seconds`."""
    start = work_seconds()
    try:
        yield
    finally:
        _uncounted.seconds += work_seconds() - start


def make_code(form: Form, work: Callable[[], object]) -> None:
    """Has code of a form made while Python goes on, or now where the policy says so or there is no thread."""
    with uncounted(), suppress(*REFUSALS):  # what cannot be loaded, the work refuses
        policy().costs[form].load()
    if not (policy().in_background and begin(work)):
        with uncounted():
            work()


class CodeOwner(Protocol):
    """The program whose code is made: its runs so far, and the lock that one holds to make code."""

    runs: int

    @property
    def lock(self) -> Any:
        """The lock."""
        ...


class Unsupported(Exception):
    """An operation or type for which no machine code is written."""


REFUSALS: Final = (Unsupported, ShloError, MemoryError, ImportError, OSError, RuntimeError)
"""What making machine code raises where there can be none."""

Code = TypeVar("Code")


class Tier(Generic[Code]):
    """Code in its slower form, and the faster one once that pays. Threads may use it at the same time.

    Args:
        form: what the faster form is.
        operations: how many operations it has.
        owner: the program; None of code that all programs share, which only `begin` makes.
    """

    def __init__(self, form: Form, operations: int, owner: CodeOwner | None = None) -> None:
        self._form: Form = form
        self._operations = operations
        self._owner = owner
        self.code: Code | None = None
        """The faster form; None before it is made, and where there is none."""
        self.spent = 0.0
        """Seconds that the slower form has taken."""
        self.may_make = True

    def is_due(self, seconds: float = 0.0) -> bool:
        """Adds seconds that the slower form has taken; returns whether the faster one pays."""
        self.spent += seconds
        runs = 1 if self._owner is None else self._owner.runs
        pays = self.may_make and policy().pays(self._form, self.spent, self._operations, runs)
        return pays and policy().makes(self._form)

    def in_slower_form(self, build: Callable[[], Code], work: Callable[..., Any], *arguments: Any) -> Any:
        """Returns what `work` gives, the slower form; has the faster one made by `build` once that pays."""
        start = work_seconds()
        result = work(*arguments)
        if self.is_due(work_seconds() - start):
            self.begin(build)
        return result

    def make(self, build: Callable[[], Code]) -> Code | None:
        """Returns the faster form, made by `build` once; None where there is none, or none yet, as another
        thread makes code of the program.
        """
        assert self._owner is not None
        if not self._owner.lock.acquire(blocking=False):
            return None
        try:
            with uncounted():
                if self.code is None and self.may_make:
                    try:
                        self.code = build()
                    except REFUSALS:
                        self.may_make = False
                return self.code
        finally:
            self._owner.lock.release()

    def begin(self, build: Callable[[], Code]) -> None:
        """Has the faster form made by `build` once, which needs no lock, while Python goes on."""
        self.may_make = False

        def make() -> None:
            with suppress(*REFUSALS):
                self.code = build()

        make_code(self._form, make)
