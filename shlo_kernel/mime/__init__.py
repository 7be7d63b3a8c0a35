"""Values, messages, programs and grids by MIME type: as text and as HTML."""
