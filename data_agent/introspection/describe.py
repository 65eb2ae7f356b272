"""A table and its columns as the catalog writes them."""

from collections.abc import Sequence
from typing import NamedTuple

from data_agent.domain.schema import Column, ColumnRole, Relationship, Table
from data_agent.introspection.keys import Key
from data_agent.introspection.labels import Spelled, read_comment
from data_agent.introspection.names import key_name, nouns
from data_agent.introspection.personal import is_personal
from data_agent.introspection.profile import SHOWN, Profile, Profiled
from data_agent.introspection.roles import column_role, label_column, table_role, time_column
from data_agent.wording.names import said, shared_prefix, without
from data_agent.wording.tokens import spelled_out

MOST_CHARS = 60
_HIGH_SHARE = 0.95


class Around(NamedTuple):
    """What a column must know of its table."""

    table: Profiled
    keys: tuple[str, ...]
    references: frozenset[str]
    shared: str
    words: frozenset[str]
    most_values: int


def described_table(
    table: Profiled, key: Key, links: Sequence[Relationship], prefix: str, most_values: int, *, sole: bool = False
) -> Table:
    """The table with names, roles, labels and examples; `sole` says that there is no other one."""
    out = [link for link in links if link.from_table == table.facts.name]
    around = Around(
        table=table,
        keys=key.columns,
        references=frozenset(name for link in out for name in link.from_columns),
        shared=shared_prefix([column.name for column in table.facts.columns]),
        words=frozenset(nouns(table.facts.name, prefix).words),
        most_values=most_values,
    )
    columns = tuple(_column(around, profile) for profile in table.columns)
    dated = time_column(columns)
    label = label_column(table, columns, prefix)
    comment = read_comment(table.facts.comment)
    return Table(
        name=table.facts.name,
        role=table_role(table, columns, links, prefix, sole=sole),
        description=table.facts.comment,
        aliases=_aliases(table.facts.name, prefix, comment.name.removesuffix("表") or comment.name),
        columns=tuple(_indexed_label(column, label, table, most_values) for column in columns),
        primary_key=key.columns,
        label_column=label,
        time_column=dated,
    )


def _column(around: Around, profile: Profile) -> Column:
    stored = frozenset(profile.texts) if profile.complete and profile.values else None
    spelled = read_comment(profile.facts.comment, stored)
    role = column_role(profile, around.keys, around.references)
    if spelled.labels and role == "measure":
        role = "dimension"
    personal = is_personal(profile, around.words)
    return Column(
        table=around.table.facts.name,
        name=profile.facts.name,
        type=profile.kind,
        role=role,
        description=_description(profile, spelled),
        aliases=_aliases(profile.facts.name, around.shared, spelled.name),
        examples=() if personal else _examples(profile),
        labels=spelled.labels,
        sync=not personal and _spoken(profile, role) and _few(profile, around.table, around.most_values),
        personal=personal,
        nullable=profile.facts.nullable and profile.facts.name not in around.keys,
    )


def _spoken(profile: Profile, role: ColumnRole) -> bool:
    """Whether people say its values: texts, codes and names that are keys too, but no ids."""
    key = role in {"primary_key", "foreign_key"}
    wanted = role == "dimension" or (key and not key_name(profile.facts.name).identifies)
    return profile.kind == "text" and wanted


def _indexed_label(column: Column, label: str | None, table: Profiled, most_values: int) -> Column:
    """What names a row is worth finding even when nearly every row has another one."""
    wanted = column.name == label and not column.personal and table.size <= most_values
    return column.model_copy(update={"sync": True}) if wanted and column.type == "text" else column


def _few(profile: Profile, table: Profiled, most_values: int) -> bool:
    """Whether its values are few and short enough: no free text, no near-unique ones of a big table."""
    if not profile.values or profile.mean_length > MOST_CHARS or profile.dated_text:
        return False
    if profile.complete:
        return len(profile.values) <= most_values
    repeats = len(profile.values) < _HIGH_SHARE * max(profile.rows - profile.nulls, 1)
    return repeats or table.size <= most_values


def _examples(profile: Profile) -> tuple[str, ...]:
    short = (text[:MOST_CHARS] for text in profile.texts if text.strip() and text.isprintable())
    return tuple(dict.fromkeys(short))[:SHOWN]


def _description(profile: Profile, spelled: Spelled) -> str:
    comment = " ".join(profile.facts.comment.split())
    return "" if comment == spelled.name else comment


def _aliases(name: str, prefix: str, commented: str) -> tuple[str, ...]:
    """The name from the comment, and the words of the name itself where they are not just the name."""
    words = [spelled_out(name), said(without(prefix, name))]
    kept = dict.fromkeys(word for word in (commented, *words) if word and word != name.casefold())
    return tuple(kept)
