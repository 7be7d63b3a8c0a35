"""Container of the format: sections, tables, primitives, resources."""
