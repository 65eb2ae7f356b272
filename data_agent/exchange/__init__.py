"""Catalogs in other people's formats: read them in, write them out, say what does not fit."""
