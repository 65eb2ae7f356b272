"""MySQL 5.7 to 9."""

from data_agent.sql.dialects.facts import Facts, Gate

_FUNCTIONS = """
    ABS ADDDATE ADDTIME ANY_VALUE BIN BIT_COUNT BIT_LENGTH CHAR_LENGTH CHARACTER_LENGTH COERCIBILITY CONV CONVERT_TZ
    CRC32 CUME_DIST CURDATE CURTIME DATE_ADD DATE_FORMAT DATE_SUB DAYNAME DAYOFYEAR EXPORT_SET FIELD FIND_IN_SET
    FORMAT FROM_DAYS GET_FORMAT GREATEST GROUPING IFNULL INSTR INTERVAL ISNULL JSON_ARRAY JSON_ARRAYAGG JSON_CONTAINS
    JSON_CONTAINS_PATH JSON_DEPTH JSON_KEYS JSON_LENGTH JSON_OVERLAPS JSON_QUOTE JSON_SEARCH JSON_TYPE JSON_UNQUOTE
    JSON_VALID JSON_VALUE LAST_DAY LCASE LOCATE LOG10 LOG2 LPAD MAKEDATE MAKETIME MAKE_SET MICROSECOND MID NOW OCT
    OCTET_LENGTH ORD PERIOD_ADD PERIOD_DIFF POSITION QUOTE REGEXP_INSTR REGEXP_SUBSTR ROW RPAD SEC_TO_TIME STRCMP
    SUBDATE SUBTIME SYSDATE TIME TIMEDIFF TIME_FORMAT TIME_TO_SEC TO_DAYS TO_SECONDS UCASE UNIX_TIMESTAMP UTC_DATE
    UTC_TIME UTC_TIMESTAMP WEEKDAY WEEKOFYEAR YEARWEEK
    INET_ATON INET_NTOA JSON_INSERT JSON_MERGE_PATCH JSON_MERGE_PRESERVE JSON_PRETTY JSON_REPLACE
    """
_CLASSES = """
    BitLength ConvertTimezone FromBase64 JSONArrayAppend JSONArrayInsert JSONRemove JSONSet
    JSONValue TimeFromParts ToBase64 Unhex
    """
FUNCTIONS = frozenset(_FUNCTIONS.split())

FACTS = Facts(
    name="mysql",
    grammar="mysql",
    functions=FUNCTIONS,
    classes=frozenset(_CLASSES.split()),
    reserved=frozenset({"EXTERNAL", "LIBRARY", "QUALIFY", "TABLESAMPLE"}),
    unlisted=frozenset({"_rowid"}),
    system_schemas=frozenset({"mysql", "information_schema", "performance_schema", "sys", "ndbinfo"}),
    gates=(
        Gate("with", (8, 0)),
        Gate("window", (8, 0)),
        Gate("lateral", (8, 0, 14)),
        Gate("intersect", (8, 0, 31)),
        Gate("except", (8, 0, 31)),
        Gate("regexp_function", (8, 0)),
        Gate("any_value", (5, 7, 5)),
        Gate("qualify", None),
        Gate("filter", None),
    ),
)
