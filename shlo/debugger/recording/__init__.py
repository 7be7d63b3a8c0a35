"""Recordings of sessions on disk."""
