"""What all layers may use, and that knows nothing of programs: files, entry points."""
