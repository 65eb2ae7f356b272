"""The tables that one SELECT joins to its home table, each by its one way, and how rows there are tested."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from sqlglot import exp

from data_agent.catalog.joins import JoinPath
from data_agent.composing.scope import Scope
from data_agent.composing.tree import all_of, column, joined, table
from data_agent.domain.schema import Relationship

_Way = tuple[Relationship, ...]


@dataclass
class Joins:
    """FROM the home table with what is joined to it; `many` tables have been joined although they repeat its rows."""

    scope: Scope
    home: str
    taken: set[str] = field(default_factory=set)
    many: set[str] = field(default_factory=set)
    _alias: dict[_Way, str] = field(default_factory=dict)
    _way: dict[str, _Way] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._alias[()] = self._free(self.home)
        self._way[self.home] = ()

    @property
    def name(self) -> str:
        """What the home table is called in this SELECT."""
        return self._alias[()]

    def path(self, target: str) -> JoinPath:
        """How to get to a table."""
        return self.scope.path(self.home, target)

    def repeats(self, target: str) -> bool:
        """Whether a table can only be reached by repeating rows of the home table, and is not joined already."""
        return target not in self._way and self.path(target).multiplies

    def far(self, target: str) -> _Way:
        """The links up to the last table that has many rows for one of the home table's."""
        links = self.path(target).links
        cut = max(number for number, link in enumerate(links) if link.multiplies)
        return links[: cut + 1]

    def column(self, column_id: str) -> exp.Column:
        """A column of a table, which is joined when it is not yet."""
        found = self.scope.column(column_id)
        return column(self._join(self.scope.table(found.table).name), found.name)

    def resolve(self, tree: exp.Expr) -> exp.Expr:
        """The same expression with its columns named as in this SELECT."""
        for node in list(tree.find_all(exp.Column)):
            if not isinstance(node.this, exp.Star):
                node.replace(self.column(f"{node.table}.{node.name}"))
        return tree

    def start(self) -> exp.Select:
        """SELECT … FROM the home table LEFT JOIN everything joined so far."""
        select = exp.Select().from_(table(self.home, self.name), copy=False)
        for way, alias in self._alias.items():
            if way:
                link = way[-1]
                on = self._on(link, self._alias[way[:-1]], alias)
                select.append("joins", joined(link.to_table, alias, on))
        return select

    def exists(self, links: _Way, conditions: "Callable[[Joins], Iterable[exp.Expr]]") -> exp.Expr:
        """EXISTS a row at the end of these links for which the conditions hold.

        The inner SELECT starts from the far table and walks back to this one.
        """
        back = tuple(link.reversed() for link in reversed(links))
        inner = Joins(self.scope, back[0].from_table, self.taken)
        for number in range(1, len(back)):
            inner.walk(back[:number])
        tests = list(conditions(inner))
        meeting = self._on(back[-1], inner.at(back[:-1]), self.name)
        where = all_of([meeting, *tests])
        select = inner.start().select(exp.Literal.number(1), copy=False).where(where, copy=False)
        return exp.Exists(this=select)

    def at(self, way: _Way) -> str:
        """What the table at the end of a way is called."""
        return self._alias[way]

    def walk(self, way: _Way) -> str:
        """Join the last table of a way, whose earlier tables are joined."""
        if way not in self._alias:
            self._alias[way] = self._free(way[-1].to_table)
        self._way.setdefault(way[-1].to_table, way)
        return self._alias[way]

    def _join(self, target: str) -> str:
        if target in self._way:
            return self._alias[self._way[target]]
        path = self.path(target)
        for number in range(1, len(path.links) + 1):
            self.walk(path.links[:number])
        self._way[target] = path.links
        if path.multiplies:
            self.many.add(target)
        return self._alias[path.links]

    def _on(self, link: Relationship, near: str, far: str) -> exp.Expr:
        pairs = zip(link.from_columns, link.to_columns, strict=True)
        equal = [exp.EQ(this=column(near, here), expression=column(far, there)) for here, there in pairs]
        return exp.and_(*equal, copy=False)

    def _free(self, name: str) -> str:
        """A name for a table that no other table of the statement part has."""
        free, number = name, 2
        while free.casefold() in self.taken:
            free, number = f"{name}_{number}", number + 1
        self.taken.add(free.casefold())
        return free
