"""Foreign errors of the embedded stores, translated at the edge."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from data_agent.errors import StoreUnavailable


@contextmanager
def translated(what: str, folder: Path) -> Iterator[None]:
    """Turn file and engine errors into `StoreUnavailable` with the mend.

    Raises:
        StoreUnavailable: the folder cannot be read or written, or its files are damaged.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        hint = f"check that the folder {folder} exists, has space left and may be written by this user"
        raise StoreUnavailable(f"the {what} at {folder} cannot be used: {reason}", hint=hint) from error
    except ValueError as error:
        hint = "build it again: data-agent index"
        raise StoreUnavailable(f"the {what} at {folder} is damaged", hint=hint) from error
