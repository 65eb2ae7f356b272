"""MySQL-protocol engines and SQL stores through SQLAlchemy."""
