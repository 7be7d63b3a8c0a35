"""Text to modules, by recursive descent, with a cache of the lines that are like others."""
