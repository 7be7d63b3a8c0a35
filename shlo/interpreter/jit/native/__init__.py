"""Loops of scalars and small arrays as machine code, where llvmlite is installed (`pip install
'shlo[jit]'`)."""
