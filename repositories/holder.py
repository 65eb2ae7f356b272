"""Who holds a lock, in words for people."""

import os
import socket
from datetime import UTC, datetime


def holder() -> str:
    """This process, as people find it."""
    since = datetime.now(UTC).isoformat(timespec="seconds")
    return f"process {os.getpid()} on {socket.gethostname()}, since {since}"
