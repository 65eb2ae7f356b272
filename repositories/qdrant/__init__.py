"""Vector indexes on a Qdrant server."""
