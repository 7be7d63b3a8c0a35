"""Says which constraint of which operation a program breaks, with the numbers and the place.

The definitions hold the constraints; this room walks a module, judges each operation once for all that are
alike, and adds what no definition can say: who sees which value, which symbols there are, how blocks end.
"""

from shlo.verifier.unregistered import Policy, unregistered_findings
from shlo.verifier.verifier import Verdicts, iter_findings, verify

__all__ = ["Policy", "Verdicts", "iter_findings", "unregistered_findings", "verify"]
