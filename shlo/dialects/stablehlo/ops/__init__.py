"""OpDefs of StableHLO's operations, by group."""
