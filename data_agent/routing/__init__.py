"""Intents: rules first, then the model."""
