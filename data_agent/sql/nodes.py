"""What a query may be made of: the allow-list of syntax, by name of the parser's classes."""

from sqlglot import exp

_STRUCTURE = """
    Select Union Intersect Except Subquery From Join Table TableAlias Identifier Column Star Alias Where Group Having
    Order Ordered Limit Offset With CTE Distinct Literal Null Boolean Paren Tuple Var DataType DataTypeParam
    Interval Window WindowSpec EQ NEQ GT GTE LT LTE NullSafeEQ NullSafeNEQ Is In Between Like ILike Not And Or Xor
    Add Sub Mul Div IntDiv Mod Neg BitwiseAnd BitwiseOr BitwiseXor BitwiseNot BitwiseLeftShift
    BitwiseRightShift Any All Exists Escape Collate HexString BitString Rollup Lateral RegexpLike IgnoreNulls
    RespectNulls JSONPath JSONPathRoot JSONPathKey JSONPathSubscript JSONPathWildcard JSONPathSelector Anonymous
    """
STRUCTURE = frozenset(_STRUCTURE.split())

_FUNCTIONS = """
    Count Sum Avg Min Max GroupConcat Stddev StddevPop StddevSamp Variance VariancePop AnyValue BitwiseAndAgg
    BitwiseOrAgg BitwiseXorAgg JSONArrayAgg JSONObjectAgg Grouping
    RowNumber Rank DenseRank PercentRank CumeDist Ntile Lead Lag FirstValue LastValue NthValue
    Concat ConcatWs Lower Upper Length Substring SubstringIndex Trim Replace Left Right StrPosition Reverse Repeat
    Pad NumberToStr Initcap Ascii Chr Stuff Elt Space Unicode Translate RegexpReplace RegexpExtract RegexpInstr
    RegexpSubstr RegexpCount Soundex Hex MD5 SHA SHA2 ToChar
    Abs Ceil Floor Round Trunc Pow Sqrt Exp Ln Log Sign Greatest Least Rand Sin Cos Tan Cot Asin Acos Atan Atan2 Pi
    Degrees Radians SafeDivide BitwiseCount
    Case If Coalesce Nullif Nvl2 Cast Extract
    CurrentDate CurrentTimestamp CurrentTime CurrentDatetime Localtime Localtimestamp UtcDate UtcTime UtcTimestamp
    DateAdd DateSub DateDiff DatetimeAdd DatetimeSub DatetimeDiff TimestampAdd TimestampSub TimestampDiff
    DateTrunc TimestampTrunc Date Time Datetime DateStrToDate TsOrDsToDate TsOrDsToTimestamp TsOrDsToTime
    TsOrDsToDatetime TsOrDsAdd TsOrDsDiff TimeToStr StrToDate StrToTime StrToUnix UnixToTime UnixToStr TimeToUnix
    UnixSeconds Year Month Day Quarter Week WeekOfYear DayOfWeek DayOfWeekIso DayOfMonth DayOfYear Hour Minute Second
    YearOfWeek YearOfWeekIso LastDay Timestamp Dayname Monthname TimeStrToTime ToDays TimeAdd TimeSub TimeDiff
    JSONExtract JSONExtractScalar JSONArrayContains JSONObject JSONArray JSONKeyValue JSONType JSONKeys
    """
FUNCTIONS = frozenset(_FUNCTIONS.split())

# Words that are no names: units of time, and the ALL of DuckDB's ORDER BY ALL.
_WORDS = """
    MICROSECOND MILLISECOND SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR DECADE CENTURY MILLENNIUM ERA EPOCH
    MICROSECONDS MILLISECONDS SECONDS MINUTES HOURS DAYS WEEKS MONTHS QUARTERS YEARS DECADES CENTURIES
    DOW DOY ISODOW ISOYEAR DAYOFWEEK DAYOFYEAR DAYOFMONTH WEEKDAY WEEKOFYEAR YEARWEEK JULIAN
    SECOND_MICROSECOND MINUTE_MICROSECOND MINUTE_SECOND HOUR_MICROSECOND HOUR_SECOND HOUR_MINUTE DAY_MICROSECOND
    DAY_SECOND DAY_MINUTE DAY_HOUR YEAR_MONTH ALL
    """
WORDS = frozenset(_WORDS.split())

# Clauses a node may carry; anything else set on it is refused by name.
CLAUSES: dict[str, frozenset[str]] = {
    "Select": frozenset(
        {
            "expressions",
            "from_",
            "joins",
            "where",
            "group",
            "having",
            "order",
            "limit",
            "offset",
            "distinct",
            "with_",
            "windows",
            "qualify",
        }
    ),
    "Subquery": frozenset({"this", "alias", "with_", "order", "limit", "offset", "joins"}),
    "Table": frozenset({"this", "alias", "db", "catalog", "joins"}),
    "Join": frozenset({"this", "side", "kind", "method", "on", "using"}),
    "Lateral": frozenset({"this", "alias"}),
    "With": frozenset({"expressions", "recursive"}),
    "CTE": frozenset({"this", "alias"}),
    "Group": frozenset({"expressions", "rollup", "all"}),
    "Distinct": frozenset({"expressions"}),
    "Limit": frozenset({"expression"}),
    "Offset": frozenset({"expression"}),
    "Star": frozenset(),
    **dict.fromkeys(
        ("Union", "Intersect", "Except"),
        frozenset({"this", "expression", "distinct", "order", "limit", "offset", "with_"}),
    ),
}
JOIN_KINDS = frozenset({"", "INNER", "OUTER", "CROSS"})
JOIN_SIDES = frozenset({"", "LEFT", "RIGHT", "FULL"})

# How to call a construct that is refused; the class name otherwise.
NAMES = {
    "Alias": "plain words",
    "Column": "plain words",
    "Insert": "INSERT",
    "Command": "a command",
    "Describe": "EXPLAIN or DESCRIBE",
    "Show": "SHOW",
    "JSONTable": "JSON_TABLE",
    "Into": "INTO",
    "MatchAgainst": "MATCH ... AGAINST",
    "PropertyEQ": ":=",
    "Dot": "a qualified function or field",
    "IndexTableHint": "an index hint",
    "TableSample": "a table sample",
    "Bracket": "[...]",
    "National": "N'...'",
    "Values": "VALUES",
    "CTE": "WITH",
    "Subquery": "a subquery",
}


def is_bracket(node: exp.Expr) -> bool:
    """Whether these are brackets around a join, and not around a query."""
    inner = node.args.get("this")
    if not isinstance(node, exp.Subquery) or node.args.get("alias"):
        return False
    joined = isinstance(inner, exp.Subquery) and bool(inner.args.get("joins") or inner.args.get("alias"))
    return joined or isinstance(inner, exp.Table)


def called(node: exp.Expr) -> str:
    """What people call this construct."""
    name = type(node).__name__
    return NAMES.get(name, name.upper())
