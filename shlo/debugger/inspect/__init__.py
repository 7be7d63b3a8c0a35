"""Immutable views of a session: frames, values, processes, provenance."""
