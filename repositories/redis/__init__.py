"""What workers share on a Redis server."""
