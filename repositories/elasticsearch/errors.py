"""Elasticsearch's errors, translated at the edge."""

from collections.abc import Iterator
from contextlib import contextmanager

from elasticsearch import ApiError, AuthenticationException, AuthorizationException, ConnectionTimeout, TransportError

from data_agent.errors import StoreUnavailable


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Turn client errors into `StoreUnavailable` with the mend; neither holds a password or a value.

    Raises:
        StoreUnavailable: the server is away, slow, full, or refuses us.
    """
    try:
        yield
    except (AuthenticationException, AuthorizationException) as error:
        raise StoreUnavailable(
            f"Elasticsearch at {where} refused the login",
            hint="check elasticsearch.user, password and the role's rights",
        ) from error
    except ConnectionTimeout as error:
        raise StoreUnavailable(
            f"Elasticsearch at {where} did not answer in time", hint="check its load, or raise elasticsearch.seconds"
        ) from error
    except TransportError as error:
        raise StoreUnavailable(
            f"Elasticsearch at {where} cannot be reached", hint="start it, or set elasticsearch.url"
        ) from error
    except ApiError as error:
        raise StoreUnavailable(
            f"Elasticsearch at {where} refused the request: {error.status_code} {error.error}",
            hint="check that the disk is not full and the index not read-only, then run: data-agent index",
        ) from error
