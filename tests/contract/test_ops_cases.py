"""Failures of operation that people have met, each by the id of its case."""

from pathlib import Path

import pymysql
import pytest
from httpx import AsyncClient
from pydantic import SecretStr
from qdrant_client import AsyncQdrantClient

from api.direct import LOCAL, go_direct_to_this_machine
from api.health import readiness
from api.outside import Outside
from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Table
from data_agent.errors import Busy, ModelUnavailable
from repositories.openai.llm import OpenAILlm
from repositories.qdrant.column_index import QdrantColumnIndex
from repositories.sql.metadata import SqlMetadata
from repositories.threads import Lanes
from tests.fakes.http import Reply, http_server
from tests.fakes.model_server import ModelServer, Scripted, model_server

SHOP = Catalog(name="shop", version="v1", tables=(Table(name="orders"),))


def llm_for(server: ModelServer, **more: object) -> OpenAILlm:
    settings = {"first_wait_seconds": 0.01, **more}
    return OpenAILlm(base_url=server.url, api_key=SecretStr("x"), models={"smart": "m", "fast": "m"}, **settings)  # type: ignore[arg-type]


@pytest.mark.mysql
async def test_q029_a_metadata_connection_killed_in_the_night_is_not_noticed(mysql_database: str) -> None:
    metadata = SqlMetadata(mysql_database)
    await metadata.replace(SHOP)
    await metadata.catalog()
    with metadata._engine.connect() as session:
        number = session.exec_driver_sql("SELECT CONNECTION_ID()").scalar()
    url = metadata._engine.url
    with pymysql.connect(host=url.host or "", port=url.port or 3306, user=url.username or "") as other:
        other.cursor().execute(f"KILL {number}")
    assert await metadata.catalog() == SHOP
    await metadata.close()


async def test_q115_the_sixth_user_of_five_connections_is_told_to_come_back() -> None:
    lanes = Lanes("warehouse", 1, wait_seconds=0.05)
    async with lanes.lane():
        with pytest.raises(Busy) as caught:
            async with lanes.lane():
                pass
    assert caught.value.status == 429 and caught.value.retry_after >= 1
    await lanes.close()


async def test_q117_a_model_that_only_says_429_is_given_up_after_bounded_tries() -> None:
    async with model_server(Scripted(status=429, error="slow down")) as server:
        llm = llm_for(server)
        with pytest.raises(ModelUnavailable, match="rate limited"):
            await llm.complete("q")
        await llm.close()
    assert len(server.requests) <= 3


async def test_q130_nested_parameters_of_a_vendor_reach_the_model() -> None:
    nested = {"chat_template_kwargs": {"enable_thinking": False}}
    async with model_server(Scripted(text="ok")) as server:
        llm = llm_for(server, extra_body={"smart": nested})
        await llm.complete("q", role="smart")
        await llm.close()
    assert server.requests[0]["chat_template_kwargs"] == nested["chat_template_kwargs"]


async def test_q239_a_service_whose_qdrant_is_down_is_not_ready(tmp_path: Path) -> None:
    from api.bootstrap import open_outside
    from api.settings import load_settings
    from tests.fakes.embedder import FakeEmbedder

    file = tmp_path / "settings.yaml"
    stores = "{path: stores, qdrant_url: 'http://127.0.0.1:9'}"
    file.write_text(f"warehouse: {{url: 'duckdb:///x.duckdb'}}\ncatalog: c.yaml\nstores: {stores}\n", encoding="utf-8")
    outside: Outside = await open_outside(load_settings(file), embedder=FakeEmbedder())
    found = await readiness(outside)
    await outside.close()
    assert not found.ready
    assert any("Qdrant at http://127.0.0.1:9" in one.detail for one in found.components if one.state == "fail")


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
async def test_q240_a_proxy_in_the_shell_does_not_take_calls_to_this_machine(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(one, raising=False)
    environ = {name: "http://127.0.0.1:9", "NO_PROXY": "intranet"}
    go_direct_to_this_machine(environ)
    assert environ["NO_PROXY"].split(",") == ["intranet", *LOCAL] == environ["no_proxy"].split(",")
    for one, told in environ.items():
        monkeypatch.setenv(one, told)
    async with http_server(Reply(body={"title": "qdrant", "version": "1.16.0"})) as server:
        client = AsyncQdrantClient(server.url, check_compatibility=False, timeout=5)
        assert await QdrantColumnIndex(client, "m", 3).version() == "1.16.0"
        await client.close()
        async with AsyncClient() as plain:
            assert (await plain.get(server.url)).status_code == 200


def test_q240_a_shell_without_a_proxy_is_left_as_it_is() -> None:
    environ = {"PATH": "x"}
    go_direct_to_this_machine(environ)
    assert environ == {"PATH": "x"}
