"""Help while typing: completions, snippets, signatures, completeness."""
