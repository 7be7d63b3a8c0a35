"""Custom calls of dense linear algebra, of every platform and release of JAX.

`routines.py` is the table of LAPACK's routines (`factorizations.py`, `spectra.py`, `solvers.py`),
`targets.py` binds a call to one of them. `cpu.py`, `gpu.py` and `other.py` are tables of targets,
`descriptors.py` reads the options that old GPU calls carry as bytes.
"""
