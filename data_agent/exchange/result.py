"""What an exchange gives: a catalog or files, and everything that did not fit, with the reason."""

from data_agent.domain.catalog import Catalog
from data_agent.domain.frozen import Frozen


class NotCarried(Frozen):
    """Something that was left out, and why."""

    what: str
    why: str


class Imported(Frozen):
    """A catalog read from another format."""

    catalog: Catalog
    left_out: tuple[NotCarried, ...] = ()


class Exported(Frozen):
    """Files to write, by relative path."""

    files: dict[str, str]
    left_out: tuple[NotCarried, ...] = ()
