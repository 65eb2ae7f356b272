"""The catalog file as people write it: forgiving about form, strict about names."""

import re
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from data_agent.domain.metric import Additivity, NumberFormat
from data_agent.domain.schema import Cardinality, ColumnRole

ColumnType = Literal["text", "integer", "decimal", "float", "date", "datetime", "time", "boolean", "json", "bytes"]
TYPES: dict[str, ColumnType] = {
    **dict.fromkeys(("text", "varchar", "char", "string", "tinytext", "mediumtext", "longtext", "enum"), "text"),
    **dict.fromkeys(("integer", "int", "bigint", "smallint", "tinyint", "mediumint", "hugeint", "year"), "integer"),
    **dict.fromkeys(("decimal", "numeric", "number"), "decimal"),
    **dict.fromkeys(("float", "double", "real"), "float"),
    **dict.fromkeys(("datetime", "timestamp"), "datetime"),
    **dict.fromkeys(("boolean", "bool"), "boolean"),
    **dict.fromkeys(("bytes", "blob", "binary", "varbinary", "bit"), "bytes"),
    "date": "date",
    "time": "time",
    "json": "json",
}


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _sql_type(value: Any) -> Any:
    """`VARCHAR(20)` and `bigint unsigned` are accepted for `text` and `integer`."""
    if not isinstance(value, str):
        return value
    word = re.split(r"[\s(]", value.strip().casefold(), maxsplit=1)[0]
    return TYPES.get(word, value)


def _table_role(value: Any) -> Any:
    return "dim" if value == "dimension" else value


# Editors offer the plain kinds and let SQL types pass.
TYPE_SCHEMA = {"anyOf": [{"enum": sorted(set(TYPES.values()))}, {"type": "string"}]}
Name = Annotated[str, Field(min_length=1)]
ONE_WORD = {"type": ["string", "number", "boolean"]}
WORDS_SCHEMA = {"anyOf": [{"type": "array", "items": ONE_WORD}, ONE_WORD]}
Words = Annotated[tuple[Name, ...], BeforeValidator(_listed), WithJsonSchema(WORDS_SCHEMA)]
Aliases = Annotated[Words, Field(validation_alias=AliasChoices("aliases", "alias"))]


class Written(BaseModel):
    """Base of the input models: unknown fields are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class WrittenProposal(Written):
    """What a model proposed; nothing reads it until a person moves it to `description` and `aliases`."""

    description: str = ""
    aliases: Aliases = ()


Proposed = Annotated[WrittenProposal | None, Field(description="Proposed by a model, not yet accepted by a person.")]


class WrittenColumn(Written):
    """A column of a table."""

    name: Name = Field(description="Name in the database, letter for letter.")
    type: Annotated[ColumnType, BeforeValidator(_sql_type), WithJsonSchema(TYPE_SCHEMA)] = Field(
        "text", description="Kind of data; SQL types work."
    )
    role: ColumnRole | None = Field(None, description="What it is for; left out, it follows from the type.")
    description: str = ""
    aliases: Aliases = Field((), description="What people call it, in any language.")
    examples: Words = Field((), description="A few stored values.")
    labels: dict[str, str] = Field({}, description="Stored code -> what people call it.")
    value_aliases: dict[str, Words] = Field({}, description="Stored value -> other words for it.")
    sync: bool = Field(False, description="Whether its values are indexed, so that questions can name them.")
    personal: bool = Field(False, description="Personal data: never indexed, never sampled.")
    unit: str = ""
    nullable: bool = True
    proposed: Proposed = None


class WrittenTable(Written):
    """A table or view."""

    name: Name
    role: Annotated[Literal["fact", "dim", "bridge", "snapshot"], BeforeValidator(_table_role)] = "dim"
    description: str = ""
    aliases: Aliases = ()
    columns: tuple[WrittenColumn, ...] = ()
    primary_key: Words = Field((), description="Left out, the columns of role primary_key.")
    label_column: str | None = Field(None, description="The column that names a row to people.")
    time_column: str | None = Field(None, description="The column that dates a row.")
    domain: str | None = None
    retired: bool = Field(False, description="Known, but no longer to be used.")
    proposed: Proposed = None


class WrittenMetric(Written):
    """A named number."""

    name: Name
    description: str = ""
    aliases: Aliases = ()
    table: str | None = Field(None, description="Home table; left out, the only table of the expression.")
    expression: str = Field("", description="SUM(orders.amount), or arithmetic over metrics: {sales} / {orders}.")
    filters: Words = Field((), description="Conditions that always apply; columns as table.column.")
    time_column: str | None = Field(None, description="table.column; left out, the time column of the table.")
    additivity: Additivity | None = Field(None, description="Left out, it follows from the expression.")
    format: NumberFormat = "number"
    unit: str = ""
    domain: str | None = None
    relevant_columns: Words = ()
    finer: str | None = Field(None, description="The metric that stands in below this one's grain.")
    inferred: bool = Field(False, description="Suggested by names in the database; not confirmed by a person.")
    proposed: Proposed = None


class WrittenRelationship(Written):
    """`from` refers to `to`; several columns are lists of the same length."""

    name: str = Field("", description="Needed where two relationships join the same tables.")
    aliases: Aliases = ()
    from_columns: Words = Field(alias="from", description="table.column, or a list of them.")
    to_columns: Words = Field(alias="to", description="table.column, or a list of them.")
    cardinality: Cardinality = "many_to_one"
    inferred: bool = Field(False, description="Found by names and values; not declared, not confirmed by a person.")
    evidence: str = Field("", description="What speaks for it.")


class WrittenDomain(Written):
    """A subject area and the words that lead to it."""

    name: Name
    description: str = ""
    keywords: Words = ()


class WrittenDocument(Written):
    """A policy or definition in words."""

    title: Name
    text: Name
    source: str = Field("", description="Where it is from; left out, the file it stands in.")
    aliases: Aliases = ()


class WrittenCatalog(Written):
    """One catalog file. A folder of such files is one catalog."""

    name: str = ""
    tables: tuple[WrittenTable, ...] = ()
    metrics: tuple[WrittenMetric, ...] = ()
    relationships: tuple[WrittenRelationship, ...] = ()
    domains: tuple[WrittenDomain, ...] = ()
    documents: tuple[WrittenDocument, ...] = ()
    synonyms: dict[str, Words] = Field({}, description="Word -> other words for it.")


BY_FIELD: dict[str, type[Written]] = {
    "": WrittenCatalog,
    "tables": WrittenTable,
    "columns": WrittenColumn,
    "metrics": WrittenMetric,
    "proposed": WrittenProposal,
    "relationships": WrittenRelationship,
    "domains": WrittenDomain,
    "documents": WrittenDocument,
}


def json_schema() -> dict[str, Any]:
    """The JSON schema of a catalog file, for editors."""
    schema = WrittenCatalog.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "data-agent catalog"}
