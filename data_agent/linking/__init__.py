"""Schema linking: keywords and the fusion of recalled scores."""
