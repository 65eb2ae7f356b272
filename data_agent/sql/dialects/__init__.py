"""Facts about each dialect, as data."""
