"""A complete reading to one SQL statement that never counts a row twice."""
