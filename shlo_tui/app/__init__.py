"""The Textual application: layout, controller, keys."""
