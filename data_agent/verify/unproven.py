"""The one way the verifier says no: which rule, and no name, for a name may be what the policy hides."""

from data_agent.errors import UnsafeSql

RULES: dict[str, tuple[str, str]] = {
    "role": ("the caller's role is not in the policy", "策略中没有调用者的角色"),
    "dialect": ("the dialect is not one that can be proven", "无法验证该方言"),
    "text": ("the text holds more than one plain statement", "文本不是一条单纯的语句"),
    "depth": ("it is nested too deeply", "嵌套过深"),
    "query": ("it is not a read-only query", "不是只读查询"),
    "construct": ("it holds a construct that is not understood", "含有无法理解的结构"),
    "table": ("it reads a table outside the catalog or the role", "读取了目录或角色之外的表"),
    "name": ("a name in it has no single certain meaning", "其中有名称的含义不唯一或不确定"),
    "star": ("a * in it could stand for columns that are not known", "其中的 * 可能代表未知的字段"),
    "row_filter": ("a table is not read under its row filter", "有表未受行过滤条件约束"),
    "hidden_column": ("it reads a column that is hidden from the role", "读取了对该角色隐藏的字段"),
    "mask": ("it reads a masked column without its mask", "未经脱敏读取了需脱敏的字段"),
    "policy": ("a rule of the policy itself could not be read for this caller", "策略中的规则无法用于该调用者"),
    "failed": ("the verifier failed on it", "验证器无法处理"),
}


class Unproven(Exception):
    """Why a proof ended; `rule` is a key of `RULES`."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule

    def refusal(self) -> UnsafeSql:
        """The error for the outside."""
        english, chinese = RULES[self.rule]
        return UnsafeSql(
            f"The statement could not be proven to keep to the policy: {english}.",
            reason_code="policy_not_proven",
            zh=f"无法证明该语句符合访问策略：{chinese}。",
        )
