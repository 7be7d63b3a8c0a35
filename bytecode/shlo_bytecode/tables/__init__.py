"""Tables of the dialects' attributes and types."""
