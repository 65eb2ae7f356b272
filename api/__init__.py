"""The HTTP door and the place where everything is wired."""
