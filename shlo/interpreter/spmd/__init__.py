"""Grids of processes: collectives, rendezvous, deadlock detection, sharded regions."""
