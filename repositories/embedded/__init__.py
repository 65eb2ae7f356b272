"""The same ports with no server to start."""
