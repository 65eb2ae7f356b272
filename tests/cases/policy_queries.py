"""Random queries over the star of `policy_star`: joins, subqueries, CTEs, unions, windows, groups, stars, shadows.

Their results are determined: a LIMIT comes with an order over every column, and window functions rank without ties.
The text is valid in MySQL and in DuckDB.
"""

import random
from dataclasses import dataclass, field
from itertools import count

from tests.cases.policy_star import HIDDEN, TABLES, columns_of

Columns = list[tuple[str, str]]
"""Expression or name, and its kind: `num`, `text` or `date`."""

VISIBLE = {
    table: [(name, _kind) for name, _kind in columns_of(table).items() if f"{table}.{name}" not in HIDDEN]
    for table in TABLES
    if table != "salaries"
}
_PLAIN = {"id": "num", "num": "num", "dec": "num", "text": "text", "date": "date"}
_LITERALS = {
    "num": ["1", "2", "3", "10", "-5", "42.5"],
    "text": ["'gold'", "'East'", "'13****678'", "'a'", "'x''y'", "'tea'", "'****'"],
    "date": ["DATE '2025-04-01'", "DATE '2025-07-15'", "DATE '2026-01-01'"],
}


@dataclass
class Source:
    """One entry of FROM under its alias."""

    text: str
    alias: str
    columns: Columns


