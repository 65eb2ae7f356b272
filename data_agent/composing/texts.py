"""What the composer says to people, in both languages; `{…}` is filled in."""

from data_agent.domain.language import Language

_TEXTS: dict[str, tuple[str, str]] = {
    "filters": ("{metric} 的口径：{filters}", "{metric} always counts only rows where {filters}"),
    "finer": (
        "{metric} 不能按该维度拆分（会重复计算），改用更细粒度的 {finer}",
        "{metric} cannot be cut that finely without counting rows twice, so {finer} stands in for it",
    ),
    "overlap": (
        "一条{table}记录可能属于多个分组，每组各计一次，各组之和可能大于总数",
        "a row of {table} can belong to several groups and counts once in each, so the groups may add up to more",
    ),
    "ties": ("前 {n} 名，并列的都保留", "first {n}; ties at the edge are kept"),
    "together": ("多个时间范围合并计算：{ranges}", "the time ranges are taken together: {ranges}"),
    "base": ("对比基期：{range}", "compared with {range}"),
    "to_date": (
        "截至 {day}，未结束的时间段只与基期的相同天数比较",
        "up to {day}; a period that is not over is compared with as many days of its base",
    ),
    "last": ("{metric} 取时间范围内最后一次快照", "{metric} is the last snapshot in the time range"),
    "share_all": ("占比的分母为不加筛选条件的总体", "the share is of the whole without the filters"),
    "share_period": ("占比在每个时间段内计算", "shares are within each period"),
    "not_filled": ("时间段太多，未补齐没有数据的时间段", "too many periods to show those without data"),
    "except": ("排除条件保留空值", "rows without a value are kept by “not”"),
    "per": ("按{per}取平均，只计有数据的{per}", "the average is over each {per} that has data"),
    "weeks": ("按周同比为 52 周前的同一周", "a week is compared with the week 52 weeks before"),
    "no_path": (
        "{a} 与 {b} 之间没有关联，无法一起查询",
        "{a} and {b} are not related, so they cannot be asked together",
    ),
    "no_path_hint": (
        "在目录的 relationships 中补充它们的关联",
        "add how they join under relationships in the catalog",
    ),
    "which_path": ("{a} 到 {b} 有多种关联方式，请选择", "{a} and {b} are joined in several ways, please choose one"),
    "as_chosen": ("按您的选择关联：{way}", "joined as you chose: {way}"),
    "too_fine": (
        "{metric} 不能按 {table} 拆分或筛选：一条{home}记录对应多条明细，会重复计算",
        "{metric} cannot be cut or filtered by {table}: one row of {home} has many there and would be counted again",
    ),
    "too_fine_hint": (
        "在目录中用 finer 指明更细粒度的指标",
        "name the metric that measures this more finely as `finer` in the catalog",
    ),
    "no_time": ("{metric} 没有时间字段，无法按时间查询", "{metric} has no time column to ask by"),
    "no_key": ("{table} 没有主键，无法去重", "{table} has no primary key, so its rows cannot be told apart"),
    "no_column": ("目录中没有字段 {name}", "the catalog has no column {name}"),
    "no_metric": ("目录中没有指标 {name}", "the catalog has no metric {name}"),
    "circular": ("指标 {name} 引用了自己", "the metric {name} refers to itself"),
    "bad_metric": ("指标 {name} 的表达式无法组合", "the expression of metric {name} cannot be composed"),
    "no_base": ("同比/环比需要时间范围或按时间分组", "a comparison needs a time range or a time dimension"),
    "no_running": (
        "累计需要按时间分组，且指标可以相加",
        "a running total needs a time dimension and an additive metric",
    ),
    "no_share": ("{metric} 是比率，没有占比", "{metric} is a ratio and has no share of a total"),
    "too_many_periods": ("时间段太多，请用更粗的粒度", "too many periods; ask for a coarser one"),
    "nothing": ("没有可查询的指标或字段", "there is nothing to query"),
    "bad_filter": ("条件不完整：{words}", "an incomplete condition: {words}"),
    "row_count": ("{table}数", "number of {table}"),
    "sum": ("{column}总和", "total {column}"),
    "avg": ("平均{column}", "average {column}"),
    "count": ("{column}数量", "number of {column}"),
    "count_distinct": ("不同{column}数", "distinct {column}"),
    "min": ("最小{column}", "lowest {column}"),
    "max": ("最大{column}", "highest {column}"),
    "per_label": ("{metric}（按{per}平均）", "{metric}, average per {per}"),
    "label_yoy_base": ("{metric}(去年同期)", "{metric} (year before)"),
    "label_mom_base": ("{metric}(上期)", "{metric} (period before)"),
    "label_yoy_rise": ("{metric}比去年同期增减", "{metric}, change on year before"),
    "label_mom_rise": ("{metric}比上期增减", "{metric}, change on period before"),
    "share_of": ("占比 = {part} ÷ 不限 {part} 的全部", "share = {part} ÷ everything, {part} or not"),
    "label_yoy": ("{metric}同比增长率", "{metric} YoY growth"),
    "label_mom": ("{metric}环比增长率", "{metric} growth on period before"),
    "label_share": ("{metric}占比", "share of {metric}"),
    "label_running": ("累计{metric}", "running {metric}"),
    "day": ("日期", "day"),
    "week": ("周", "week"),
    "month": ("月份", "month"),
    "quarter": ("季度", "quarter"),
    "year": ("年份", "year"),
    "range": ("时间范围", "period"),
}


def text(key: str, language: Language, **values: object) -> str:
    """The text called `key`, filled in."""
    zh, en = _TEXTS[key]
    return (zh if language == "zh" else en).format(**values)
