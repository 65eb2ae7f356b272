"""Elasticsearch's errors, translated at the edge."""

from collections.abc import Iterator
from contextlib import contextmanager

from elasticsearch import ApiError, ConnectionTimeout, TransportError

from data_agent.errors import StoreUnavailable

REFUSED, FULL = {401, 403}, 429


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Turn client errors into `StoreUnavailable` with the mend; neither holds a password or a value.

    Raises:
        StoreUnavailable: the server is away, slow, full, or refuses us.
    """
    try:
        yield
    except ApiError as error:
        raise _told(error, where) from error
    except ConnectionTimeout as error:
        raise StoreUnavailable(
            f"Elasticsearch at {where} did not answer in time", hint="check its load, or raise elasticsearch.seconds"
        ) from error
    except TransportError as error:
        raise StoreUnavailable(
            f"Elasticsearch at {where} cannot be reached", hint="start it, or set elasticsearch.url"
        ) from error


def _told(error: ApiError, where: str) -> StoreUnavailable:
    """What the server's refusal means. A block comes with the status of a missing right."""
    if error.error == "cluster_block_exception" or error.status_code == FULL:
        return StoreUnavailable(
            f"Elasticsearch at {where} takes no writing: it is read-only, or its disk is nearly full",
            hint="free space on it, lift the block (index.blocks.* or cluster.blocks.*), then run: data-agent index",
        )
    if error.status_code in REFUSED:
        return StoreUnavailable(
            f"Elasticsearch at {where} refused the login",
            hint="check elasticsearch.user, password and the role's rights",
        )
    return StoreUnavailable(
        f"Elasticsearch at {where} refused the request: {error.status_code} {error.error}",
        hint="look at the server's log, then run: data-agent index",
    )
