"""Run a server in a process of its own and stop it again."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(*command: str, cwd: Path = ROOT, **environ: str) -> Iterator[str]:
    """The base URL of a server started by `command PORT`; it is stopped the way Ctrl-C stops it."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", *command, str(port)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        yield _up(process, f"http://127.0.0.1:{port}")
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        finally:
            if process.stdout:
                process.stdout.close()


def _up(process: subprocess.Popen[bytes], url: str) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError((process.stdout.read() if process.stdout else b"").decode())
        try:
            httpx.get(f"{url}/api/health", timeout=1)
        except httpx.HTTPError:
            time.sleep(0.1)
        else:
            return url
    process.kill()
    raise RuntimeError("the server did not start within 60 s")
