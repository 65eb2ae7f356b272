"""Question and recalled values to a Reading, by rules; and a Reading in plain words."""
