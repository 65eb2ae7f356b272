"""A real small model proposes words for a table: `make test-llm`."""

import pytest

from api.bootstrap import open_llm
from api.settings import LlmSettings, ModelNames
from data_agent.domain.schema import Column, Table
from data_agent.introspection.proposing import proposals
from tests.llm.test_local_model import model_url

__all__ = ["model_url"]
pytestmark = pytest.mark.llm
COLUMNS = (
    Column(table="orders", name="cust_nm", examples=("张三", "李四")),
    Column(table="orders", name="pay_amt", type="decimal", examples=("12.50", "8.00")),
)


async def test_a_small_model_proposes_words_in_both_languages(model_url: str) -> None:
    llm = open_llm(LlmSettings(base_url=model_url, models=ModelNames(smart="local"), timeout_seconds=300))
    assert llm is not None
    found = [made async for made in proposals([Table(name="orders", columns=COLUMNS)], llm)]
    await llm.close()
    (table,) = found
    assert isinstance(table, Table)
    proposed = [column.proposed for column in table.columns]
    assert all(each is not None and each.description for each in proposed)
    assert any("额" in alias for each in proposed if each for alias in each.aliases)
