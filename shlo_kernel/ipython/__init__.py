"""What StableHLO adds to a Python notebook: magics, displays of programs, shared variables."""
