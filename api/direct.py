"""Calls to this machine go straight there, whatever proxy the shell is set up with."""

from collections.abc import MutableMapping

LOCAL = ("localhost", "127.0.0.1", "::1")
PROXIES = ("http_proxy", "https_proxy", "all_proxy")


def go_direct_to_this_machine(environ: MutableMapping[str, str]) -> None:
    """Add this machine to NO_PROXY where a proxy is set; client libraries read it when they connect first."""
    if not any(environ.get(name) or environ.get(name.upper()) for name in PROXIES):
        return
    for name in ("no_proxy", "NO_PROXY"):
        told = environ.get(name) or environ.get(name.swapcase(), "")
        named = [one.strip() for one in told.split(",") if one.strip()]
        if "*" not in named:
            environ[name] = ",".join([*named, *(one for one in LOCAL if one not in named)])
