"""Version of the StableHLO specification."""

STABLEHLO_VERSION = "1.20.0"
"""The version of the StableHLO specification that counts as current."""
