"""What the verifier knows to read nothing but its own arguments. Whatever is not here ends a proof."""

# Parts of a query, and what holds or combines values.
_PARTS = """
    Alias All And Any Between BitString BitwiseAnd BitwiseLeftShift BitwiseNot BitwiseOr BitwiseRightShift BitwiseXor
    Boolean CTE Case Cast Collate Column DataType DataTypeParam Distinct Div Add EQ Escape Except Exists From GT GTE
    Group Having HexString ILike Identifier If IgnoreNulls In IntDiv Intersect Interval Is JSONPath JSONPathKey
    JSONPathRoot JSONPathSelector JSONPathSubscript JSONPathWildcard Join LT LTE Lateral Like Limit Literal Mod Mul NEQ
    Neg Not Null NullSafeEQ NullSafeNEQ Offset Or Order Ordered Paren RegexpLike RespectNulls Rollup Select Star Sub
    Subquery Table TableAlias Tuple Union Var Where Window WindowSpec With Xor
    """
_AGGREGATES = """
    AnyValue Avg BitwiseAndAgg BitwiseOrAgg BitwiseXorAgg Count CumeDist DenseRank FirstValue GroupConcat Grouping
    JSONArrayAgg JSONObjectAgg Lag LastValue Lead Max Min NthValue Ntile PercentRank Rank RowNumber Stddev StddevPop
    StddevSamp Sum Variance VariancePop
    """
_NUMBERS = """
    Abs Acos Asin Atan Atan2 BitwiseCount Ceil Coalesce Cos Cot Degrees Exp Floor Greatest Least Ln Log Nullif Nvl2 Pi
    Pow Radians Rand Round SafeDivide Sign Sin Sqrt Tan Trunc
    """
_TEXTS = """
    Ascii Chr Concat ConcatWs Elt Hex Initcap Left Length Lower MD5 NumberToStr Pad RegexpCount RegexpExtract
    RegexpInstr RegexpReplace RegexpSubstr Repeat Replace Reverse Right SHA SHA2 Soundex Space StrPosition Stuff
    Substring SubstringIndex ToChar Translate Trim Unicode Upper
    """
_TIMES = """
    CurrentDate CurrentDatetime CurrentTime CurrentTimestamp Date DateAdd DateDiff DateStrToDate DateSub DateTrunc
    Datetime DatetimeAdd DatetimeDiff DatetimeSub Day DayOfMonth DayOfWeek DayOfWeekIso DayOfYear Dayname Extract Hour
    LastDay Localtime Localtimestamp Minute Month Monthname Quarter Second StrToDate StrToTime StrToUnix Time TimeAdd
    TimeDiff TimeStrToTime TimeSub TimeToStr TimeToUnix Timestamp TimestampAdd TimestampDiff TimestampSub
    TimestampTrunc ToDays TsOrDsAdd TsOrDsDiff TsOrDsToDate TsOrDsToDatetime TsOrDsToTime TsOrDsToTimestamp
    UnixSeconds UnixToStr UnixToTime UtcDate UtcTime UtcTimestamp Week WeekOfYear Year YearOfWeek YearOfWeekIso
    """
_DOCUMENTS = """
    JSONArray JSONArrayContains JSONExtract JSONExtractScalar JSONKeyValue JSONKeys JSONObject JSONType
    """
_DUCKDB = """
    ApproxDistinct ApproxQuantile ArgMax ArgMin ArrayAgg ArrayToString Contains Corr CountIf CovarPop CovarSamp DPipe
    DateBin DateFromParts EndsWith Filter First GenerateSeries Kurtosis Last Levenshtein LogicalAnd LogicalOr Median
    ArrayContains BitLength Cbrt Factorial Format JarowinklerSimilarity Overlay RegexpExtractAll RegrIntercept RegrR2
    RegrSlope Split ToBase64
    Mode PercentileCont PercentileDisc Qualify Quantile RegexpFullMatch SimilarTo Skewness SplitPart StartsWith
    TryCast WithinGroup
    """
_MYSQL = """
    Collation ToBase64 FromBase64 Unhex BitLength TimeFromParts ConvertTimezone
    JSONSet JSONRemove JSONArrayInsert JSONArrayAppend JSONValue
    """
_EVERYWHERE = frozenset(" ".join((_PARTS, _AGGREGATES, _NUMBERS, _TEXTS, _TIMES, _DOCUMENTS, "Anonymous")).split())
_MYSQL_CLASSES = _EVERYWHERE | frozenset(_MYSQL.split())
CLASSES: dict[str, frozenset[str]] = {
    "mysql": _MYSQL_CLASSES,
    "mariadb": _MYSQL_CLASSES,
    "duckdb": _EVERYWHERE | frozenset(_DUCKDB.split()),
}

