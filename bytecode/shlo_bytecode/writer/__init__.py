"""Writer: modules to bytes."""
