"""Say honestly what this service does not do, and what it does instead."""

from data_agent.context import Run
from data_agent.domain.language import Language, language_of
from data_agent.errors import Refused
from data_agent.routing.rules import SQL_AS_QUESTION
from data_agent.state import DataAgentState
from data_agent.step import step

_WHY: dict[str, dict[Language, str]] = {
    "sql": {
        "zh": "这里只接受用自然语言提问，不直接执行输入的 SQL。请用一句话说出想查什么。",
        "en": "Questions are asked in words here; a SQL statement is not run as it is. Say what you want to know.",
    },
    "action": {
        "zh": "我只读数据，不会修改、删除或发送任何东西。可以改问想查的数字。",
        "en": "I only read data: nothing is changed, deleted or sent. Ask for the number you need instead.",
    },
    "realtime": {
        "zh": "按单号实时查询还没有开通。可以改问统计类的问题，例如某天的订单数。",
        "en": "Looking up one live record is not enabled yet. Ask for a figure instead, such as orders of a day.",
    },
    "mixed": {
        "zh": "一次多步的任务还没有开通。请先只问其中要查的数据。",
        "en": "Tasks of several steps are not enabled yet. Please ask for the data part first.",
    },
}


@step("说明边界")
async def decline(state: DataAgentState, runtime: Run) -> DataAgentState:
    """Refuse with the reason; nothing is half done."""
    decision, language = state["decision"], language_of(state["query"])
    kind = "sql" if decision.reasoning == SQL_AS_QUESTION else decision.intent
    raise Refused(_WHY[kind][language])
