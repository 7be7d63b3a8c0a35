"""Custom calls of dense linear algebra, of every platform and release of JAX.

`routines.py` is the table of LAPACK's routines (`factorizations.py`, `spectra.py`), `targets.py` binds a call
to one of them, `options.py` reads its options. `platforms.py` is the table of targets.
"""
