"""Execution of functions: frames, kernels and control flow, region bodies, single steps."""
