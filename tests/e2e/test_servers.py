"""The demo on real servers by settings alone: warehouse and metadata on MySQL, values on Elasticsearch."""

from pathlib import Path
from uuid import uuid4

import pytest
from elasticsearch import Elasticsearch

from api.bootstrap import bootstrap, index_stores
from api.settings import load_settings
from data_agent.domain.answer import Answer
from data_agent.events import Result
from demo.layout import CATALOG, demo_catalog
from demo.warehouse import build
from tests.servers import own_database

pytestmark = [pytest.mark.mysql, pytest.mark.elasticsearch, pytest.mark.slow]
QUESTIONS = (
    "2025年第一季度各大区的销售额",
    "淘宝6月的成交额",
    "monthly revenue in 2025",
    "revenue in Guangdong in 2025",
)


async def answers(settings_file: Path, *, index: bool = True) -> list[Answer]:
    settings = load_settings(settings_file)
    found = []
    async with bootstrap(settings) as service:
        if index:
            await index_stores(settings, service.outside, demo_catalog())
        for question in QUESTIONS:
            found += [event.answer async for event in service.ask(question) if isinstance(event, Result)]
    return found


async def test_servers_and_embedded_stores_give_the_same_answers(
    tmp_path: Path, mysql_url: str, elasticsearch_url: str
) -> None:
    name = f"t{uuid4().hex[:8]}"
    with own_database(mysql_url) as shop, own_database(mysql_url) as metadata:
        build(shop)
        head = f'warehouse: {{url: "{shop}"}}\ncatalog: {CATALOG}\ncalendar: {{now: "2026-07-01T09:00:00+08:00"}}\n'
        on_servers, embedded = tmp_path / "servers.yaml", tmp_path / "embedded.yaml"
        on_servers.write_text(
            f'{head}stores: {{path: {tmp_path / "a"}, name: {name}, metadata_url: "{metadata}", '
            f'elasticsearch_url: "{elasticsearch_url}"}}\n',
            encoding="utf-8",
        )
        embedded.write_text(f"{head}stores: {{path: {tmp_path / 'b'}}}\n", encoding="utf-8")
        try:
            there, here = await answers(on_servers), await answers(embedded)
            again = await answers(on_servers, index=False)
        finally:
            with Elasticsearch(elasticsearch_url) as client:
                for made in client.indices.get(index=f"{name}-*"):
                    client.indices.delete(index=made)
    assert [answer.path for answer in there] == ["reading"] * len(QUESTIONS)
    assert [answer.rows for answer in there] == [answer.rows for answer in here] == [answer.rows for answer in again]
    assert all(answer.dialect == "mysql" and answer.rows for answer in there)
