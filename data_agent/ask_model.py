"""The one place where nodes ask the language model: usage counted, tokens streamed, no model said plainly."""

from typing import TypeVar

from pydantic import BaseModel

from data_agent.context import Run
from data_agent.errors import ModelNotConfigured
from data_agent.events import LlmToken
from data_agent.ports.llm import Llm, Role
from data_agent.step import say, tool_call

Reply = TypeVar("Reply", bound=BaseModel)


def model_of(runtime: Run) -> Llm:
    """The configured model.

    Raises:
        ModelNotConfigured: there is none.
    """
    if runtime.context.llm is None:
        raise ModelNotConfigured(
            "没有配置语言模型 / no language model is set up",
            hint="set llm.base_url, llm.api_key and llm.models in the settings file",
        )
    return runtime.context.llm


async def ask_text(runtime: Run, node: str, prompt: str, role: Role = "smart") -> str:
    """The model's reply as text, streamed as `llm_token` events of `node`."""
    llm = model_of(runtime)
    async with tool_call(runtime, "llm", node) as call:
        text, call.usage = await llm.complete(
            prompt, role, on_token=lambda piece: say(runtime, LlmToken(node=node, text=piece))
        )
    return text


async def ask_structured(runtime: Run, node: str, prompt: str, schema: type[Reply], role: Role = "fast") -> Reply:
    """The model's reply read as `schema`."""
    llm = model_of(runtime)
    async with tool_call(runtime, "llm", node) as call:
        reply, call.usage = await llm.structured(prompt, schema, role)
    return reply
