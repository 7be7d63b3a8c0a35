"""The StableHLO dialect: op definitions, enumerations, struct attributes and rules."""
