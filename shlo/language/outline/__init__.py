"""The outline of a document, of which an edit leaves as much as it can."""
