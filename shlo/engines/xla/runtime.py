"""JAX's runtime: devices, compiled executables, arrays in and out.

The only module that imports JAX, and uses what jaxlib does not declare as public.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct

from shlo.engines.engine import Cluster, EngineError
from shlo.ir.dtypes import Array
from shlo.support.picklable import PicklableError

OLDEST: Final = "0.10.2"
NEWEST: Final = "0.12.0.1"
"""The newest jaxlib that this module was tested with; nothing refuses a newer one."""

UNDECLARED: Final = {
    "": ("CompileOptions", "DeviceAssignment", "DeviceList", "GSPMDSharding", "batched_device_put", "_xla"),
    "_xla": ("array_result_handler", "pjit"),
}
"""What is used of jaxlib.xla_client, and of modules within it, that jaxlib does not declare as public."""

MOST_CHARACTERS: Final = 400
"""Characters of what XLA says, or wrote before it ended, that an error repeats."""

COPIED_BYTES: Final = 1 << 12
"""Size up to which a result is copied: quicker than what handing out XLA's memory takes."""

_LAPACK: Final = b"lapack_"
"""How the names of jaxlib's custom calls for LAPACK begin."""

PARTITIONER: Final = "custom_partitioner"
"""What begins an error of the Python functions that partition a custom call."""

_HOST_DEVICES: Final = "--xla_force_host_platform_device_count"


Layout = tuple[tuple[int, ...], np.dtype[Any]]
"""Shape and dtype of an array."""


class XlaError(PicklableError):
    """What XLA says where it cannot compile or run a program, without its stack."""

    def __init__(self, error: Exception) -> None:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        super().__init__(" ".join(lines[:2])[:MOST_CHARACTERS] or type(error).__name__)


def require_jax() -> None:
    """Raises EngineError where JAX is not installed."""
    if find_spec("jax") is None:
        raise EngineError(
            "jax is not installed, which brings XLA", "pip install 'shlo[xla]', or leave out the engine"
        )


def devices_for(count: int, platform: str | None, at_most: int | None = None) -> tuple[Any, ...]:
    """Returns `count` devices of a platform (None: JAX's default).

    On a CPU that JAX has not looked for yet, there will be as many devices as `count` and `at_most` say.
    Raises EngineError where there are not so many, or no such platform.
    """
    if at_most is not None and at_most < count:
        raise EngineError(
            f"expected at least {count} devices, one for each process, got {at_most}",
            "give more devices, or a smaller grid",
        )
    require_jax()
    _offer_host_devices(max(count, at_most or 1))
    backend = _backend(platform)
    devices: list[Any] = backend.local_devices()
    if len(devices) < count:
        raise EngineError(
            f"expected {count} devices of platform {backend.platform}, got {len(devices)}",
            "JAX settled the number of CPU devices when it started: set "
            f"XLA_FLAGS={_HOST_DEVICES}={count} before Python starts; or the interpreter runs any grid"
            if backend.platform == "cpu"
            else "the interpreter runs any grid in one process",
        )
    return tuple(devices[:count])


