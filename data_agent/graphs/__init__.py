"""The wiring: edges live here and nowhere else."""
