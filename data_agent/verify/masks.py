"""What a mask looks like in the final text, written down a second time so that one slip cannot pass both."""

from data_agent.domain.policy import Mask

# {c} is the masked column. A `null` mask reads nothing, so it has no form: any read of the column is wrong.
_MYSQL = {
    "hash": "SHA2(CONCAT({salt}, {c}), 256)",
    "partial": "CASE WHEN CHAR_LENGTH({c}) > {kept} THEN CONCAT(LEFT({c}, {first}), '****', RIGHT({c}, {last}))"
    " WHEN NOT {c} IS NULL THEN '****' END",
    "size": "{c} - MOD(MOD({c}, {size}) + {size}, {size})",
    "day": "DATE({c})",
    "week": "DATE({c}) - INTERVAL WEEKDAY({c}) DAY",
    "month": "DATE({c}) - INTERVAL (DAYOFMONTH({c}) - 1) DAY",
    "quarter": "STR_TO_DATE(CONCAT(YEAR({c}), '-', QUARTER({c}) * 3 - 2, '-1'), '%Y-%c-%e')",
    "year": "DATE({c}) - INTERVAL (DAYOFYEAR({c}) - 1) DAY",
}
_DUCKDB = {
    "hash": "SHA256({salt} || CAST({c} AS TEXT))",
    "partial": "CASE WHEN LENGTH(CAST({c} AS TEXT)) > {kept} THEN LEFT(CAST({c} AS TEXT), {first}) || '****' || "
    "RIGHT(CAST({c} AS TEXT), {last}) WHEN NOT {c} IS NULL THEN '****' END",
    "size": "{c} - ((({c} % {size}) + {size}) % {size})",
    "day": "CAST(DATE_TRUNC('day', {c}) AS DATE)",
    "week": "CAST(DATE_TRUNC('week', {c}) AS DATE)",
    "month": "CAST(DATE_TRUNC('month', {c}) AS DATE)",
    "quarter": "CAST(DATE_TRUNC('quarter', {c}) AS DATE)",
    "year": "CAST(DATE_TRUNC('year', {c}) AS DATE)",
}
_FORMS = {"mysql": _MYSQL, "mariadb": _MYSQL, "duckdb": _DUCKDB}


def form_of(mask: Mask, column: str, salt: str, dialect: str) -> str | None:
    """The text of a mask over `column` and with `salt`, both already written as SQL; None for a mask that reads
    nothing."""
    kind = (mask.by or "size") if mask.kind == "bucket" else mask.kind
    form = _FORMS[dialect].get(kind)
    if form is None:
        return None
    kept = mask.keep_first + mask.keep_last
    return form.format(c=column, salt=salt, kept=kept, first=mask.keep_first, last=mask.keep_last, size=mask.size)
