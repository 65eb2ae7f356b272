"""Tables, columns and how they join: what the warehouse holds, as people describe it."""

from functools import cached_property
from typing import Literal

from pydantic import Field

from data_agent.domain.frozen import Frozen
from data_agent.domain.language import Language, in_language

ColumnRole = Literal["primary_key", "foreign_key", "dimension", "measure", "time", "text"]
TableRole = Literal["fact", "dim", "bridge", "snapshot"]
Cardinality = Literal["many_to_one", "one_to_one", "one_to_many", "many_to_many"]


class Proposal(Frozen):
    """What a model proposed for a description and names. Nothing reads it until a person moves it where it belongs."""

    description: str = ""
    aliases: tuple[str, ...] = ()


class Column(Frozen):
    """One column. `id` is `table.column`; `labels` maps stored codes to what people call them (`{"1": "已支付"}`)."""

    table: str
    name: str
    type: str = "text"
    role: ColumnRole = "dimension"
    description: str = ""
    aliases: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    labels: dict[str, str] = Field(default_factory=dict)
    value_aliases: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    sync: bool = False
    personal: bool = False
    unit: str = ""
    nullable: bool = True
    proposed: Proposal | None = None

    @property
    def id(self) -> str:
        """`table.column`."""
        return f"{self.table}.{self.name}"

    def label(self, language: Language) -> str:
        """What an answer calls this column: the first alias in the asker's language, else the name."""
        return in_language(self.aliases, language) or self.name


class Table(Frozen):
    """One table. `label_column` names a row to people, `time_column` dates it; `retired` hides it."""

    name: str
    role: TableRole = "dim"
    description: str = ""
    aliases: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    primary_key: tuple[str, ...] = ()
    label_column: str | None = None
    time_column: str | None = None
    domain: str | None = None
    retired: bool = False
    proposed: Proposal | None = None

    @cached_property
    def by_name(self) -> dict[str, Column]:
        """Columns by case-folded name."""
        return {column.name.casefold(): column for column in reversed(self.columns)}

    @cached_property
    def spellings(self) -> dict[str, str]:
        """Names of the columns as they are spelled, by case-folded name, in their order."""
        return {column.name.casefold(): column.name for column in self.columns}

    def column(self, name: str) -> Column | None:
        """The column of that name, letter case ignored as MySQL ignores it, or None."""
        return self.by_name.get(name.casefold())

    def label(self, language: Language) -> str:
        """What an answer calls this table."""
        return in_language(self.aliases, language) or self.name

    def keeping(self, names: set[str]) -> "Table":
        """The same table with only the named columns, in their order."""
        return self.model_copy(update={"columns": tuple(c for c in self.columns if c.name in names)})


class Relationship(Frozen):
    """`from_table(from_columns)` refers to `to_table(to_columns)`; cardinality reads from → to.

    Two links between the same tables need a `name`; `aliases` are the words that choose one (收货, shipping).
    `inferred` says that nobody declared it; `evidence` is what speaks for it.
    """

    from_table: str
    from_columns: tuple[str, ...]
    to_table: str
    to_columns: tuple[str, ...]
    cardinality: Cardinality = "many_to_one"
    name: str = ""
    aliases: tuple[str, ...] = ()
    inferred: bool = False
    evidence: str = ""

    @property
    def multiplies(self) -> bool:
        """Whether walking from → to can repeat a row of `from_table`."""
        return self.cardinality in {"one_to_many", "many_to_many"}

    def reversed(self) -> "Relationship":
        """The same link read the other way round."""
        turned: dict[Cardinality, Cardinality] = {"many_to_one": "one_to_many", "one_to_many": "many_to_one"}
        return Relationship(
            from_table=self.to_table,
            from_columns=self.to_columns,
            to_table=self.from_table,
            to_columns=self.from_columns,
            cardinality=turned.get(self.cardinality, self.cardinality),
            name=self.name,
            aliases=self.aliases,
            inferred=self.inferred,
            evidence=self.evidence,
        )
