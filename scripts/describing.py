"""Let the model propose words for a catalog file, table by table; each is saved at once, so a stopped run goes on."""

from contextlib import aclosing
from pathlib import Path

from api.bootstrap import open_llm
from api.inspection import add_proposals
from api.settings import Settings
from data_agent.catalog.load import load_catalog
from data_agent.errors import DataAgentError, ModelNotConfigured
from data_agent.introspection.proposing import proposals, waiting
from data_agent.ports.llm import Llm
from scripts.show import err


def model_of(settings: Settings) -> Llm:
    """The model that proposes.

    Raises:
        ModelNotConfigured: none is set up.
    """
    llm = open_llm(settings.llm)
    if llm is None:
        hint = "set llm.base_url and llm.models, or leave --describe out · 请配置模型，或去掉 --describe"
        raise ModelNotConfigured("--describe needs a language model and none is set up", hint=hint)
    return llm


async def described(path: Path, llm: Llm, most: int) -> tuple[int, int]:
    """Ask about at most `most` tables that nobody asked about yet; how many were described, and how many wait.

    The model is closed at the end.
    """
    todo = waiting(load_catalog(path)[0])
    done = 0
    try:
        with err.status("…") as status:
            async with aclosing(proposals(todo[:most], llm)) as found:
                async for table in found:
                    if isinstance(table, DataAgentError):
                        err.print(f"! not described: {table.message}", style="yellow", markup=False, soft_wrap=True)
                        continue
                    add_proposals(path, table)
                    done += 1
                    status.update(f"{table.name} ({done}/{min(len(todo), most)})")
    finally:
        await llm.close()
    return done, len(todo) - done
