"""Text formatting of sessions and of grids of processes."""
