"""Which device holds which part of a program's tensors."""

from shlo.shardings.sharded_values import ShardedValue, sharded_values

__all__ = ["ShardedValue", "sharded_values"]
