"""What a role may see: its view of the catalog, and its rows and masks written into every statement."""
