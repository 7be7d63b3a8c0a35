"""Subcommands that run programs: one, on two engines, many at random, tests."""
