"""`python -m shlo_kernel -f CONNECTION_FILE`: how Jupyter starts the kernel."""

from __future__ import annotations

from ipykernel.kernelapp import IPKernelApp

from shlo_kernel.kernel import StableHLOKernel

if __name__ == "__main__":
    IPKernelApp.launch_instance(kernel_class=StableHLOKernel)