def cluster_devices(
    cluster: Cluster, count: int, platform: str | None, of_each: int | None
) -> tuple[Any, ...]:
    """Returns the devices of all processes of a cluster, `count` together; joins it first, which waits for
    the other processes. A CPU shows as `of_each` devices (None: an equal part of all).

    Raises EngineError where the others do not come, or the devices are not so many.
    """
    require_jax()
    if of_each is None and cluster.processes is not None:
        of_each = -(-count // cluster.processes)
    _join(cluster, of_each)
    backend = _backend(platform)
    devices: list[Any] = backend.devices()
    if len(devices) != count:
        here = len(backend.local_devices())
        raise EngineError(
            f"expected {count} devices, one for each process of the grid, got {len(devices)}, {here} of them "
            "here",
            f"--grid 1x{len(devices)} has as many processes; --devices says how many a CPU shows as",
        )
    return tuple(devices)


def own_devices(devices: Sequence[Any]) -> tuple[Any, ...]:
    """Returns those of the devices that are of this process."""
    here = devices[0].client.process_index()
    return tuple(device for device in devices if device.process_index == here)


@lru_cache(maxsize=1)
def _join(cluster: Cluster, cpu_devices: int | None) -> None:
    """Joins the other processes of a cluster, which a process can do once. Raises EngineError."""
    jax: Any = import_module("jax")
    seconds = max(1, round(cluster.seconds))
    if cpu_devices is not None and _HOST_DEVICES not in os.environ.get("XLA_FLAGS", ""):
        jax.config.update("jax_num_cpu_devices", cpu_devices)
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    try:
        jax.distributed.initialize(
            cluster.address,
            cluster.processes,
            cluster.process,
            initialization_timeout=seconds,
            heartbeat_timeout_seconds=seconds,
            shutdown_timeout_seconds=seconds,
        )
    except (RuntimeError, ValueError) as error:
        raise EngineError(
            f"expected to meet the other processes of the run, got: {XlaError(error)}",
            "start all of them with the same HOST:PORT and --processes, each with a --process of its own",
        ) from None


def _offer_host_devices(count: int) -> None:
    """Has a CPU show as several devices, where JAX has not looked for devices yet and the environment does
    not say how many there are.
    """
    if count == 1 or _HOST_DEVICES in os.environ.get("XLA_FLAGS", ""):
        return
    jax: Any = import_module("jax")
    try:
        jax.config.update("jax_num_cpu_devices", count)
    except RuntimeError:
        return  # there are devices already: whether they suffice is asked of them


def _backend(platform: str | None) -> Any:
    backend: Any = import_module("jax.extend.backend")
    try:
        return backend.get_backend(platform)
    except RuntimeError as error:
        raise EngineError(
            f"expected a platform that JAX can use, got {platform or 'none'}: {XlaError(error)}",
            "JAX's installation guide says which package a platform needs",
        ) from None


@lru_cache(maxsize=1)
def _client() -> Any:
    """Returns the module of jaxlib with what is not public; raises EngineError where a version lacks it."""
    client: Any = import_module("jaxlib.xla_client")
    missing = [
        name
        for module, names in UNDECLARED.items()
        for name in names
        if not hasattr(getattr(client, module, None) if module else client, name)
    ]
    if missing:
        raise _unknown_jaxlib(f"which has no {', '.join(missing)}")
    return client


def _unknown_jaxlib(reason: str) -> EngineError:
    """Returns the error for a jaxlib whose undeclared parts are not as this module knows them."""
    version = getattr(sys.modules.get("jaxlib"), "__version__", "unknown")
    return EngineError(
        f"expected a jaxlib like {OLDEST} to {NEWEST}, got {version}, {reason}",
        f"pip install 'jax>={OLDEST},<={NEWEST}', or leave out the engine: the interpreter needs no JAX",
    )


class Executable(Struct, frozen=True):
    """A program compiled for devices, of which `own` are of this process. `execute` may be called from
    several threads. `call` is for a single device: arrays of NumPy in, a tuple of JAX's out. `make_own` makes
    each of the results one of the caller's. One that `calls_python` is waited for, as it may have no results.
    """

    loaded: Any
    devices: tuple[Any, ...]
    own: tuple[Any, ...]
    make_own: tuple[Callable[[Any], Array], ...]
    call: Callable[..., tuple[Any, ...]] | None
    calls_python: bool

    def execute(self, inputs: Sequence[Sequence[Array]]) -> list[list[Array]]:
        """Returns the results on each device of this process for the arguments of each; raises XlaError."""
        try:
            if self.call is not None:
                with _wide_types()(True):
                    arrays = self.call(*inputs[0])
                return [[make_own(array) for make_own, array in zip(self.make_own, arrays)]]
            results = self._results([self._held(arrays) for arrays in zip(*inputs)])
            return [
                [make_own(parts[at]) for make_own, parts in zip(self.make_own, results)]
                for at in range(len(self.own))
            ]
        except _jax_errors() as error:
            raise XlaError(error) from None

    def execute_whole(self, arguments: Sequence[Array], shapes: Sequence[tuple[int, ...]]) -> list[Array]:
        """Returns whole results of these shapes for whole arguments, of which every device takes and gives
        the part that the program's shardings say; raises XlaError.
        """
        jax: Any = import_module("jax")
        try:
            shardings = self._shardings(self.loaded.get_parameter_shardings(), len(arguments))
            parted = [
                jax.make_array_from_single_device_arrays(
                    array.shape,
                    sharding,
                    [_on_device(array[at], d) for d, at in _parts(sharding, array.shape)],
                )
                for array, sharding in zip(arguments, shardings)
            ]
            results = self._results(parted)
            shardings = self._shardings(self.loaded.get_output_shardings(), len(results))
            join = _joined if len(self.own) == len(self.devices) else _gathered
            return [join(*row) for row in zip(results, shardings, shapes)]
        except _jax_errors() as error:
            raise XlaError(error) from None

    def gather(self, results: Sequence[Sequence[Array]]) -> list[list[Array]]:
        """Returns the results on all devices, of all processes, for those on the devices of this one; raises
        XlaError.
        """
        sharding = self._over_devices("d")
        wholes: list[Array] = []
        try:
            for arrays in zip(*results):
                held = [_on_device(array[np.newaxis], device) for array, device in zip(arrays, self.own)]
                wholes.append(_gathered(held, sharding, (len(self.devices), *arrays[0].shape)))
        except _jax_errors() as error:
            raise XlaError(error) from None
        return [[whole[at] for whole in wholes] for at in range(len(self.devices))]

    def _results(self, arguments: list[Any]) -> list[list[Any]]:
        """Returns for each result the arrays on the devices."""
        results = self.loaded.execute_sharded(arguments, with_tokens=self.calls_python)
        if self.calls_python:
            results.consume_token().block_until_ready()
        return results.disassemble_into_single_device_arrays()

    def _held(self, arrays: Sequence[Array]) -> Any:
        """Returns an array of which every device holds one of these. That it is replicated is said so that
        any shape will do: what the devices hold may differ all the same.
        """
        jax: Any = import_module("jax")
        held = [_on_device(array, device) for array, device in zip(arrays, self.own)]
        return jax.make_array_from_single_device_arrays(arrays[0].shape, self._over_devices(), held)

    def _over_devices(self, *axes: str) -> Any:
        """Returns how arrays are parted along their first dimension (`"d"`), or whole on each device."""
        jax: Any = import_module("jax")
        mesh = jax.sharding.Mesh(np.array(self.devices), ("d",))
        return jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*axes))

    def _shardings(self, told: Sequence[Any] | None, count: int) -> list[Any]:
        """Returns how arrays are parted among the devices, whole on each where XLA says nothing."""
        if told is None:
            return [self._over_devices()] * count
        return [_client().GSPMDSharding(_client().DeviceList(self.devices), sharding) for sharding in told]


