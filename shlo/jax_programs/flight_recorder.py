"""`shlo.watch`: a training step at the device's speed, whose first wrong result is replayed and captured."""

from __future__ import annotations

import atexit
import os
import platform
import sys
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial, update_wrapper
from math import prod
from operator import is_
from typing import Any, Final, Generic, Literal, ParamSpec, TypeVar, cast

import numpy as np
from msgspec import Struct

from shlo.ir.diagnostics import ShloError
from shlo.ir.dtypes import Array
from shlo.jax_programs.arguments import Arguments
from shlo.jax_programs.debugging import FrontEnd, check_front_end
from shlo.jax_programs.jax_library import jax, jax_module, tree_util
from shlo.jax_programs.kinds import kind_of, name_of
from shlo.jax_programs.leaves import is_key
from shlo.jax_programs.lowering import refuse_deferred
from shlo.jax_programs.nan_checks import NaNError, nonfinite_error
from shlo.jax_programs.program import ProgramCall, call_of
from shlo.jax_programs.routing import Options, options_by_name
from shlo.runner.arguments.call import entry_function, parameters_of
from shlo.runner.capture import FORMAT, VERSION, CaptureHeader, write_capture
from shlo.runner.errors import RequestError, shown
from shlo.runner.python_source import PythonSources

P = ParamSpec("P")
R = TypeVar("R")

LAG: Final = 32
"""How many steps the device may be ahead of the checks that were read."""

StepResult = tuple[Any, Any, Sequence[Any]]
"""What a step returns, whether that is good, and the arrays that it made."""

OnFailure = Literal["debug", "file"]
_LIBRARIES: Final = ("shlo", "jax", "jaxlib", "numpy", "flax", "equinox", "optax")


class StepError(ShloError, FloatingPointError):
    """A step of a watched training loop whose results are wrong: which one, counted from 0, the file that it
    was captured in, empty where it could not be, and the card of what made the NaN or infinity; None where it
    has none.
    """

    def __init__(self, message: str, step: int, capture: str, nan: NaNError | None = None) -> None:
        self.step, self.capture = step, capture
        self.card = nan.card if nan else None
        super().__init__(message, nan.hint if nan else None)


class Shards(Struct, frozen=True):
    """An array on the host: a copy of what each device of this process holds of it."""

    shape: tuple[int, ...]
    sharding: Any
    parts: Sequence[tuple[Any, Any]]
    key_impl: Any = None

    @staticmethod
    def of(array: Any) -> Shards:
        """Copies an array, shard by shard."""
        impl = jax().random.key_impl(array) if is_key(array.dtype) else None
        data = array if impl is None else jax().random.key_data(array)
        if len(data.sharding.device_set) == 1:  # in a third of the time of its shards
            [device] = data.sharding.device_set
            parts = [(device, np.array(data.addressable_data(0), copy=True))]
        else:
            parts = [(shard.device, np.array(shard.data, copy=True)) for shard in data.addressable_shards]
        return Shards(data.shape, data.sharding, parts, impl)

    def restored(self) -> Any:
        """Returns the array on its devices again."""
        arrays = [jax().device_put(part, device) for device, part in self.parts]
        array = jax().make_array_from_single_device_arrays(self.shape, self.sharding, arrays)
        return array if self.key_impl is None else jax().random.wrap_key_data(array, impl=self.key_impl)

    @property
    def size(self) -> int:
        """How many bytes the copies have."""
        return sum(part.nbytes for _, part in self.parts)


class CallPattern(Struct, frozen=True):
    """Which leaves of a call are of those that the call before left or was given, mostly the same in all.

    Args:
        numbers: those leaves, by their numbers in the call.
        sources: their numbers in what the call before left, with what it was given behind that.
        others: the numbers of the other leaves.
        source_count: how many leaves the call before left and was given.
    """

    numbers: Sequence[int] = ()
    sources: Sequence[int] = ()
    others: Sequence[int] = ()
    source_count: int = -1

    @staticmethod
    def of(leaves: Sequence[Any], left: Sequence[Any], given: Sequence[Any]) -> CallPattern:
        """Returns that of a call; only what was given at the same number counts."""
        sources = {at: len(left) + at for at, (leaf, old) in enumerate(zip(leaves, given)) if leaf is old}
        by_id = {id(leaf): number for number, leaf in enumerate(left)}
        sources |= {at: by_id[id(leaf)] for at, leaf in enumerate(leaves) if id(leaf) in by_id}
        others = [at for at in range(len(leaves)) if at not in sources]
        return CallPattern(list(sources), list(sources.values()), others, len(left) + len(given))

    def fits(self, leaves: Sequence[Any], left: Sequence[Any], given: Sequence[Any]) -> bool:
        """Returns whether another call has this pattern."""
        sources = [*left, *given]
        if len(leaves) != len(given) or len(sources) != self.source_count:
            return False
        for number in self.others:
            if leaves[number] is given[number]:
                return False
        return all(map(is_, map(leaves.__getitem__, self.numbers), map(sources.__getitem__, self.sources)))


