"""Clients of a session: messages on streams, connections, a port of the loopback interface."""
