"""What the client library raises, said in our own errors; keys never stand in a message."""

import openai

from data_agent.errors import DataAgentError, ModelRejected, ModelTimeout, ModelUnavailable

RETRIED = (openai.RateLimitError, openai.InternalServerError, openai.APIConnectionError)
"""Worth another try: 429, 5xx, lost connections and time-outs."""

UNSUPPORTED = (openai.BadRequestError, openai.UnprocessableEntityError)
"""The server does not know this form of request; another form may work."""

_LONGEST = 300


def translated(error: openai.APIError, model: str, base_url: str) -> DataAgentError:
    """The library's error as ours, with what to change in the settings."""
    if isinstance(error, openai.APITimeoutError):
        return ModelTimeout(f"{model} did not answer in time", hint="raise llm.timeout_seconds or use a faster model")
    if isinstance(error, openai.APIConnectionError):
        return ModelUnavailable(f"no model server answers at {base_url}", hint="check llm.base_url and the network")
    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        return ModelRejected(f"{base_url} refused the key", hint="check llm.api_key")
    if isinstance(error, openai.NotFoundError):
        return ModelRejected(f"{base_url} does not know the model {model}", hint="check llm.models and llm.base_url")
    if isinstance(error, openai.RateLimitError):
        return ModelUnavailable(f"{model} is rate limited", hint="wait, or raise the limit at the provider")
    if isinstance(error, openai.InternalServerError):
        return ModelUnavailable(
            f"{model} failed with status {error.status_code}", hint="look at the model server's log"
        )
    return ModelRejected(f"{model} refused the request: {said(error)}", hint=hint_for(error))


def said(error: openai.APIError) -> str:
    """The server's own words, in one bounded line."""
    body = error.body if isinstance(error.body, dict) else {}
    text = " ".join(str(body.get("message") or error.message).split())
    return text[:_LONGEST]


def hint_for(error: openai.APIError) -> str:
    """The setting to change, where the server's words give it away."""
    text = said(error).casefold()
    if "thinking" in text:
        return "set llm.extra_body for this role, e.g. {enable_thinking: false} or chat_template_kwargs"
    if "max_tokens" in text or "max_completion_tokens" in text:
        return "set llm.max_tokens_field to max_tokens or max_completion_tokens, whichever the server knows"
    return "check llm.models and llm.extra_body"