class RecordedCall(Struct):
    """The arguments of a call: the structure of (args, kwargs), and those leaves, as they were kept, that the
    call before neither left nor was given."""

    tree: Any
    pattern: CallPattern
    kept: Sequence[Any]

    def leaves(self, sources: Sequence[Any]) -> list[Any]:
        """Returns the leaves, with what the call before left and was given."""
        by_number = {number: sources[at] for number, at in zip(self.pattern.numbers, self.pattern.sources)}
        by_number |= {number: _restored(leaf) for number, leaf in zip(self.pattern.others, self.kept)}
        return [by_number[number] for number in range(len(by_number))]


class Segment(Struct):
    """Calls from a snapshot on; the first one has all of its leaves on the host."""

    first: int
    calls: list[RecordedCall]
    size: int = 0


class Watched(Generic[P, R]):
    """A step that is called as the one it was made of. One thread calls it."""

    def __init__(
        self,
        step: Callable[P, R],
        every: int,
        predicate: Callable[[R], Any] | None,
        capture: str,
        memory: int,
        on_failure: OnFailure | FrontEnd,
        options: Options,
    ) -> None:
        update_wrapper(self, step)
        self.step: Final = step
        self.count = 0
        """How many steps were taken."""
        self._every, self._predicate, self._capture = every, predicate, capture
        self._memory, self._on_failure, self._options = memory, on_failure, options_by_name(options)
        self._check = jax().jit(_are_finite)
        is_jitted = kind_of(step) == "jitted" and hasattr(step, "_jit_info")
        # No function of these holds this object, which ends, and checks the last steps, with its last name.
        self._run = _with_check(step, predicate) if is_jitted else _before_check(step, predicate, self._check)
        self._segments: deque[Segment] = deque()
        self._pending: deque[tuple[int, Any]] = deque()
        self._flatten = tree_util().tree_flatten
        self._left: Sequence[Any] = ()  # the arrays that the call before made
        self._given: list[Any] = []  # leaves of the call before that nothing changes; None for others
        self._pattern = CallPattern()
        self._tree = tree_util().tree_structure(None)
        self._donated: frozenset[int] | None = None  # leaves of such a tree; not known before its first call
        # At exit, names of modules still hold the step.
        finish = partial(self._finish_if_alive, weakref.ref(self))
        atexit.register(finish)
        weakref.finalize(self, atexit.unregister, finish).atexit = False

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Takes a step; raises StepError where one of the last steps was wrong."""
        leaves, tree = self._flatten((args, kwargs))
        is_snapshot = self._record(leaves, tree)
        try:
            result, is_good, self._left = self._run(leaves, args, kwargs)
        except BaseException:
            self._forget(is_snapshot)
            raise
        if self._donated is None:
            self._donated = frozenset(number for number, leaf in enumerate(leaves) if _is_deleted(leaf))
        if is_snapshot:
            self._pending.append((self.count, self._check(self._left)))
        self._pending.append((self.count, is_good))
        self.count += 1
        if len(self._pending) > LAG:
            self._read(LAG // 2)  # many at a time take half as long as one at each step
        return result

    def __del__(self) -> None:
        if getattr(self, "_pending", None):
            self._finish_and_tell()

    @property
    def kept_calls(self) -> int:
        """How many calls could be run again now."""
        return sum(len(segment.calls) for segment in self._segments)

    def finish(self) -> None:
        """Waits for the device, checks the last steps and the state; raises StepError where one was wrong."""
        state = [leaf for leaf in self._left if not _is_deleted(leaf)]
        if state:
            self._pending.append((self.count - 1, self._check(state)))
        self._read(0)

    @staticmethod
    def _finish_if_alive(reference: weakref.ref[Watched[..., Any]]) -> None:
        watched = reference()
        if watched is not None:
            watched._finish_and_tell()

    def _finish_and_tell(self) -> None:
        """Checks the last steps where no one would get an error any more: writes it to standard error."""
        try:
            self.finish()
        except StepError as error:
            print(f"shlo.watch: {error}", file=sys.stderr)

    # --- what is kept ---

    def _record(self, leaves: Sequence[Any], tree: Any) -> bool:
        """Keeps the arguments of a call; returns whether that is a snapshot."""
        segment = self._segments[-1] if self._segments else None
        if segment is None or self.count - segment.first >= self._every or segment.size > self._memory:
            self._take_snapshot(leaves, tree)
            return True
        if not self._pattern.fits(leaves, self._left, self._given):
            self._expect_calls_like(leaves, tree, self._left)
        kept: list[Any] = []
        for number in self._pattern.others:
            leaf = leaves[number]
            aval = getattr(leaf, "aval", None)
            if aval is not None and self._donated is not None and number not in self._donated:
                self._given[number] = leaf  # an array that nothing changes
                segment.size += prod(aval.shape) * aval.dtype.itemsize  # in a tenth of the time of `nbytes`
            else:
                leaf = _copied(leaf)
                self._given[number] = None
                segment.size += _size(leaf)
            kept.append(leaf)
        segment.calls.append(RecordedCall(tree, self._pattern, kept))
        return False

    def _take_snapshot(self, leaves: Sequence[Any], tree: Any) -> None:
        while len(self._segments) > 1 and self._pending:  # two of them bound the memory
            self._read(len(self._pending) - 1)
        self._given = []
        self._expect_calls_like(leaves, tree, ())
        copies = [_copied(leaf) for leaf in leaves]
        self._segments.append(Segment(self.count, [RecordedCall(tree, self._pattern, copies)]))

    def _expect_calls_like(self, leaves: Sequence[Any], tree: Any, left: Sequence[Any]) -> None:
        if tree != self._tree:
            self._tree, self._donated = tree, None
        self._pattern = CallPattern.of(leaves, left, self._given)
        sources = dict(zip(self._pattern.numbers, self._pattern.sources))
        self._given = [leaf if sources.get(at, -1) >= len(left) else None for at, leaf in enumerate(leaves)]

    def _forget(self, is_snapshot: bool) -> None:
        """Forgets the last recorded call, which raised."""
        self._given, self._pattern = [], CallPattern()
        if is_snapshot:
            self._segments.pop()
        else:
            self._segments[-1].calls.pop()

    # --- what is wrong ---

    def _read(self, lag: int) -> None:
        while len(self._pending) > lag:
            step, check = self._pending.popleft()
            if not np.asarray(check):  # which takes an eighth of the time of `bool`
                self._pending.clear()
                self._fail(step)
            if len(self._segments) > 1 and self._segments[1].first <= step:
                self._segments.popleft()  # all was good at the snapshot after it

    def _fail(self, step: int) -> None:
        """Replays the steps up to the first wrong one from the oldest snapshot, and raises StepError about
        it.

        A state that a step spoiled is seen in what later steps make of it, or when a snapshot is due.
        """
        first = self._segments[0].first
        calls = [recorded for kept in self._segments for recorded in kept.calls]
        self._segments.clear()
        self._left = ()
        step, arguments = self._first_wrong(first, calls, step)
        raise self._captured(step, *tree_util().tree_map(_gathered, arguments))

    def _first_wrong(self, first: int, calls: Sequence[RecordedCall], step: int) -> tuple[int, Any]:
        """Runs calls again, up to one that is wrong; returns the first wrong step and its arguments."""
        left: Sequence[Any] = ()
        leaves: Sequence[Any] = ()
        for number, recorded in enumerate(calls, first):
            leaves = recorded.leaves([*left, *leaves])
            args, kwargs = recorded.tree.unflatten(leaves)
            if number == step:
                return step, (args, kwargs)
            _, is_good, left = self._run(leaves, args, kwargs)
            if not (np.asarray(is_good) and np.asarray(self._check(left))):
                return self._first_wrong(first, calls, number)  # what the step changed is there again
        raise RequestError(f"step {step} is wrong, and its arguments are gone")

    def _captured(self, step: int, args: Any, kwargs: Any) -> StepError:
        path = self._capture.format(step=step)
        reason = f"step {step} of {name_of(self.step)}"
        try:
            call = call_of(self.step, Arguments(tuple(args), kwargs))
        except TypeError as error:  # of JAX, which cannot trace all that runs
            cause = str(error).partition("\n")[0]
            return StepError(
                f"{reason}: its results are wrong; not captured, as JAX cannot trace it: {cause}", step, ""
            )
        if jax().process_index() != 0:
            return StepError(f"{reason}: its results are wrong; process 0 captures it in {path}", step, path)
        _write(path, call, step, reason)
        saved = f"{reason}, captured in {path}"
        return self._explained(call, step, path, saved)

    def _explained(self, call: ProgramCall, step: int, path: str, saved: str) -> StepError:
        front_end = None if isinstance(self._on_failure, str) else self._on_failure
        nan = nonfinite_error(call, self._options, front_end, opens=self._on_failure != "file")
        if nan is None:
            nothing = "no operation makes a NaN or infinity as shlo runs the step"
            return StepError(
                f"{saved}: {'the predicate is false' if self._predicate else nothing}", step, path
            )
        return StepError(f"{saved}:\n{nan}", step, path, nan)


def watch(
    step: Callable[P, R],
    /,
    *,
    every: int = 100,
    predicate: Callable[[R], Any] | None = None,
    capture: str = "step_{step}.shlo",
    memory: int = 1 << 30,
    on_failure: OnFailure | FrontEnd = "debug",
    options: Options = None,
) -> Watched[P, R]:
    """Returns a step of a training loop that is called as before, runs at the device's speed, and captures
    the first call whose results hold a NaN or infinity.

        step = shlo.watch(jax.jit(train_step, donate_argnums=0))
        for batch in batches:
            state, loss = step(state, batch)
        step.finish()

    The check of a function of `jax.jit` is a reduction inside of the same jitted call; what `nnx.jit`,
    `eqx.filter_jit` and others make is checked in a call after it. Results of the shapes of arguments, the
    state, are checked with each snapshot; a NaN in them shows in the loss before. Checks are read some steps
    later, so that the device never waits. A snapshot of the arguments is taken every so many steps, shard by
    shard, and the arguments that no step made (batches) are kept since then. Where a step is wrong, the steps
    from the snapshot to it run again on the device, it is written to a file, which `shlo debug`, `shlo run`
    and `shlo why` take on any machine, and shlo's interpreter runs it to where the NaN is made.

    Args:
        step: a jitted function, or a function that calls some. It must be one of its arguments alone.
        every: how many steps lie between two snapshots.
        predicate: also has to be true of each result; it is traced with the step.
        capture: the file's name, with `{step}` for the number of the step.
        memory: how many bytes of batches are kept between two snapshots; more of them take a snapshot sooner.
        on_failure: "debug" opens the debugger, where one can be opened; "file" writes the file alone and runs
            the step to name the operation; a function gets the Session instead of the debugger.
        options: of the run of the captured step, as for `shlo.run`.

    Raises:
        RequestError: the step is no function, or an option does not fit. Calls raise StepError.
    """
    if not callable(step):
        raise RequestError(f"expected a function, got {shown(step)}", "write step = shlo.watch(step)")
    refuse_deferred(step)
    for name, number in (("every", every), ("memory", memory)):
        if not isinstance(cast("object", number), int) or isinstance(number, bool) or number < 1:
            raise RequestError(f"expected a positive number for {name}, got {shown(number)}")
    if predicate is not None and not callable(predicate):
        raise RequestError(f"expected a function of the results for predicate, got {shown(predicate)}")
    if not isinstance(on_failure, str):
        check_front_end(on_failure)
    elif on_failure not in ("debug", "file"):
        raise RequestError(f"expected 'debug', 'file' or a function for on_failure, got {shown(on_failure)}")
    return Watched(step, every, predicate, os.fspath(capture), memory, on_failure, options)


# --- a step with its check ---


def _with_check(step: Callable[P, R], predicate: Callable[[R], Any] | None) -> Callable[..., StepResult]:
    """Returns a jitted step with its check in the same jitted function."""
    jitted_step: Any = step
    info, tree_leaves = jitted_step._jit_info, tree_util().tree_leaves

    def checked(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        result = jitted_step(*args, **kwargs)
        is_good = _are_finite(_of_step_alone(result, tree_leaves((args, kwargs))))
        return result, _judged(is_good, predicate, result)

    update_wrapper(checked, step)
    names = ("static_argnums", "static_argnames", "donate_argnums", "donate_argnames")
    keywords = {name: getattr(info, name) for name in names if getattr(info, name, None)}
    jitted = jax().jit(checked, **keywords)

    def run(_leaves: Sequence[Any], args: Any, kwargs: Any) -> StepResult:
        result, is_good = jitted(*args, **kwargs)
        return result, is_good, tree_leaves(result)

    return run


def _before_check(
    step: Callable[..., R], predicate: Callable[[R], Any] | None, check: Callable[[Sequence[Any]], Any]
) -> Callable[..., StepResult]:
    """Returns a step of a library's wrapper, which may change its arguments, with the check of its results
    after it."""

    def run(leaves: Sequence[Any], args: Any, kwargs: Any) -> StepResult:
        array, given = jax().Array, set(map(id, leaves))
        result = step(*args, **kwargs)
        left = [
            leaf
            for leaf in tree_util().tree_leaves((result, args, kwargs))
            if isinstance(leaf, array) and id(leaf) not in given
        ]
        is_good = check(_of_step_alone(result, leaves))
        return result, _judged(is_good, predicate, result), left

    return run


def _judged(is_good: Any, predicate: Callable[[R], Any] | None, result: R) -> Any:
    if predicate is None:
        return is_good
    return jax().numpy.logical_and(is_good, jax().numpy.all(predicate(result)))


# --- leaves ---


def _of_step_alone(result: Any, arguments: Sequence[Any]) -> list[Any]:
    """Returns the leaves of a result that are checked at each step."""
    shapes = _shapes_of(arguments)
    return [leaf for leaf in tree_util().tree_leaves(result) if _is_checked(leaf, shapes)]


def _shapes_of(leaves: Sequence[Any]) -> set[Any]:
    return {(leaf.shape, leaf.dtype) for leaf in leaves if hasattr(leaf, "dtype")}


def _is_checked(leaf: Any, shapes: set[Any]) -> bool:
    """Returns whether a leaf of a result is checked at each step: a number, Python's too, or what is of no
    shape of the arguments. Others are the state, which shows in later steps' results.
    """
    if isinstance(leaf, (float, complex)):
        return True
    return hasattr(leaf, "dtype") and (leaf.size <= 1 or (leaf.shape, leaf.dtype) not in shapes)


def _are_finite(leaves: Sequence[Any]) -> Any:
    """Returns whether all elements of arrays are finite, as an array: a maximum is NaN where one of its
    operands is."""
    numpy = jax().numpy
    inexact = [leaf for leaf in map(numpy.asarray, leaves) if numpy.issubdtype(leaf.dtype, np.inexact)]
    checks = [numpy.isfinite(numpy.abs(leaf).max(initial=0)) for leaf in inexact]
    return numpy.stack(checks).all() if checks else numpy.array(True)


def _is_deleted(leaf: Any) -> bool:
    return isinstance(leaf, jax().Array) and not isinstance(leaf, jax().core.Tracer) and leaf.is_deleted()


def _copied(leaf: Any) -> Any:
    """Returns a leaf that nothing changes any more."""
    if isinstance(leaf, jax().Array):
        return Shards.of(leaf)
    return np.array(cast("Array", leaf), copy=True) if isinstance(leaf, np.ndarray) else leaf


def _restored(leaf: Any) -> Any:
    return leaf.restored() if isinstance(leaf, Shards) else leaf


def _size(leaf: Any) -> int:
    return leaf.size if isinstance(leaf, Shards) else int(getattr(leaf, "nbytes", 0))


def _gathered(leaf: Any) -> Any:
    """Returns an array of several processes as a whole; another leaf as it is."""
    if not isinstance(leaf, jax().Array) or leaf.is_fully_addressable:
        return leaf
    return jax_module("experimental.multihost_utils").process_allgather(leaf, tiled=True)


# --- the file ---


def _write(path: str, call: ProgramCall, step: int, reason: str) -> None:
    module = call.program.module
    parameters = parameters_of(entry_function(module, "main"))
    names = [parameter.name or f"arg{parameter.index}" for parameter in parameters]
    arrays = {name: array for name, array in zip(names, call.inputs) if array is not None}
    sources = PythonSources(["/"]).texts_of([module])
    header = CaptureHeader(FORMAT, VERSION, step, reason, _versions(), sources)
    write_capture(path, call.program.text, arrays, header)


def _versions() -> dict[str, str]:
    loaded = {name: str(getattr(sys.modules.get(name), "__version__", "")) for name in _LIBRARIES}
    return {"python": platform.python_version(), **{name: text for name, text in loaded.items() if text}}
