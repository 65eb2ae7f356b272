"""What the caller hears while a question is answered; one frozen model per event, each with a published JSON schema."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from data_agent.domain.answer import Answer, Decision, Usage
from data_agent.domain.frozen import Frozen
from data_agent.domain.reading import Ambiguity, Reading


class Progress(Frozen):
    """A step changed state. `label` is its Chinese name, `step` its function name."""

    type: Literal["progress"] = "progress"
    step: str
    label: str
    status: Literal["running", "success", "waiting", "error"]
    ms: float | None = None


class IntentClassified(Frozen):
    """What kind of question this is, and who decided."""

    type: Literal["intent_classified"] = "intent_classified"
    decision: Decision


class PathDecision(Frozen):
    """Which way the answer is made: composed from the reading, written by the model, or none."""

    type: Literal["path_decision"] = "path_decision"
    path: str
    reason: str


class NodeStart(Frozen):
    """A node of the graph began."""

    type: Literal["node_start"] = "node_start"
    node: str


class Reasoning(Frozen):
    """What the question was taken to mean, in words, with the reading itself when there is one."""

    type: Literal["reasoning"] = "reasoning"
    text: str
    reading: Reading | None = None


class ToolCallStart(Frozen):
    """An outside thing is being asked: a model, the warehouse, an index."""

    type: Literal["tool_call_start"] = "tool_call_start"
    tool: str
    detail: str = ""


class ToolCallEnd(Frozen):
    """The outside thing answered, or failed."""

    type: Literal["tool_call_end"] = "tool_call_end"
    tool: str
    ok: bool
    ms: float
    usage: Usage = Usage()


class LlmToken(Frozen):
    """A piece of the model's reply."""

    type: Literal["llm_token"] = "llm_token"
    node: str
    text: str


class HumanReviewRequest(Frozen):
    """A person has to choose or approve; answer with `POST /api/query/{thread_id}/resume`."""

    type: Literal["human_review_request"] = "human_review_request"
    kind: Literal["clarify", "approve"]
    question: str
    ambiguities: tuple[Ambiguity, ...] = ()
    thread_id: str = ""


class Warned(Frozen):
    """The answer is weaker than usual, and why."""

    type: Literal["warning"] = "warning"
    message: str
    source: str = ""


class Result(Frozen):
    """The answer."""

    type: Literal["result"] = "result"
    answer: Answer


class Failed(Frozen):
    """Why there is no answer; `answer` holds what was found until then. `retry_after`: seconds to wait when busy."""

    type: Literal["error"] = "error"
    code: str
    message: str
    hint: str = ""
    step: str = ""
    status: int = 500
    retry_after: int | None = None
    answer: Answer | None = None


class Done(Frozen):
    """The last event of every run."""

    type: Literal["done"] = "done"
    thread_id: str
    elapsed_ms: float


Event = Annotated[
    Progress
    | IntentClassified
    | PathDecision
    | NodeStart
    | Reasoning
    | ToolCallStart
    | ToolCallEnd
    | LlmToken
    | HumanReviewRequest
    | Warned
    | Result
    | Failed
    | Done,
    Field(discriminator="type"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON schema of every event, by its `type`."""
    models = (
        Progress,
        IntentClassified,
        PathDecision,
        NodeStart,
        Reasoning,
        ToolCallStart,
        ToolCallEnd,
        LlmToken,
        HumanReviewRequest,
        Warned,
        Result,
        Failed,
        Done,
    )
    return {str(model.model_fields["type"].default): model.model_json_schema() for model in models}