# Functions the parser has no class for.
_MYSQL_FUNCTIONS = """
    BIN BIT_COUNT BIT_LENGTH CONV CRC32 EXPORT_SET FORMAT OCT LOG10 LOG2 ABS GREATEST INTERVAL ISNULL IFNULL GROUPING
    CHAR_LENGTH CHARACTER_LENGTH COERCIBILITY FIELD FIND_IN_SET INSTR LCASE LOCATE LPAD MAKE_SET MID OCTET_LENGTH ORD
    POSITION QUOTE REGEXP_INSTR REGEXP_SUBSTR ROW RPAD STRCMP UCASE ANY_VALUE CUME_DIST
    ADDDATE ADDTIME CONVERT_TZ CURDATE CURTIME DATE_ADD DATE_FORMAT DATE_SUB DAYNAME DAYOFYEAR FROM_DAYS GET_FORMAT
    LAST_DAY MAKEDATE MAKETIME MICROSECOND NOW PERIOD_ADD PERIOD_DIFF SEC_TO_TIME SUBDATE SUBTIME SYSDATE TIME TIMEDIFF
    TIME_FORMAT TIME_TO_SEC TO_DAYS TO_SECONDS UNIX_TIMESTAMP UTC_DATE UTC_TIME UTC_TIMESTAMP WEEKDAY WEEKOFYEAR
    YEARWEEK JSON_ARRAY JSON_ARRAYAGG JSON_CONTAINS JSON_CONTAINS_PATH JSON_DEPTH JSON_KEYS JSON_LENGTH JSON_OVERLAPS
    JSON_QUOTE
    JSON_SEARCH JSON_TYPE JSON_UNQUOTE JSON_VALID JSON_VALUE
    JSON_REPLACE JSON_PRETTY JSON_MERGE_PRESERVE
    JSON_MERGE_PATCH
    JSON_INSERT INET_NTOA INET_ATON INET6_NTOA INET6_ATON IS_IPV4 IS_IPV6 IS_UUID UUID_TO_BIN BIN_TO_UUID CHARSET
    JSON_STORAGE_SIZE JSON_SCHEMA_VALID
    """
_DUCKDB_FUNCTIONS = """
    BIT_COUNT EVEN FAVG FSUM GCD GEOMEAN GREATEST ISFINITE ISINF ISNAN LCM LOG10 LOG2 MAD PRODUCT IFNULL FIRST LAST
    BAR CHAR_LENGTH CHARACTER_LENGTH CONCAT_WS ENDS_WITH FORMAT INSTR JACCARD LCASE LEN LIST_CONTAINS LPAD ORD PRINTF
    RPAD STRIP_ACCENTS STRLEN UCASE
    AGE DATE_PART DATEPART DATESUB DATE_SUB DAYNAME DAYOFYEAR EPOCH EPOCH_MS ERA GET_CURRENT_TIMESTAMP ISODOW ISOYEAR
    LAST_DAY MAKE_DATE MAKE_TIME MAKE_TIMESTAMP MICROSECOND MILLISECOND MONTHNAME NOW TIME_BUCKET TO_DAYS TO_HOURS
    TO_MINUTES TO_MONTHS TO_SECONDS TO_WEEKS TO_YEARS TRANSACTION_TIMESTAMP WEEKDAY YEARWEEK
    BASE64 BIN CENTURY DAMERAU_LEVENSHTEIN DECADE ENTROPY EPOCH_NS EPOCH_US FMOD FORMAT_BYTES GAMMA HAMMING HASH
    JARO_SIMILARITY JSON_ARRAY_LENGTH JSON_VALID LGAMMA LIST_SUM PREFIX SEM SUFFIX TO_BASE TRY_STRPTIME URL_DECODE
    URL_ENCODE
    """
ANONYMOUS: dict[str, frozenset[str]] = {
    "mysql": frozenset(_MYSQL_FUNCTIONS.split()),
    "mariadb": frozenset(_MYSQL_FUNCTIONS.split()),
    "duckdb": frozenset(_DUCKDB_FUNCTIONS.split()),
}

# What each part of a query may carry; a part that carries anything else is not understood.
CARRIES: dict[str, frozenset[str]] = {
    name: frozenset(clauses.split())
    for name, clauses in {
        "Select": "expressions from_ joins where group having order limit offset distinct with_ windows qualify",
        "Union": "this expression distinct order limit offset with_",
        "Intersect": "this expression distinct order limit offset with_",
        "Except": "this expression distinct order limit offset with_",
        "Subquery": "this alias with_ order limit offset joins",
        "Table": "this db alias joins",
        "TableAlias": "this columns",
        "Join": "this side kind method on using",
        "Lateral": "this alias",
        "With": "expressions recursive",
        "CTE": "this alias",
        "Star": "",
        "From": "this",
        "Where": "this",
        "Column": "this table",
        "Limit": "expression",
        "Offset": "expression",
        "Distinct": "expressions",
    }.items()
}
JOIN_WORDS = frozenset({"", "INNER", "OUTER", "CROSS", "LEFT", "RIGHT", "FULL", "NATURAL"})

# Words the parser keeps as such: units of time, and ALL of GROUP BY ALL. A collation or a character set is one too.
_WORDS = """
    MICROSECOND MILLISECOND SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR DECADE CENTURY MILLENNIUM EPOCH DOW DOY
    ISODOW ISOYEAR DAYOFWEEK DAYOFYEAR YEARWEEK WEEKDAY SECOND_MICROSECOND MINUTE_MICROSECOND MINUTE_SECOND
    HOUR_MICROSECOND HOUR_SECOND HOUR_MINUTE DAY_MICROSECOND DAY_SECOND DAY_MINUTE DAY_HOUR YEAR_MONTH ALL
    MICROSECONDS MILLISECONDS SECONDS MINUTES HOURS DAYS WEEKS MONTHS QUARTERS YEARS
    """
WORDS = frozenset(_WORDS.split())
