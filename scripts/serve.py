"""Serve the API and the page over HTTP."""

import socket
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from api.settings import Settings, load_settings
from data_agent.errors import DependencyError
from scripts.show import err

GRACE_SECONDS = 5


def serve(
    settings: Annotated[Path | None, typer.Option(help="A settings file; without it, the demo.")] = None,
    host: Annotated[str, typer.Option(help="Listen here instead of server.host.")] = "",
    port: Annotated[int, typer.Option(help="Listen here instead of server.port.", min=0, max=65535)] = 0,
) -> int:
    """Serve until stopped with Ctrl-C; running questions get a few seconds to end."""
    loaded = load_settings(settings)
    where, number = host or loaded.server.host, port or loaded.server.port
    if not free(where, number):
        err.print(
            f"{where}:{number} cannot be listened on (is another program there?): stop it, or choose one with --port"
            " · 端口被占用，请停掉占用的程序或用 --port 换一个",
            style="red",
            highlight=False,
        )
        return DependencyError.exit_code
    err.print(f"data-agent: http://{where}:{number}/  (API: /docs)", highlight=False)
    return run(loaded, where, number)


def free(host: str, port: int) -> bool:
    """Whether this address can be listened on, so that a taken one is said in one line."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def run(settings: Settings, host: str, port: int) -> int:
    """Run the server in this process."""
    import uvicorn

    from api.app import create_app
    from api.several import opened

    app = create_app(partial(opened, settings), settings.server)
    config = uvicorn.Config(
        app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=GRACE_SECONDS, server_header=False
    )
    server = uvicorn.Server(config)
    server.run()
    return 0 if server.started else 5
