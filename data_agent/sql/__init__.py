"""SQL is admitted, not trusted: guard, limits, grain, cleaning of model replies."""