@dataclass
class Maker:
    """Makes queries from one random source; `ctes` are the WITH queries in sight."""

    rng: random.Random
    hidden_share: float = 0.004
    ctes: dict[str, Columns] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.numbers = count(1)

    def statement(self) -> str:
        """A whole statement."""
        self.ctes = {}
        with_ = self._with() if self.rng.random() < 0.35 else ""
        body, columns = self._body(2)
        return f"{with_}{body}{self._limit(len(columns))}"

    def _limit(self, width: int) -> str:
        if self.rng.random() > 0.3 or not width:
            return ""
        order = ", ".join(f"{n}{self.rng.choice(['', ' DESC'])}" for n in range(1, width + 1))
        return f" ORDER BY {order} LIMIT {self.rng.randint(1, 6)}" + self.rng.choice(["", " OFFSET 1"])

    def _with(self) -> str:
        """WITH queries; now and then one is called like a table, to shadow it from there on."""
        written = []
        for _ in range(self.rng.randint(1, 2)):
            body, columns = self._body(1, named=True)
            name = self.rng.choice([*VISIBLE, "salaries"]) if self.rng.random() < 0.4 else self._name("w")
            if name in self.ctes:
                continue
            written.append(f"{name} AS ({body})")
            self.ctes = {**self.ctes, name: columns}
        return f"WITH {', '.join(written)} "

    def _name(self, letter: str) -> str:
        return f"{letter}{next(self.numbers)}"

    def _body(self, depth: int, *, named: bool = False, width: int = 0) -> tuple[str, Columns]:
        """A SELECT, or several put together; `named` gives every column a name of its own."""
        first, columns = self._select(depth, [], named=named, width=width)
        if depth and self.rng.random() < 0.2:
            kinds = [kind for _, kind in columns]
            words = ["UNION", "UNION ALL", "UNION ALL", "EXCEPT", "INTERSECT"]
            arm = self._arm(depth - 1, kinds)
            return f"{first} {self.rng.choice(words)} {arm}", columns
        return first, columns

    def _arm(self, depth: int, kinds: list[str]) -> str:
        sources, from_ = self._from(depth)
        shown = [self._expression(sources, kind, depth) for kind in kinds]
        return f"SELECT {', '.join(shown)} FROM {from_}{self._where(sources, depth)}"

    def _select(self, depth: int, outer: list[Source], *, named: bool = False, width: int = 0) -> tuple[str, Columns]:
        sources, from_ = self._from(depth)
        everyone = [*sources, *(outer if self.rng.random() < 0.6 else [])]
        where = self._where(everyone, depth)
        if self.rng.random() < 0.35:
            return self._grouped(sources, from_ + where, width)
        star = not named and not width and self.rng.random() < 0.2
        if star:
            one = self.rng.choice(sources)
            columns = one.columns if self.rng.random() < 0.5 else [c for s in sources for c in s.columns]
            shown = f"{one.alias}.*" if columns is one.columns else "*"
            return f"SELECT {shown} FROM {from_}{where}", [(name, _PLAIN.get(k, k)) for name, k in columns]
        columns = []
        for _ in range(width or self.rng.randint(1, 4)):
            kind = self.rng.choice(["num", "num", "text", "date"])
            columns.append((self._shown(everyone, kind, depth), kind))
        names = [self._name("c") for _ in columns]
        items = ", ".join(f"{text} AS {name}" for (text, _), name in zip(columns, names, strict=True))
        distinct = "DISTINCT " if self.rng.random() < 0.15 else ""
        made = [(name, kind) for name, (_, kind) in zip(names, columns, strict=True)]
        return f"SELECT {distinct}{items} FROM {from_}{where}", made

    def _grouped(self, sources: list[Source], rest: str, width: int) -> tuple[str, Columns]:
        keys = [self._column(sources, self.rng.choice(["num", "text", "date"])) for _ in range(self.rng.randint(0, 2))]
        keys = keys[: width - 1] if width else keys
        aggregates = [self._aggregate(sources) for _ in range((width - len(keys)) if width else self.rng.randint(1, 2))]
        names = [self._name("g") for _ in (*keys, *aggregates)]
        shown = [f"{text} AS {name}" for (text, _), name in zip([*keys, *aggregates], names, strict=True)]
        group = f" GROUP BY {', '.join(dict.fromkeys(text for text, _ in keys))}" if keys else ""
        having = f" HAVING {self._aggregate(sources)[0]} > {self.rng.randint(0, 9)}" if self.rng.random() < 0.25 else ""
        made = [(name, kind) for name, (_, kind) in zip(names, [*keys, *aggregates], strict=True)]
        return f"SELECT {', '.join(shown)} FROM {rest}{group}{having}", made

    def _aggregate(self, sources: list[Source]) -> tuple[str, str]:
        what = self.rng.choice(["COUNT(*)", "COUNT", "DISTINCT", "SUM", "MIN", "MAX"])
        if what == "COUNT(*)":
            return what, "num"
        text, kind = self._column(sources, "num" if what == "SUM" else self.rng.choice(["num", "text", "date"]))
        if what == "DISTINCT":
            return f"COUNT(DISTINCT {text})", "num"
        if what == "COUNT":
            return f"COUNT({text})", "num"
        if what in {"MIN", "MAX"} and kind == "text":
            return f"COUNT({text})", "num"
        return f"{what}({text})", "num" if what == "SUM" else kind

    def _from(self, depth: int) -> tuple[list[Source], str]:
        sources = [self._source(depth)]
        text = sources[0].text
        for _ in range(self.rng.choice([0, 0, 1, 1, 2])):
            joined = self._source(depth)
            text += self._join(sources, joined)
            sources.append(joined)
        return sources, text

    def _source(self, depth: int) -> Source:
        roll, alias = self.rng.random(), self._name("t")
        if depth and roll < 0.2:
            body, columns = self._body(depth - 1, named=True)
            return Source(f"({body}) AS {alias}", alias, columns)
        if self.ctes and roll < 0.5:
            name = self.rng.choice(sorted(self.ctes))
            return Source(f"{name} AS {alias}", alias, self.ctes[name])
        name = self.rng.choice([table for table in VISIBLE if table not in self.ctes] or sorted(self.ctes))
        columns = self.ctes.get(name) or [(c, _PLAIN[k]) for c, k in VISIBLE[name]]
        if roll > 0.995 and self.hidden_share and "salaries" not in self.ctes:
            return Source(f"salaries AS {alias}", alias, [("amount", "num")])
        return Source(f"{name} {self.rng.choice(['', 'AS '])}{alias}", alias, columns)

    def _join(self, sources: list[Source], joined: Source) -> str:
        roll = self.rng.random()
        before = [name for source in sources for name, _ in source.columns]
        common = [name for name, _ in joined.columns if before.count(name) == 1]
        if roll < 0.08:
            return f" CROSS JOIN {joined.text}"
        if roll < 0.2 and common and len(sources) == 1:
            # What is merged is named by the bare name only; the other columns keep their alias.
            name = self.rng.choice(common)
            return f" {self.rng.choice(['', 'LEFT '])}JOIN {joined.text} USING ({name})"
        word = self.rng.choice(["JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN"])
        left, kind = self._column(sources, "num")
        right, _ = self._column([joined], kind)
        extra = f" AND {self._condition([*sources, joined], 0)}" if self.rng.random() < 0.3 else ""
        return f" {word} {joined.text} ON {left} = {right}{extra}"

    def _column(self, sources: list[Source], kind: str) -> tuple[str, str]:
        if self.rng.random() < self.hidden_share:
            hidden = self.rng.choice(["secret", "cost", "manager"])
            return f"{self.rng.choice(sources).alias}.{hidden}", kind
        found = [f"{s.alias}.{name}" for s in sources for name, k in s.columns if _PLAIN.get(k, k) == kind]
        return (self.rng.choice(found) if found else self.rng.choice(_LITERALS[kind])), kind

    def _where(self, sources: list[Source], depth: int) -> str:
        if self.rng.random() < 0.4:
            return ""
        parts = [self._condition(sources, depth) for _ in range(self.rng.randint(1, 2))]
        return f" WHERE {self.rng.choice([' AND ', ' OR ']).join(parts)}"

    def _condition(self, sources: list[Source], depth: int) -> str:
        roll, kind = self.rng.random(), self.rng.choice(["num", "text", "date"])
        text, _ = self._column(sources, kind)
        if depth and roll < 0.15:
            body, _ = self._select(depth - 1, sources, width=1)
            return f"{self.rng.choice(['', 'NOT '])}EXISTS ({body})"
        if depth and roll < 0.3:
            inner, from_ = self._from(depth - 1)
            shown, _ = self._column(inner, kind)
            return f"{text} {self.rng.choice(['', 'NOT '])}IN (SELECT {shown} FROM {from_}{self._where(inner, 0)})"
        if roll < 0.45:
            return f"{text} IS {self.rng.choice(['', 'NOT '])}NULL"
        if kind == "text" and roll < 0.6:
            return f"{text} LIKE '{self.rng.choice(['%a%', '13%', '%****%', 'g%'])}'"
        if roll < 0.7:
            low, high = sorted(self.rng.sample(_LITERALS[kind], 2))
            return f"{text} BETWEEN {low} AND {high}"
        other = self._column(sources, kind)[0] if roll < 0.8 else self.rng.choice(_LITERALS[kind])
        return f"{text} {self.rng.choice(['=', '<>', '<', '>='])} {other}"

    def _shown(self, sources: list[Source], kind: str, depth: int) -> str:
        if kind == "num" and self.rng.random() < 0.15:
            return self._window(sources)
        return self._expression(sources, kind, depth)

    def _expression(self, sources: list[Source], kind: str, depth: int) -> str:
        roll, (text, _) = self.rng.random(), self._column(sources, kind)
        if depth and roll < 0.1 and kind == "num":
            inner, from_ = self._from(0)
            wanted, _ = self._column(inner, "num")
            mine, _ = self._column(sources, "num")
            return f"(SELECT MAX({wanted}) FROM {from_} WHERE {self._column(inner, 'num')[0]} = {mine})"
        if roll < 0.2:
            other, _ = self._column(sources, kind)
            return f"CASE WHEN {self._condition(sources, 0)} THEN {text} ELSE {other} END"
        if roll < 0.3:
            return f"COALESCE({text}, {self._column(sources, kind)[0]})"
        if roll < 0.36 and kind == "num":
            return f"{text} + {self._column(sources, 'num')[0]}"
        if roll < 0.42 and kind == "num":
            return f"CHAR_LENGTH({self._column(sources, 'text')[0]})"
        return text

    def _window(self, sources: list[Source]) -> str:
        part, _ = self._column(sources, self.rng.choice(["num", "text"]))
        by, _ = self._column(sources, "num")
        what = self.rng.choice(["RANK()", "DENSE_RANK()", f"SUM({by})", "COUNT(*)", f"MAX({by})"])
        order = f" ORDER BY {by}" if "RANK" in what or self.rng.random() < 0.3 else ""
        return f"{what} OVER (PARTITION BY {part}{order})"
