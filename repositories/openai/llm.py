"""Any OpenAI-compatible chat model, always streamed, so that thinking models and slow ones work alike."""

import asyncio
import random
from collections.abc import Mapping
from typing import Any, TypeVar

import openai
from langchain_core.messages import AIMessageChunk
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, SecretStr

from data_agent.domain.answer import Usage
from data_agent.errors import ModelRejected, ModelTimeout, ReplyTruncated, ReplyUnreadable
from data_agent.ports.llm import OnToken, Role
from repositories.openai.errors import RETRIED, UNSUPPORTED, translated
from repositories.openai.structured import MODES, Mode, read_reply, request_form

Reply = TypeVar("Reply", bound=BaseModel)
_RETRIES = 2
_LONGEST_WAIT = 8.0
_TRIES_PER_MODE = 2


class OpenAILlm:
    """Adapter of the `Llm` port. `models` names a model per role; `extra_body` is sent as it is, per role.

    `max_tokens_field` is `max_tokens` or `max_completion_tokens`: exactly that one is sent.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: SecretStr,
        models: Mapping[Role, str],
        timeout_seconds: float = 60.0,
        max_tokens: int = 2048,
        max_tokens_field: str = "max_tokens",
        temperature: float = 0.0,
        first_wait_seconds: float = 0.5,
        extra_body: Mapping[Role, Mapping[str, Any]] | None = None,
    ) -> None:
        self._base_url, self._timeout, self._models = base_url, timeout_seconds, dict(models)
        self._first_wait = first_wait_seconds
        limit = {"max_tokens": max_tokens} if max_tokens_field == "max_tokens" else {}
        self._bodies = {role: {**limit, **(extra_body or {}).get(role, {})} for role in self._models}
        self._modes: dict[str, Mode] = {}
        self._chats = {
            role: ChatOpenAI(
                base_url=base_url,
                api_key=api_key,
                model=model,
                temperature=temperature,
                timeout=timeout_seconds,
                max_retries=0,
                stream_usage=True,
                use_responses_api=False,
                http_async_client=openai.DefaultAsyncHttpxClient(),  # the default one is shared by all
                max_completion_tokens=max_tokens if max_tokens_field == "max_completion_tokens" else None,
            )
            for role, model in self._models.items()
        }

    @property
    def name(self) -> str:
        """The model that writes SQL."""
        return self._model("smart")

    async def complete(self, prompt: str, role: Role = "smart", on_token: OnToken | None = None) -> tuple[str, Usage]:
        """See the port."""
        message, usage = await self._ask(prompt, role, on_token)
        return message.text, usage

    async def structured(self, prompt: str, schema: type[Reply], role: Role = "fast") -> tuple[Reply, Usage]:
        """See the port; the first mode that works is remembered for the model."""
        spent, model = Usage(), self._model(role)
        start = MODES.index(self._modes.get(model, MODES[0]))
        for mode in MODES[start:]:
            for _ in range(_TRIES_PER_MODE):
                try:
                    form, text = request_form(mode, prompt, schema)
                    message, usage = await self._ask(text, role, None, **form)
                except ModelRejected as error:
                    if mode == MODES[-1] or not isinstance(error.__cause__, UNSUPPORTED):
                        raise
                    break
                spent += usage
                reply = read_reply(mode, message, schema)
                if reply is not None:
                    self._modes[model] = mode
                    return reply, spent
        raise ReplyUnreadable(f"{model} gave no readable {schema.__name__}", hint="use a larger model for this role")

    async def ping(self) -> str:
        """See the port: one token from the model."""
        await self._ask("ping", "fast", None)
        return self._model("fast")

    async def close(self) -> None:
        """See the port."""
        for chat in self._chats.values():
            await chat.root_async_client.close()

    def _model(self, role: Role) -> str:
        return self._models.get(role) or next(iter(self._models.values()))

    async def _ask(
        self, prompt: str, role: Role, on_token: OnToken | None, **form: Any
    ) -> tuple[AIMessageChunk, Usage]:
        """One streamed reply, retried only before its first token and only where a retry can help."""
        role = role if role in self._chats else next(iter(self._chats))
        chat, model, body = self._chats[role], self._models[role], {**self._bodies[role], **form}
        for attempt in range(_RETRIES + 1):
            try:
                async with asyncio.timeout(self._timeout):
                    return await _streamed(chat, prompt, on_token, body)
            except TimeoutError as error:
                raise ModelTimeout(
                    f"{model} did not finish in {self._timeout:g} s", hint="raise llm.timeout_seconds"
                ) from error
            except _Interrupted as error:
                raise translated(error.cause, model, self._base_url) from error.cause
            except openai.APIError as error:
                if not isinstance(error, RETRIED) or attempt == _RETRIES:
                    raise translated(error, model, self._base_url) from error
                await asyncio.sleep(_wait(error, self._first_wait * 2**attempt))
        raise AssertionError("the loop returns or raises")


class _Interrupted(Exception):
    """The stream broke after its first token: not safe to repeat."""

    def __init__(self, cause: openai.APIError) -> None:
        super().__init__(str(cause))
        self.cause = cause


async def _streamed(
    chat: ChatOpenAI, prompt: str, on_token: OnToken | None, body: Mapping[str, Any]
) -> tuple[AIMessageChunk, Usage]:
    whole: AIMessageChunk | None = None
    try:
        async for piece in chat.astream(prompt, extra_body=body):
            if isinstance(piece, AIMessageChunk):
                whole = piece if whole is None else whole + piece
                if on_token and piece.text:
                    on_token(piece.text)
    except openai.APIError as error:
        if whole is not None and whole.text:
            raise _Interrupted(error) from error
        raise
    return _finished(whole), _usage(whole)


def _finished(message: AIMessageChunk | None) -> AIMessageChunk:
    reason = message.response_metadata.get("finish_reason") if message else None
    if message is None or not reason:
        raise ReplyTruncated("the model's stream ended without a finish reason", hint="ask again")
    if reason == "length":
        raise ReplyTruncated("the model's reply was cut by its token limit", hint="raise llm.max_tokens")
    if reason == "content_filter":
        raise ModelRejected("the provider's content filter stopped the reply", hint="rephrase the question")
    return message


def _usage(message: AIMessageChunk | None) -> Usage:
    counted = message.usage_metadata if message else None
    if not counted:
        return Usage(calls=1)
    return Usage(calls=1, prompt_tokens=counted["input_tokens"], completion_tokens=counted["output_tokens"])


def _wait(error: openai.APIError, usual: float) -> float:
    """The server's Retry-After in seconds when it gives one, else the usual wait, with jitter; never over 8 s."""
    headers = error.response.headers if isinstance(error, openai.APIStatusError) else {}
    asked = str(headers.get("retry-after", ""))
    seconds = float(asked) if asked.replace(".", "", 1).isdecimal() else usual
    return min(seconds, _LONGEST_WAIT) * random.uniform(1.0, 1.2)  # noqa: S311 - jitter, not a secret
