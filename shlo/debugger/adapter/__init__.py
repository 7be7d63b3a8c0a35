"""Requests of the Debug Adapter Protocol about a session, for every front end that speaks it."""
