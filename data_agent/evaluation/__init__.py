"""Question sets, scoring, reports."""
