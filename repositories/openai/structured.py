"""Structured replies: how each mode asks for one, and how its reply is read."""

import json
import re
from typing import Any, Literal, TypeVar

from langchain_core.messages import AIMessageChunk
from pydantic import BaseModel, ValidationError

Mode = Literal["json_schema", "function_calling", "json_mode", "text"]
MODES: tuple[Mode, ...] = ("json_schema", "function_calling", "json_mode", "text")
"""From the strictest to the one every server knows."""

Reply = TypeVar("Reply", bound=BaseModel)
_THOUGHT = re.compile(r"<think>.*?(</think>|\Z)", re.DOTALL | re.IGNORECASE)
_BLOCK = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)


def request_form(mode: Mode, prompt: str, schema: type[BaseModel]) -> tuple[dict[str, Any], str]:
    """The extra request fields of a mode and the prompt to send with them."""
    shape = schema.model_json_schema()
    if mode == "json_schema":
        return {
            "response_format": {"type": "json_schema", "json_schema": {"name": schema.__name__, "schema": shape}}
        }, prompt
    if mode == "function_calling":
        function = {"name": schema.__name__, "description": schema.__doc__ or "", "parameters": shape}
        choice = {"type": "function", "function": {"name": schema.__name__}}
        return {"tools": [{"type": "function", "function": function}], "tool_choice": choice}, prompt
    told = f"{prompt}\n\nReply with one JSON object of this JSON schema and nothing else:\n{json.dumps(shape)}"
    return ({"response_format": {"type": "json_object"}} if mode == "json_mode" else {}), told


def read_reply(mode: Mode, message: AIMessageChunk, schema: type[Reply]) -> Reply | None:
    """The reply as `schema`, or None when it does not hold one."""
    if mode == "function_calling":
        return _valid(message.tool_calls[0]["args"], schema) if message.tool_calls else None
    return _valid(_object_in(message.text), schema)


def _object_in(text: str) -> Any:
    """The JSON object in a text: thoughts dropped, fences opened, raw line breaks in strings allowed."""
    bare = _THOUGHT.sub("", text).rpartition("</think>")[2].strip()
    fenced = _BLOCK.findall(bare)
    start, end = bare.find("{"), bare.rfind("}")
    for candidate in [*reversed(fenced), bare, bare[start : end + 1] if 0 <= start < end else ""]:
        try:
            return json.loads(candidate, strict=False)
        except ValueError:
            continue
    return None


def _valid(found: Any, schema: type[Reply]) -> Reply | None:
    try:
        return schema.model_validate(found)
    except ValidationError:
        return None
