"""Memory of large arrays that are freed serves the next ones."""

from __future__ import annotations

import platform

import numpy as np
import pytest

import shlo
from shlo.interpreter.runtime import freed_memory
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


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators have their own ways")
def test_runs_on_large_arrays_cause_no_page_faults_once_they_are_warm() -> None:
    process = child(SCRIPT)
    assert process.stderr == ""
    assert int(process.stdout) < 20 * 100  # an array of 2 MB has 500 pages


def test_a_process_that_may_not_have_so_much_memory_runs_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(freed_memory, "_MOST_BYTES", 1 << 60)
    freed_memory.keep_freed_memory.cache_clear()
    module = shlo.parse("""func.func @main(%x: tensor<1024x512xf32>) -> tensor<1024x512xf32> {
      %y = stablehlo.add %x, %x : tensor<1024x512xf32>
      return %y : tensor<1024x512xf32>
    }""")
    for _ in range(3):  # the later ones run as generated code
        assert (shlo.run(module, np.ones((1024, 512), np.float32))[0] == 2).all()
