"""Apache Ossie (formerly Open Semantic Interchange): core models in, catalogs out as core models."""
