"""Hostile folders, files, names and streams: what SECURITY.md promises."""