def compile_program(
    text: bytes,
    layouts: Sequence[Layout],
    devices: Sequence[Any],
    replicas: int,
    partitions: int,
    functions: Sequence[Callable[..., Any]] | None = None,
    compiler_options: Sequence[tuple[str, str]] = (),
) -> Executable:
    """Returns the executable of a program for a grid of devices, whose results have these layouts, and which
    calls these functions by number; raises XlaError where XLA refuses it.
    """
    client = _client()
    if _LAPACK in text:
        _look_lapack_up()
    options = client.CompileOptions()
    options.num_replicas, options.num_partitions = replicas, partitions
    build = options.executable_build_options
    build.use_spmd_partitioning = partitions > 1
    build.use_shardy_partitioner = True
    ids = np.array([device.id for device in devices]).reshape(replicas, partitions)
    options.env_option_overrides = list(compiler_options)
    options.device_assignment = client.DeviceAssignment.create(ids)
    try:
        compile_ = devices[0].client.compile_and_load
        if functions is None:
            loaded = compile_(text, client.DeviceList(tuple(devices)), options)
        else:
            loaded = compile_(_mlir_module(text), client.DeviceList(tuple(devices)), options, functions)
    except Exception as error:  # MLIR's and XLA's own classes of errors, which have no common one
        raise XlaError(error) from None
    local = own_devices(devices)
    is_quick = len(devices) == 1 and functions is None
    try:
        call = _dispatched(loaded, devices[0], layouts) if is_quick else None
    except (TypeError, AttributeError) as error:
        raise _unknown_jaxlib(f"whose calls are others: {XlaError(error)}") from None
    make_own = tuple(
        np.array if math.prod(shape) * dtype.itemsize <= COPIED_BYTES else _owned for shape, dtype in layouts
    )
    return Executable(loaded, tuple(devices), local, make_own, call, functions is not None)


def _mlir_module(text: bytes) -> Any:
    """Returns a program as a module of jaxlib, the only form in which it takes one that calls Python."""
    mlir: Any = import_module("jax.interpreters.mlir")
    with mlir.make_ir_context():
        return mlir.ir.Module.parse(text)


class _Dispatch(NamedTuple):
    """What JAX's runtime in C++ wants to know to call an executable without Python, a tuple by its names."""

    xla_executable: Any
    out_pytree_def: Any
    in_shardings: list[Any]
    out_shardings: list[Any]
    out_avals: list[Any]
    out_committed: list[bool]
    kept_var_bitvec: list[bool]
    in_device_local_layouts: list[None]
    const_args: tuple[()] = ()


class _DispatchKeys:
    """What else JAX's runtime would distinguish calls by: nothing."""

    contains_explicit_attributes = False


