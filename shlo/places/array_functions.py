"""Functions of JAX and of libraries by what they take and return, as far as names of values depend on it."""

from __future__ import annotations

from typing import Final

# fmt: off
MANY_RESULTS: Final = frozenset((
    "apply", "apply_updates", "array_split", "associative_scan", "atleast_1d", "atleast_2d",
    "atleast_3d", "broadcast_arrays", "checkpoint", "cho_factor", "cond", "custom_linear_solve",
    "custom_root", "device_put", "divmod", "dsplit", "eig", "eigh", "flatten", "fori_loop", "frexp",
    "grad", "gradient", "histogram", "hsplit", "indices", "init", "io_callback", "ix_", "jit", "jvp",
    "linearize", "lstsq", "lu", "lu_factor", "map", "meshgrid", "mgrid", "modf", "nonzero", "ogrid",
    "optimization_barrier", "pmap", "polyfit", "pure_callback", "qr", "ravel_pytree", "remat", "scan",
    "schur", "shard_map", "slogdet", "split", "svd", "switch", "top_k", "tree_map", "unique", "unstack",
    "update", "value_and_grad", "vjp", "vmap", "vsplit", "while_loop",
))
"""Functions of JAX whose result is, or may be, no single array."""

ARRAY_METHODS: Final = frozenset((
    "add", "all", "any", "apply", "argmax", "argmin", "argsort", "astype", "clip", "conj", "cumprod",
    "cumsum", "diagonal", "divide", "dot", "flatten", "get", "max", "mean", "min", "multiply", "power",
    "prod", "ravel", "repeat", "reshape", "round", "set", "sort", "squeeze", "std", "sum", "swapaxes",
    "take", "trace", "transpose", "var", "view",
))
"""Methods of arrays, and of `x.at[...]`, whose result is one array."""

ACTIVATIONS: Final = frozenset((
    "celu", "elu", "gelu", "glu", "hard_sigmoid", "hard_swish", "hard_tanh", "leaky_relu",
    "log_sigmoid", "log_softmax", "one_hot", "relu", "relu6", "selu", "sigmoid", "silu", "soft_sign",
    "softmax", "softplus", "standardize", "swish", "tanh",
))
"""Functions of `jax.nn` that libraries of layers hand on."""

OF_SEQUENCES: Final = frozenset((
    "append", "block", "column_stack", "concatenate", "dstack", "hstack", "stack", "vstack",
))
"""Functions of JAX whose first argument is a sequence of arrays."""

BUILTINS: Final = frozenset((
    "abs", "pow", "round", "sum",
))
"""Functions of Python that return one array for arrays."""
