"""Reader: bytes to modules."""
