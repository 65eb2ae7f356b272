"""The agent as a library: questions in, proven answers out. No HTTP, no driver, no vendor SDK."""
