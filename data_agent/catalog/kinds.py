"""The catalog's kinds of data for the types that databases declare."""

import re

from data_agent.catalog.models import TYPES

FURTHER_TYPES = {
    **dict.fromkeys(("utinyint", "usmallint", "uinteger", "ubigint", "uhugeint", "largeint", "int64"), "integer"),
    **dict.fromkeys(("set", "uuid", "character", "nvarchar", "nchar", "bpchar"), "text"),
    **dict.fromkeys(("tinyblob", "mediumblob", "longblob", "geometry", "point", "polygon", "vector"), "bytes"),
    **dict.fromkeys(("struct", "map", "list", "array", "jsonb", "variant"), "json"),
}


def kind_of(declared: str) -> str | None:
    """The catalog's kind for a SQL type, None when we do not know it."""
    text = declared.casefold().strip()
    if text.endswith("]"):
        return "json"
    if text == "tinyint(1)":
        return "boolean"
    word = re.split(r"[\s(]", text, maxsplit=1)[0]
    return TYPES.get(word) or FURTHER_TYPES.get(word)
