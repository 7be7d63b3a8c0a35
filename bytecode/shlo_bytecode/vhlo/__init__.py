"""VHLO and StableHLO, in both directions."""
