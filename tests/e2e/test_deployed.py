"""The parts of the Compose file in their native form: MySQL, Elasticsearch, Redis and an embeddings endpoint."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from elasticsearch import Elasticsearch
from redis import Redis

from api.bootstrap import bootstrap, index_stores
from api.health import readiness
from api.settings import load_settings
from data_agent.events import Result
from demo.layout import CATALOG, demo_catalog
from demo.warehouse import build
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.http import Reply, http_server
from tests.servers import OwnRedis, own_database

pytestmark = [pytest.mark.mysql, pytest.mark.elasticsearch, pytest.mark.redis, pytest.mark.slow]
DIMENSION = 384


def embedded(request: dict[str, Any]) -> Reply:
    """What text-embeddings-inference answers at /v1/embeddings."""
    made = FakeEmbedder(DIMENSION)
    rows = np.array([made._vector(text) for text in request["input"]]).tolist()
    data = [{"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(rows)]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return Reply(body={"object": "list", "data": data, "model": request["model"], "usage": usage})


async def test_all_servers_together_index_the_demo_answer_it_and_go_on_without_redis(
    tmp_path: Path, mysql_url: str, elasticsearch_url: str, own_redis: OwnRedis
) -> None:
    name, file = f"d{uuid4().hex[:8]}", tmp_path / "settings.yaml"
    with own_database(mysql_url) as shop, own_database(mysql_url) as metadata:
        build(shop)
        async with http_server(embedded) as endpoint:
            file.write_text(
                f"warehouse: {{url: '{shop}'}}\ncatalog: {CATALOG}\ncalendar: {{now: '2026-07-01T09:00:00+08:00'}}\n"
                f"stores: {{path: stores, name: {name}, metadata_url: '{metadata}', "
                f"elasticsearch_url: '{elasticsearch_url}', redis_url: '{own_redis.url}'}}\n"
                f"embedder: {{base_url: '{endpoint.url}/v1', model: small, dimension: {DIMENSION}}}\n",
                encoding="utf-8",
            )
            settings = load_settings(file)
            try:
                async with bootstrap(settings) as service:
                    report = await index_stores(settings, service.outside, demo_catalog())
                    again = await index_stores(settings, service.outside, demo_catalog())
                    found = [await asked(service), await asked(service)]
                    states = {state.name: state for state in (await readiness(service.outside)).components}
                    with Redis.from_url(own_redis.url) as client:
                        assert client.keys(f"{name}:embed:*")
                    own_redis.remove()
                    found.append(await asked(service))
                    after = {state.name: state for state in (await readiness(service.outside)).components}
            finally:
                with Elasticsearch(elasticsearch_url) as search:
                    for made in search.indices.get(index=f"{name}-*"):
                        search.indices.delete(index=made)
    assert report.values > 4000 and {"metadata", "columns", "metrics"} <= set(again.skipped)
    assert found[0] and found[0] == found[1] == found[2]
    assert {state.state for state in states.values()} <= {"ok", "off", "warn"} and states["cache"].state == "ok"
    assert all("server " in states[part].detail for part in ("metadata", "value_index", "cache"))
    assert after["cache"].state == "warn" and "stores.redis_url" in after["cache"].mend


async def asked(service: Any) -> Any:
    events = [event async for event in service.ask("2025年第一季度各大区的销售额")]
    return next(event.answer.rows for event in events if isinstance(event, Result))
