"""Qdrant's errors, translated at the edge."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from data_agent.errors import StoreUnavailable


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Turn client errors into `StoreUnavailable` with the mend; keys never stand in it.

    Raises:
        StoreUnavailable: the server is away, slow, or refuses us.
    """
    try:
        yield
    except UnexpectedResponse as error:
        if error.status_code in {401, 403}:
            hint = "check qdrant.api_key and its rights"
            raise StoreUnavailable(f"Qdrant at {where} refused the key", hint=hint) from error
        raise StoreUnavailable(
            f"Qdrant at {where} refused the request: {error.status_code} {error.reason_phrase}",
            hint="look at the server's log, then run: data-agent index",
        ) from error
    except (ResponseHandlingException, httpx.HTTPError, OSError) as error:
        raise StoreUnavailable(
            f"Qdrant at {where} cannot be reached or did not answer in time", hint="start it, or set qdrant.url"
        ) from error
