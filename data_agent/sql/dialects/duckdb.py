"""DuckDB, the warehouse that needs no server."""

from data_agent.sql.dialects.facts import Facts

_FUNCTIONS = """
    AGE BAR BIT_COUNT CHAR_LENGTH CHARACTER_LENGTH CONCAT_WS DATE_PART DATEPART DATESUB DATE_SUB DAYNAME DAYOFYEAR
    ENDS_WITH EPOCH EPOCH_MS ERA EVEN FAVG FORMAT FSUM GCD GEOMEAN GREATEST IFNULL INSTR ISFINITE ISINF ISNAN
    ISODOW ISOYEAR JACCARD LAST_DAY LCM LCASE LEN LIST_CONTAINS LOG10 LOG2 LPAD MAD MAKE_DATE MAKE_TIME
    MAKE_TIMESTAMP MICROSECOND MILLISECOND MONTHNAME NOW ORD PRINTF PRODUCT RPAD STRIP_ACCENTS STRLEN TIME_BUCKET
    TO_DAYS TO_HOURS TO_MINUTES TO_MONTHS TO_SECONDS TO_WEEKS TO_YEARS TRANSACTION_TIMESTAMP GET_CURRENT_TIMESTAMP
    UCASE WEEKDAY YEARWEEK FIRST LAST
    BASE64 BIN CENTURY DAMERAU_LEVENSHTEIN DECADE ENTROPY EPOCH_NS EPOCH_US FMOD FORMAT_BYTES GAMMA HAMMING HASH
    JARO_SIMILARITY JSON_ARRAY_LENGTH JSON_VALID LGAMMA LIST_SUM PREFIX SEM SUFFIX TO_BASE TRY_STRPTIME URL_DECODE
    URL_ENCODE
    """
FUNCTIONS = frozenset(_FUNCTIONS.split())

_CLASSES = """
        DPipe Qualify Filter TryCast ApproxDistinct ArgMax ArgMin ArrayAgg ArrayToString Median Mode PercentileCont
        PercentileDisc WithinGroup LogicalAnd LogicalOr CountIf SimilarTo GenerateSeries First Last
        SplitPart StartsWith EndsWith Contains Levenshtein Corr CovarPop CovarSamp Skewness Kurtosis RegexpFullMatch
        ArrayContains BitLength Cbrt Factorial Format JarowinklerSimilarity Overlay RegexpExtractAll RegrIntercept
        RegrR2 RegrSlope Split ToBase64
        TimestampTrunc DateTrunc DateBin DateFromParts TimeToUnix StrToTime UnixToTime Quantile ApproxQuantile
        """

FACTS = Facts(
    name="duckdb",
    grammar="duckdb",
    functions=FUNCTIONS,
    system_schemas=frozenset({"information_schema", "pg_catalog", "system", "temp"}),
    classes=frozenset(_CLASSES.split()),
    table_functions=frozenset({"GenerateSeries"}),
    default_schema="main",
    alias_anywhere=True,
    unlisted=frozenset({"rowid"}),
    rows_by_name=True,
    merged_in_place=True,
    quote='"',
)
