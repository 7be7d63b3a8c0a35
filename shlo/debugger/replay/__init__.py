"""Replay of a session's history: cursor, checkpoints, result cache, effect log."""
