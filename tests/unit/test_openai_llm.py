import pytest
from pydantic import BaseModel, SecretStr

from data_agent.errors import ModelRejected, ModelTimeout, ModelUnavailable, ReplyTruncated, ReplyUnreadable
from repositories.openai.llm import OpenAILlm
from tests.fakes.model_server import ModelServer, Scripted, model_server


class Schema(BaseModel):
    tables: list[str]


def llm_for(server: ModelServer, **settings) -> OpenAILlm:
    return OpenAILlm(
        base_url=server.url,
        api_key=SecretStr("sk-secret-key"),
        models={"smart": "m", "fast": "m"},
        **{"first_wait_seconds": 0.01} | settings,
    )


async def test_streams_tokens_and_counts_usage():
    heard: list[str] = []
    async with model_server(Scripted(pieces=["SELECT", " 1"])) as server:
        llm = llm_for(server)
        text, usage = await llm.complete("q", on_token=heard.append)
        await llm.close()
    assert (text, heard) == ("SELECT 1", ["SELECT", " 1"])
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens) == (1, 7, 3)


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_retries_what_a_retry_can_help(status):
    async with model_server(Scripted(status=status, error="busy"), Scripted(text="ok")) as server:
        llm = llm_for(server)
        assert (await llm.complete("q"))[0] == "ok"
        await llm.close()
    assert len(server.requests) == 2


async def test_does_not_retry_a_refused_key_and_never_shows_it():
    async with model_server(Scripted(status=401, error="Incorrect API key provided: sk-secret-key")) as server:
        llm = llm_for(server)
        with pytest.raises(ModelRejected) as caught:
            await llm.complete("q")
        await llm.close()
    assert len(server.requests) == 1
    assert "sk-secret" not in caught.value.message + caught.value.hint
    assert "llm.api_key" in caught.value.hint


async def test_gives_up_after_bounded_retries():
    async with model_server(Scripted(status=500, error="down")) as server:
        llm = llm_for(server)
        with pytest.raises(ModelUnavailable):
            await llm.complete("q")
        await llm.close()
    assert len(server.requests) == 3


async def test_a_stream_without_a_finish_reason_is_truncated():
    """The case q205."""
    async with model_server(Scripted(text="SELECT COUNT(*) FROM ord", finish=None)) as server:
        llm = llm_for(server)
        with pytest.raises(ReplyTruncated):
            await llm.complete("q")
        await llm.close()


@pytest.mark.parametrize("ask", ["complete", "structured"])
async def test_a_reply_cut_by_length_is_truncated_even_when_it_could_be_closed(ask):
    async with model_server(Scripted(text='{"tables": ["orders", "custo', finish="length")) as server:
        llm = llm_for(server)
        with pytest.raises(ReplyTruncated):
            await (llm.complete("q") if ask == "complete" else llm.structured("q", Schema))
        await llm.close()


async def test_a_content_filter_in_the_middle_is_an_error_and_not_repeated():
    """The case q260."""
    async with model_server(Scripted(text="SELECT", error_after="content_blocked")) as server:
        llm = llm_for(server)
        with pytest.raises(ModelRejected):
            await llm.complete("q")
        await llm.close()
    assert len(server.requests) == 1


async def test_a_slow_model_times_out():
    async with model_server(Scripted(text="late", delay=2.0)) as server:
        llm = llm_for(server, timeout_seconds=0.2)
        with pytest.raises(ModelTimeout):
            await llm.complete("q")
        await llm.close()


async def test_no_server_is_said_with_the_setting_to_check():
    llm = OpenAILlm(
        base_url="http://127.0.0.1:9/v1", api_key=SecretStr("k"), models={"smart": "m"}, first_wait_seconds=0.01
    )
    with pytest.raises(ModelUnavailable) as caught:
        await llm.complete("q")
    assert "llm.base_url" in caught.value.hint
    await llm.close()


@pytest.mark.parametrize("field", ["max_tokens", "max_completion_tokens"])
async def test_sends_exactly_the_one_token_limit_that_is_set(field):
    """The case q160."""
    async with model_server(Scripted(text="ok")) as server:
        llm = llm_for(server, max_tokens=9, max_tokens_field=field)
        await llm.complete("q")
        await llm.close()
    sent = {key: value for key, value in server.requests[0].items() if key.startswith("max_")}
    assert sent == {field: 9}


async def test_extra_body_goes_to_its_role_and_a_thinking_model_names_the_setting():
    """The case q064."""
    async with model_server(Scripted(status=400, error="thinking has to be off unless the call streams")) as server:
        llm = llm_for(server, extra_body={"smart": {"enable_thinking": False}})
        with pytest.raises(ModelRejected) as caught:
            await llm.complete("q", "smart")
        await llm.close()
    assert server.requests[0]["enable_thinking"] is False
    assert server.requests[0]["stream"] is True
    assert "llm.extra_body" in caught.value.hint


async def test_structured_falls_back_from_mode_to_mode_and_remembers_what_worked():
    """The case q063."""
    refused = Scripted(status=400, error="response_format json_schema is not supported")
    prose = Scripted(text="应使用 orders 表")
    async with model_server(refused, prose, prose, Scripted(text='{"tables": ["a"]}')) as server:
        llm = llm_for(server)
        first, usage = await llm.structured("q", Schema)
        again, _ = await llm.structured("q", Schema)
        await llm.close()
    assert first.tables == again.tables == ["a"]
    assert usage.calls == 3
    forms = [
        request.get("response_format", {}).get("type") or bool(request.get("tools")) for request in server.requests
    ]
    assert forms == ["json_schema", True, True, "json_object", "json_object"]


async def test_function_calling_reads_the_arguments():
    refused = Scripted(status=400, error="no json_schema")
    async with model_server(refused, Scripted(tool_args={"tables": ["orders"]})) as server:
        llm = llm_for(server)
        reply, _ = await llm.structured("q", Schema)
        await llm.close()
    assert reply.tables == ["orders"]


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"tables": ["a"]}\n```',
        '<think>maybe {"tables": []}</think>{"tables": ["a"]}',
        'Here you are: {"tables": ["a"]} as asked.',
        '草稿\n</think>\n{"tables": ["a"]}',
    ],
)
async def test_reads_json_out_of_what_models_put_around_it(text):
    async with model_server(Scripted(text=text)) as server:
        llm = llm_for(server)
        reply, _ = await llm.structured("q", Schema)
        await llm.close()
    assert reply.tables == ["a"]


async def test_junk_in_every_mode_is_a_clear_error():
    async with model_server(Scripted(text="no idea")) as server:
        llm = llm_for(server)
        with pytest.raises(ReplyUnreadable):
            await llm.structured("q", Schema)
        await llm.close()
    assert len(server.requests) == 8


async def test_closing_one_model_leaves_another_of_the_same_server_open():
    async with model_server(Scripted(text="ok")) as server:
        first, second = llm_for(server), llm_for(server)
        await first.complete("q")
        await first.close()
        assert (await second.complete("q"))[0] == "ok"
        await second.close()
