"""Random programs, run on two engines: generator, comparison, reduction of what differs."""
