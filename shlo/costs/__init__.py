"""What programs cost: arithmetic, bytes and memory of operations, name scopes and lines of Python."""

from shlo.costs.analysis import cost
from shlo.costs.model import Group, Note, OperationCost, ProgramCost, Rules, Work

__all__ = ["Group", "Note", "OperationCost", "ProgramCost", "Rules", "Work", "cost"]
