"""Futures of a session: edits of a run, the futures that they begin, and what differs between two."""
