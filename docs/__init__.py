"""Pages for people; some are written from the code."""
