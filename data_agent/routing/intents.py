"""The intents, one entry each: what it means, which node answers it, the wording that gives it away, examples.

A new intent is one more entry here (and a node, when none of the present ones fits).
"""

import re
from dataclasses import dataclass

from data_agent.domain.answer import Intent


@dataclass(frozen=True)
class Entry:
    """One intent. `signs` are patterns sure enough to decide without a model (`confidence` says how sure)."""

    intent: Intent
    way: str
    meaning: str
    signs: tuple[re.Pattern[str], ...] = ()
    confidence: float = 0.9
    needs_catalog_word: bool = False
    examples: tuple[str, ...] = ()


def _signs(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


INTENTS: tuple[Entry, ...] = (
    Entry(
        "chitchat",
        "small_talk",
        "greetings, thanks, questions about the assistant itself",
        _signs(
            r"^\W*(你好|您好|嗨|哈喽|早上好|上午好|中午好|下午好|晚上好|早安|晚安|在吗|谢谢|多谢|感谢|辛苦了|再见|拜拜)"
            r"[呀啊哦吗你您了!！。.~～\s]*$",
            r"^\W*(hi|hello|hey|good (morning|afternoon|evening|night)|thanks?( you)?|thx|bye|goodbye)( there)?\W*$",
            r"(你|您)(是谁|叫什么|会什么|能做什么|能干什么|是机器人|多大|几岁)|讲个?笑话|介绍一下(你|您)自己",
            r"\b(who|what) are you\b|\bwhat can you do\b|\bhow are you\b|\btell me a joke\b"
            r"|\bare you (a )?(robot|human|bot)",
        ),
        examples=("你好", "谢谢", "你能做什么", "hello", "who are you?"),
    ),
    Entry(
        "action",
        "decline",
        "a request to change, send or create something",
        _signs(
            r"^(?!.*(多少|几|数量|占比|率|金额|总额|统计|哪|吗|各|平均|排名|列出|查|看|已取消|被取消|取消的|订单数))"
            r"\W*(请|帮我|麻烦|把)?.{0,12}?(删除|删掉|清空|修改|更新|改成|改为|新增一|插入|创建|取消|下架|作废)"
            r".{0,12}(订单|数据|表|记录|库存|价格|客户|用户|商品|账号|字段)(?!数|量|率|金额|占比)",
            r"^\W*(请|帮我|麻烦)?把.{1,20}(删|清空|取消|作废|下架|改成|改为|退掉|更新|更正)",
            r"发(送|个)?.{0,8}(邮件|短信|通知|消息)|发给.{1,12}$|(帮我|请).{0,6}(下单|退款给|打款|转账|审批)",
            r"^\W*(please |can you |could you )?"
            r"(delete|drop|truncate|remove|update|modify|insert|create|cancel|refund)"
            r" (the |all |an? |every |this |that |my )?(\w+ ){0,3}(orders?|tables?|records?|rows?|data|customers?"
            r"|users?|products?|prices?|accounts?|columns?)\b",
            r"^\W*(please |can you |could you )?(send|email|notify|text|transfer|book|schedule)\b",
        ),
        examples=("把订单 N1 取消掉", "删除测试数据", "email this report to the sales team"),
    ),
    Entry(
        "knowledge",
        "answer_knowledge",
        "what a metric, column, table or policy means, or how it is computed",
        _signs(
            r"(是什么意思|什么含义|的?含义(是|$)|是指什么|指的是什么|的?定义|的?口径|怎么算|如何计算|怎么计算|计算(公式|方法|方式|逻辑)"
            r"|^\W*(什么是|什么叫|解释(一下)?))",
            r"\b(definition of|define|meaning of|what does .{1,40} mean|how (is|are|do you|do we) .{1,40}"
            r"(calculated?|computed?|defined?|measured?)|explain (what|the (metric|term|column))|what is meant by)\b",
        ),
        needs_catalog_word=True,
        examples=("客单价是怎么算的", "什么是 GMV", "退款率的口径", "how is gross margin calculated?"),
    ),
    Entry(
        "realtime",
        "decline",
        "the current state of one record, looked up by its key",
        _signs(
            r"(订单|运单|快递|单号|工单)\s*[#＃]?[A-Za-z]*\d{2,}\w*.{0,8}(到哪|物流|进度|现在(是)?什么状态|发货了(吗|没)|送到)",
            r"\b(where is|track|current status of|live status of) .{0,20}(order|parcel|shipment|ticket)\b.{0,6}\d+",
        ),
        examples=("订单 20260601001 到哪了", "where is order 12345"),
    ),
    Entry(
        "mixed",
        "decline",
        "several steps, of which at least one is more than a single query",
        _signs(
            r"(然后|接着|并且?|再|同时|顺便).{0,10}(写(一份|个)?(报告|总结|邮件)|发(送|给)|生成(一份|个)?(报告|ppt)|给出(建议|原因)|分析原因)",
            r"\b(and then|then|and also|and)\b.{0,20}\b(write (a|the) (report|summary|email)|send|email|draft|"
            r"recommend|suggest (actions|improvements)|explain why)\b",
        ),
        examples=("查上月销售额并写一份报告", "get last month's sales and then email it to Ann"),
    ),
    Entry(
        "clarify",
        "ask_back",
        "too vague to be looked up",
        _signs(
            r"^\W*(数据|看看|看一下|查一下|查询|帮我查(一下)?|分析(一下)?|怎么样|情况|报表|统计|然后呢|这个|那个|多少)[呢吗啊吧\W]*$",
            r"^\W*(data|show me|analy[sz]e( it)?|report|what about it|that one|this one|how many|how much"
            r"|numbers?)\W*$",
        ),
        examples=("看看", "数据", "show me"),
    ),
    Entry(
        "data_query",
        "extract_keywords",
        "a number, list or comparison that one query on the warehouse can answer",
        examples=("上个月各大区的销售额", "top 5 brands by sales", "有多少客户"),
    ),
)

WAYS: dict[str, str] = {entry.intent: entry.way for entry in INTENTS}
