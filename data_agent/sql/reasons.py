"""Why the guard refuses, in words: one line per rule in English and Chinese."""

from typing import Any

from data_agent.errors import UnsafeSql

REASONS: dict[str, tuple[str, str]] = {
    "too_long": (
        "The statement is too long ({size}; at most {most}).",
        "语句过长（{size}，最多 {most}）。",
    ),
    "too_deep": (
        "The statement is nested too deeply (at most {most} levels).",
        "语句嵌套过深（最多 {most} 层）。",
    ),
    "open_joins": (
        "Too many joins without ON or USING (at most {most}); say what each table is joined on, or write CROSS JOIN.",
        "没有 ON 或 USING 的 JOIN 过多（最多 {most} 个）；请写明连接条件，或写 CROSS JOIN。",
    ),
    "too_expensive": (
        "The statement would read about {rows} rows, over the budget of {budget}. Narrow it: a shorter time "
        "range, fewer groups, or a filter on an indexed column.",
        "该语句预计读取约 {rows} 行，超过预算 {budget}。请缩小范围：更短的时间段、更少的分组，或加上筛选条件。",
    ),
    "crossed": (
        "Nothing joins {names} to the rest, so every row meets every row (about {rows} rows, budget {budget}). "
        "Add the join condition on their keys.",
        "{names} 与其余表之间没有连接条件，会产生笛卡尔积（预计约 {rows} 行，预算 {budget}）。请按关联键补上连接条件。",
    ),
    "bad_character": (
        "The statement contains a character that has no place in SQL ({what}).",
        "语句中含有不允许的字符（{what}）。",
    ),
    "unparsable": (
        "This is not a {dialect} statement: {what}",
        "这不是一条 {dialect} 语句：{what}",
    ),
    "empty": ("There is no statement to run.", "没有可执行的语句。"),
    "many_statements": (
        "Exactly one statement is allowed; this text holds more than one statement.",
        "只允许一条语句，而这里不止一条。",
    ),
    "not_a_query": (
        "Only a SELECT query is allowed, not {what}.",
        "只允许 SELECT 查询，不允许 {what}。",
    ),
    "executable_comment": (
        "Executable comments (/*! ... */) are not allowed: the server would run what they hide.",
        "不允许可执行注释（/*! ... */）：服务器会执行其中隐藏的内容。",
    ),
    "hint": ("Optimizer hints are not allowed ({what}).", "不允许优化器提示（{what}）。"),
    "introducer": (
        "A character set before a string ({what}'...') is not allowed; write the plain string.",
        "不允许在字符串前写字符集（{what}'...'），请直接写字符串。",
    ),
    "variable": (
        "User and system variables are not allowed ({what}); number rows with ROW_NUMBER() OVER (ORDER BY ...).",
        "不允许使用用户变量或系统变量（{what}）；编号请用 ROW_NUMBER() OVER (ORDER BY ...)。",
    ),
    "placeholder": (
        "Placeholders are not allowed ({what}); write the value itself.",
        "不允许占位符（{what}），请直接写值。",
    ),
    "locking_read": (
        "Locking reads (FOR UPDATE, FOR SHARE, LOCK IN SHARE MODE) are not allowed.",
        "不允许加锁读（FOR UPDATE、FOR SHARE、LOCK IN SHARE MODE）。",
    ),
    "writes_file": ("SELECT ... INTO is not allowed.", "不允许 SELECT ... INTO。"),
    "function": (
        "The function {what}() is not on the list of allowed functions.",
        "函数 {what}() 不在允许的函数列表中。",
    ),
    "table_function": (
        "Only tables may stand in FROM, not {what}.",
        "FROM 中只能写表，不能写 {what}。",
    ),
    "construct": ("{what} is not allowed here.", "不允许使用 {what}。"),
    "needs_version": (
        "{what} needs {server}; this server is {version}.",
        "{what} 需要 {server}，当前服务器是 {version}。",
    ),
    "system_schema": (
        "System tables are not allowed ({what}).",
        "不允许读取系统表（{what}）。",
    ),
    "other_schema": (
        "{what} is in another database; only the tables of this catalog can be read.",
        "{what} 属于其他数据库；只能读取本目录中的表。",
    ),
    "unknown_table": (
        'Unknown table "{what}". {listed}',
        "未知的表「{what}」。{listed}",
    ),
    "table_not_allowed": (
        'The table "{what}" is not among the allowed tables.',
        "表「{what}」不在允许的表之中。",
    ),
    "unknown_alias": (
        'Unknown table or alias "{what}". {scope} {owner}',
        "未知的表或别名「{what}」。{scope}{owner}",
    ),
    "unknown_column": (
        'Unknown column "{what}". {listed} {owner}',
        "未知的字段「{what}」。{listed}{owner}",
    ),
    "whole_row": (
        '"{what}" alone stands for the whole row of the table here; name its columns, or call the alias otherwise.',
        "此处单独的「{what}」表示该表的整行；请写出字段，或换一个别名。",
    ),
    "write_out": (
        'The database could take "{what}" for a column of a table nearer by; write its table in front, or repeat the '
        "expression it stands for.",
        "数据库可能把「{what}」当作更近的表的字段；请在前面写明表名，或重复它所代表的表达式。",
    ),
    "alias_or_column": (
        '"{what}" is a column and also the alias of something else; give the alias another name.',
        "「{what}」既是字段名又是其他表达式的别名；请换一个别名。",
    ),
    "ambiguous_column": (
        'Column "{what}" is ambiguous: write one of {listed}.',
        "字段「{what}」有歧义，请写成 {listed} 之一。",
    ),
    "duplicate_alias": (
        'The table or alias "{what}" stands twice in one FROM; give each its own alias.',
        "同一个 FROM 中「{what}」出现了两次，请分别取别名。",
    ),
    "alias_in_where": (
        'The alias "{what}" of the select list cannot be used in WHERE; repeat the expression, or filter in HAVING.',
        "WHERE 中不能使用 SELECT 列表的别名「{what}」；请重复表达式，或写在 HAVING 中。",
    ),
    "aggregate_in_where": (
        "An aggregate ({what}) cannot stand in WHERE; put the condition into HAVING after GROUP BY.",
        "聚合函数（{what}）不能写在 WHERE 中；请把条件放到 GROUP BY 之后的 HAVING 中。",
    ),
    "column_count": (
        "The parts of a {what} must have the same number of columns ({left} and {right}).",
        "{what} 各部分的列数必须相同（{left} 与 {right}）。",
    ),
    "using_column": (
        'Column "{what}" of USING must stand on both sides of the join.',
        "USING 的字段「{what}」必须在连接两侧都存在。",
    ),
    "pipes": (
        "|| is OR in MySQL; write CONCAT(a, b) to join text, or OR between conditions.",
        "在 MySQL 中 || 表示 OR；拼接文本请写 CONCAT(a, b)，条件之间请写 OR。",
    ),
    "full_join": (
        "MySQL has no FULL OUTER JOIN; write a LEFT JOIN, UNION ALL, and a RIGHT JOIN of the rows without partner.",
        "MySQL 没有 FULL OUTER JOIN；请写成 LEFT JOIN UNION ALL 反连接。",
    ),
    "endless": (
        'The recursive WITH "{what}" never ends: give its recursive part a WHERE.',
        "递归 WITH「{what}」不会结束：请在递归部分加上 WHERE。",
    ),
    "fraction": (
        "MySQL rounds parts of a unit of time ({what}); write whole units of a smaller one.",
        "MySQL 会对不足一个单位的时间取整（{what}）；请改用更小的单位写成整数。",
    ),
    "limit": (
        "LIMIT and OFFSET must be plain numbers ({what}).",
        "LIMIT 和 OFFSET 必须是数字（{what}）。",
    ),
    "unsupported": (
        "This cannot be said in {dialect}: {what}",
        "{dialect} 无法表达：{what}",
    ),
    "unstable": (
        "The statement does not read the same after rendering, so it is refused.",
        "语句重写后含义不一致，已拒绝。",
    ),
    "dialect": ('Unknown SQL dialect "{what}".', "未知的 SQL 方言「{what}」。"),
    "guard_failed": (
        "The guard could not examine this statement and refuses it ({what}).",
        "安全检查无法分析该语句，已拒绝（{what}）。",
    ),
}


def refuse(
    code: str, *, unknown: str = "", nearest: tuple[str, ...] = (), zh: dict[str, str] | None = None, **words: Any
) -> UnsafeSql:
    """The error for one rule; `words` fill its text, `zh` replaces some of them in the Chinese one."""
    english, chinese = REASONS[code]
    return UnsafeSql(
        " ".join(english.format(**words).split()),
        reason_code=code,
        zh=chinese.format(**{**words, **(zh or {})}).strip(),
        unknown=unknown,
        nearest=nearest,
    )