def _dispatched(loaded: Any, device: Any, layouts: Sequence[Layout]) -> Callable[..., tuple[Any, ...]]:
    """Returns a function that calls an executable of one device as `jax.jit` does: the first call goes
    through Python and tells JAX's runtime what it needs to make later ones in C++.
    """
    jax: Any = import_module("jax")
    runtime = _client()._xla
    sharding, avals = _single(device), [_aval(*layout) for layout in layouts]
    make, quick = runtime.array_result_handler, "_skip_checks"
    extra = {quick: True} if quick in (make.__doc__ or "") else {}
    handlers = [make(aval, sharding, True, **extra) for aval in avals]

    def first(*arguments: Array) -> tuple[tuple[Any, ...], _Dispatch, bool]:
        held = [_on_device(array, device) for array in arguments]
        results = tuple(loaded.execute_sharded(held).consume_with_handlers(handlers))
        count = len(arguments)
        dispatch = _Dispatch(
            loaded,
            jax.tree.structure(results),
            in_shardings=[sharding] * count,
            out_shardings=[sharding] * len(results),
            out_avals=avals,
            out_committed=[True] * len(results),
            kept_var_bitvec=[True] * count,
            in_device_local_layouts=[None] * count,
        )
        return results, dispatch, False

    def shard(array: Any, *_: Any) -> Any:
        return _on_device(np.asarray(array), device)

    registry = jax.tree_util.default_registry
    return runtime.pjit("shlo", None, first, [], [], _DispatchKeys(), registry, shard)


@lru_cache(maxsize=1)
def _look_lapack_up() -> None:
    """Has jaxlib find SciPy's LAPACK, as JAX does when it lowers a call of it. Calls before that end the
    process: jaxlib's kernels go through pointers that are null until then.
    """
    import_module("jaxlib.cpu._lapack").initialize()


@lru_cache(maxsize=256)
def _aval(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    core: Any = import_module("jax.core")
    return core.ShapedArray(shape, dtype)


@lru_cache(maxsize=64)
def _single(device: Any) -> Any:
    jax: Any = import_module("jax")
    return jax.sharding.SingleDeviceSharding(device)


def _on_device(array: Array, device: Any) -> Any:
    """Returns an array of JAX on a device, which on a CPU shares the memory where it is aligned."""
    return _client().batched_device_put(
        _aval(array.shape, array.dtype), _single(device), [array], [device], True, enable_x64=True
    )


def _parts(sharding: Any, shape: tuple[int, ...]) -> list[tuple[Any, Any]]:
    """Returns each device with the index of the part that it holds of an array, in the sharding's order."""
    return list(sharding.addressable_devices_indices_map(shape).items())


def _joined(parts: Sequence[Any], sharding: Any, shape: tuple[int, ...]) -> Array:
    """Returns the whole array of the parts that devices hold."""
    held = {next(iter(part.devices())): np.asarray(part) for part in parts}
    whole = np.empty(shape, next(iter(held.values())).dtype)
    for device, at in _parts(sharding, shape):
        whole[at] = held[device]
    return whole


def _gathered(parts: Sequence[Any], sharding: Any, shape: tuple[int, ...]) -> Array:
    """Returns the whole array of the parts that the devices of several processes hold, in each of them."""
    jax: Any = import_module("jax")
    gather: Any = import_module("jax.experimental.multihost_utils").process_allgather
    whole = jax.make_array_from_single_device_arrays(shape, sharding, list(parts))
    return _owned(gather(whole, tiled=True))


def _owned(array: Any) -> Array:
    """Returns an array of JAX that nothing else holds as one of the caller's, which may be written to.

    NumPy's view of it is locked, since JAX shares arrays; this one is not shared, as the program's results
    share memory with no argument, constant or other result.
    """
    locked = np.asarray(array)
    if not locked.flags.c_contiguous:
        return locked.copy()
    if locked.dtype.isbuiltin == 1:
        return np.asarray(_Memory(locked))
    return np.asarray(_Memory(locked.view(f"u{locked.itemsize}"))).view(locked.dtype)


class _Memory:
    """Memory of a locked array of one of NumPy's own types, to write to; keeps that array."""

    def __init__(self, locked: Array) -> None:
        self._locked = locked
        interface = locked.__array_interface__
        self.__array_interface__ = {**interface, "data": (interface["data"][0], False)}


@lru_cache(maxsize=1)
def _wide_types() -> Any:
    """Returns JAX's context manager that keeps arrays of 64 bits as they are."""
    jax: Any = import_module("jax")
    return jax.enable_x64


@lru_cache(maxsize=1)
def _jax_errors() -> tuple[type[Exception], ...]:
    errors: Any = import_module("jax.errors")
    return (errors.JaxRuntimeError, ValueError, TypeError)
