"""The second pair of eyes: proves on the final text that a role's policy holds, knowing nothing of who wrote it in."""
