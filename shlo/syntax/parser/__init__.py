"""Text to modules, by recursive descent with a fast path for ordinary lines."""
