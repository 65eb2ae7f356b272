"""Redis' errors, translated at the edge."""

from collections.abc import Iterator
from contextlib import contextmanager

from redis.exceptions import AuthenticationError, NoPermissionError, RedisError

from data_agent.errors import StoreUnavailable


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Turn client errors into `StoreUnavailable` with the mend; passwords never stand in it.

    Raises:
        StoreUnavailable: the server is away, slow, full, or refuses us.
    """
    try:
        yield
    except (AuthenticationError, NoPermissionError) as error:
        hint = "check user and password in stores.redis_url"
        raise StoreUnavailable(f"Redis at {where} refused the login", hint=hint) from error
    except (RedisError, OSError) as error:
        raise StoreUnavailable(
            f"Redis at {where} cannot be used: {type(error).__name__}", hint="start it, or set stores.redis_url"
        ) from error
