"""The outside world as Protocols: a role in each name, no technology in any."""
