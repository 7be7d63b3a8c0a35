"""The upstream suite as a conformance suite: `python -m tests.conformance CHECKOUT`."""
