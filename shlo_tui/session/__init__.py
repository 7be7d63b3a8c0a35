"""The session's thread and the immutable view models that it makes."""
