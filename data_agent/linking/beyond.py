"""Values that the index does not hold because their column has too many: which to look up, how, and what was found."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from sqlglot import exp

from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column
from data_agent.domain.value import Value
from data_agent.ports.recall import ValuePart
from data_agent.wording.likeness import likeness
from data_agent.wording.tokens import fold

MOST_COLUMNS, MOST_WORDS, MOST_ROWS = 4, 4, 200
_SURE = 0.9
_LEAST_DIGITS = 4
_ESCAPE = "!"
_WRITTEN = ("char", "text", "string", "enum")


def cut_columns(catalog: Catalog, parts: Mapping[str, ValuePart]) -> list[Column]:
    """The columns of this view of which the warehouse holds more values than were indexed, at most four."""
    found = (catalog.column(name) for name, part in parts.items() if part.cut)
    return [column for column in found if column and column.sync and not column.personal][:MOST_COLUMNS]


def unanswered(words: Iterable[str], found: Iterable[Value], known: Collection[str]) -> list[str]:
    """The longest words that may be a value, name nothing of the catalog (`known`) and were not surely found."""
    sure = {value.word for value in found if value.score >= _SURE}
    open_words = [word for word in dict.fromkeys(words) if word not in sure and word not in known and _tells(word)]
    return sorted(open_words, key=len, reverse=True)[:MOST_WORDS]


def holding(column: Column, words: Sequence[str], dialect: str) -> str:
    """The statement for the values of a column in which one of the words stands, in any letter case, shortest first."""
    name = exp.column(column.name, quoted=True)
    source = exp.to_table(".".join(f'"{part}"' for part in column.table.split(".")), dialect="duckdb")
    written = any(kind in column.type.casefold() for kind in _WRITTEN)
    text = exp.Lower(this=name.copy() if written else exp.cast(name.copy(), "varchar"))
    tests = [_like(text.copy(), word) for word in words]
    query = exp.select(name).from_(source).where(exp.or_(*tests)).group_by(name.copy())
    return query.order_by(exp.Length(this=text.copy())).limit(MOST_ROWS).sql(dialect=dialect)


def likened(column: Column, words: Sequence[str], rows: Iterable[Sequence[object]], limit: int) -> Iterator[Value]:
    """What came back as values, each for the words it is like, on the scale of the indexes; the best `limit` a word."""
    texts = [str(row[0]) for row in rows if row[0] is not None]
    for word in words:
        scored = sorted(((likeness(word, text), text) for text in texts), key=lambda pair: (-pair[0], len(pair[1])))
        for score, text in scored[:limit]:
            if score:
                yield Value(table=column.table, column=column.name, text=text, word=word, score=round(score, 4))


def _tells(word: str) -> bool:
    folded = fold(word)
    return len(folded) >= (_LEAST_DIGITS if folded.replace(".", "").isdigit() else 2)


def _like(text: exp.Expression, word: str) -> exp.Expression:
    pattern = word.strip().lower()
    for char in (_ESCAPE, "%", "_"):
        pattern = pattern.replace(char, _ESCAPE + char)
    like = exp.Like(this=text, expression=exp.Literal.string(f"%{pattern}%"))
    return exp.Escape(this=like, expression=exp.Literal.string(_ESCAPE))
