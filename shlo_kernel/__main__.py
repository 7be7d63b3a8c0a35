"""`python -P -m shlo_kernel -f CONNECTION_FILE`: how Jupyter starts the kernel.

Nothing is imported from the notebook's folder: `-P` keeps it out of the search path, and `ignore_cwd` keeps
IPython from adding it.
"""

from __future__ import annotations

from ipykernel.kernelapp import IPKernelApp

from shlo_kernel.kernel import StableHLOKernel

if __name__ == "__main__":
    IPKernelApp.launch_instance(kernel_class=StableHLOKernel, ignore_cwd=True)
