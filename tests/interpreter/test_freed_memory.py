"""Memory of large arrays that are freed serves the next ones."""

from __future__ import annotations

import mmap
import platform
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import shlo
from shlo.interpreter.execution import make_process
from shlo.interpreter.options import RunOptions
from shlo.interpreter.runtime import freed_memory, memory_pool
from shlo.interpreter.runtime.buffer_reuse import LentMemory
from shlo.interpreter.runtime.freed_memory import empty
from shlo.interpreter.runtime.memory_pool import HUGE_PAGE, MEMORABLE, MemoryPool
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import FloatType
from tests.interpreter.test_threads import child

SCRIPT = """
import resource
import numpy as np
import shlo
module = shlo.parse('''func.func @main(%x: tensor<1000x500xf32>) -> tensor<1000x1000xf32> {
  %y = stablehlo.multiply %x, %x : tensor<1000x500xf32>
  %z = stablehlo.concatenate %x, %y, dim = 1
    : (tensor<1000x500xf32>, tensor<1000x500xf32>) -> tensor<1000x1000xf32>
  %w = stablehlo.reverse %z, dims = [0, 1] : tensor<1000x1000xf32>
  %r = stablehlo.add %w, %w : tensor<1000x1000xf32>
  return %r : tensor<1000x1000xf32>
}''')
x = np.ones((1000, 500), np.float32)
for _ in range(5):
    shlo.run(module, x, threads=1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    shlo.run(module, x, threads=1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""

needs_pool = pytest.mark.skipif(not hasattr(mmap, "MADV_FREE"), reason="the system keeps no memory for us")


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> MemoryPool:
    """A pool that is new, and lends the memory of all arrays from 4 KiB on."""
    pool = MemoryPool()
    monkeypatch.setattr(memory_pool, "POOL", pool)
    monkeypatch.setattr(freed_memory, "POOLED", 1 << 12)
    return pool


def pages(count: int) -> Array:
    """Returns a new array of so many huge pages."""
    return empty((count, HUGE_PAGE // 4), np.dtype(np.float32))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators have their own ways")
def test_runs_on_large_arrays_cause_no_page_faults_once_they_are_warm() -> None:
    process = child(SCRIPT)
    assert process.stderr == ""
    assert int(process.stdout) < 20 * 100  # an array of 2 MB has 500 pages


def test_a_process_that_may_not_have_so_much_memory_runs_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(freed_memory, "POOLED", 1 << 60)
    freed_memory.keep_freed_memory.cache_clear()
    module = shlo.parse("""func.func @main(%x: tensor<1024x512xf32>) -> tensor<1024x512xf32> {
      %y = stablehlo.add %x, %x : tensor<1024x512xf32>
      return %y : tensor<1024x512xf32>
    }""")
    for _ in range(3):  # the later ones run as generated code
        assert (shlo.run(module, np.ones((1024, 512), np.float32))[0] == 2).all()


@needs_pool
def test_large_arrays_get_the_memory_of_those_that_nothing_refers_to(pool: MemoryPool) -> None:
    array, other = pages(1), pages(1)
    address, part = array.ctypes.data, array[0, 1:2]
    assert other.ctypes.data != address
    del array
    assert pages(1).ctypes.data != address  # the part is a view of it
    del part
    assert pages(1).ctypes.data == address


@needs_pool
def test_no_more_memory_is_kept_than_was_lent_at_once_lately(pool: MemoryPool) -> None:
    for count in (3, 1, 2, 1, 2, 3, 1):
        pages(count)
        assert pool.bytes <= 3 * HUGE_PAGE
    for _ in range(2 * MEMORABLE):
        pages(1)
    assert pool.bytes == HUGE_PAGE


@needs_pool
def test_threads_never_get_the_same_memory(pool: MemoryPool) -> None:
    def is_its_own(number: int) -> bool:
        array = empty((1 << 10,), np.dtype(np.int32))
        array[:] = number
        return bool((array == number).all())

    with ThreadPoolExecutor(8) as executor:
        assert all(executor.map(is_its_own, range(2000)))


@needs_pool
@pytest.mark.parametrize("type_", ["f32", "bf16"])
def test_results_in_memory_of_the_pool_are_the_callers_own(type_: str, pool: MemoryPool) -> None:
    module = shlo.parse(
        """func.func @main(%x: T) -> (T, T) {
      %0 = stablehlo.add %x, %x : T
      %1 = stablehlo.multiply %0, %x : T
      %2 = stablehlo.transpose %1, dims = [1, 0] : (T) -> T
      return %0, %2 : T, T
    }""".replace("T", f"tensor<512x512x{type_}>")
    )
    x = np.arange(1 << 18).reshape(512, 512).astype(dtype_of(FloatType(type_)))
    last: list[Array] = []
    for _ in range(4):
        results = shlo.run(module, x, threads=2)
        assert np.array_equal(results[0], x + x)
        assert np.array_equal(results[1], ((x + x) * x).T)
        for result in results:
            assert result.flags.c_contiguous
            assert not any(np.may_share_memory(result, each) for each in (x, *last))
            result[:] = 0
        last = [*results]
    assert type(last[1].base) is LentMemory
    assert pool.bytes <= 6 * HUGE_PAGE


def test_a_state_that_nobody_holds_any_more_keeps_no_values() -> None:
    text = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    text += "  %y = stablehlo.add %x, %x : tensor<4xf32>\n  %z = stablehlo.tanh %y : tensor<4xf32>\n"
    module = shlo.parse(text + "  return %z : tensor<4xf32>\n}")
    process = make_process(module, [np.ones(4, np.float32)], RunOptions())
    grid = ProcessGrid([process], GridShape(), is_alone=True)
    step = grid.step(0).step
    assert step is not None
    sum_ = weakref.ref(step.results[0][1])
    grid.save()
    del step
    assert sum_() is not None
    grid.step(0)
    assert sum_() is None
