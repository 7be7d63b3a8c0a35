"""The verifier: reports which constraint of which operation a program breaks, with numbers and location.

Op definitions hold the constraints. The verifier walks a module, judges each signature once, and adds what no
definition can say: which values are visible, which symbols exist, how blocks end.
"""

from shlo.verifier.unregistered import Policy, unregistered_findings
from shlo.verifier.verifier import Verdicts, iter_findings, verify

__all__ = ["Policy", "Verdicts", "iter_findings", "unregistered_findings", "verify"]
