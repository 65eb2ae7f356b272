"""A first catalog from a live database: what it declares, and what names and samples say beyond that."""
