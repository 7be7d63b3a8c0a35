"""Programs as Python users hold them: what JAX traces, lowers, compiles and exports, functions, texts, paths.

`program_of` turns any of them, with the arguments of a call, into a `Program`: a Module, and what leads from
the arguments of the Python function to those of its `main` and back. `functions` has `shlo.run` and the like.

JAX is imported only where an object of the caller's needs it.
"""
