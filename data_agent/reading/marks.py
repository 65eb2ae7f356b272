"""A mark: a stretch of the question with everything it may mean."""

from dataclasses import dataclass, field

from data_agent.domain.time import TimeRange
from data_agent.reading.lexicon import Kind, Thing
from data_agent.reading.numbers import Number
from data_agent.reading.words import Role

_FREE = frozenset({"stop", "of", "and", "comma"})


@dataclass(slots=True)
class Mark:
    """`used` is set by the rule that gave it a place; what is left unused at the end was not understood."""

    start: int
    end: int
    text: str
    roles: tuple[Role, ...] = ()
    things: tuple[Thing, ...] = ()
    number: Number | None = None
    time: TimeRange | None = None
    notes: tuple[str, ...] = field(default=())
    used: bool = False

    def says(self, *names: str) -> bool:
        """Whether it can be a function word of one of these roles."""
        return any(role.name in names for role in self.roles)

    def payload(self, name: str) -> str | None:
        """What the role of that name asks for, or None without the role."""
        return next((role.payload for role in self.roles if role.name == name), None)

    def of(self, *kinds: Kind) -> tuple[Thing, ...]:
        """The things of these kinds."""
        return tuple(thing for thing in self.things if thing.kind in kinds)

    @property
    def named(self) -> bool:
        """Whether the catalog knows it."""
        return bool(self.things)

    @property
    def free(self) -> bool:
        """Whether it may stay without a place: a word with no content of its own."""
        return not self.things and self.time is None and any(role.name in _FREE for role in self.roles)

    @property
    def silent(self) -> bool:
        """Whether it says nothing at all, not even how its neighbours hang together."""
        return not self.things and self.time is None and {role.name for role in self.roles} == {"stop"}

    @property
    def unknown(self) -> bool:
        """Whether nothing at all is known about it."""
        return not (self.roles or self.things or self.number or self.time)
