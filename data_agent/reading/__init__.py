"""Question and recalled candidates to a Reading; a Reading to a SQL tree."""
