"""Embeddings from any OpenAI-compatible endpoint, text-embeddings-inference included."""

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np
import openai
from langchain_openai import OpenAIEmbeddings
from pydantic import SecretStr

from data_agent.errors import ModelTimeout
from data_agent.ports.embedder import Vectors
from repositories.openai.errors import translated


class OpenAIEmbedder:
    """Adapter of the `Embedder` port. The server must return vectors of `dimension`."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: SecretStr,
        model: str,
        dimension: int,
        timeout_seconds: float = 30.0,
        batch: int = 32,
    ) -> None:
        self._base_url, self._timeout, self._name, self._dimension = base_url, timeout_seconds, model, dimension
        self._batch = batch
        self._http = openai.DefaultAsyncHttpxClient()  # the default one is shared by all
        settings: dict[str, Any] = {
            "base_url": base_url,
            "api_key": api_key,
            "model": model,
            "timeout": timeout_seconds,
            "max_retries": 2,
            "http_async_client": self._http,
            "check_embedding_ctx_length": False,  # else a tokenizer would be downloaded
        }
        self._client = OpenAIEmbeddings(**settings)

    @property
    def name(self) -> str:
        """See the port."""
        return self._name

    @property
    def dimension(self) -> int:
        """See the port."""
        return self._dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See the port; vectors are normalised here, whatever the server does."""
        try:
            async with asyncio.timeout(self._timeout):
                rows = await self._rows(list(texts))
        except TimeoutError as error:
            raise ModelTimeout(f"{self._name} did not answer in {self._timeout:g} s") from error
        except openai.APIError as error:
            raise translated(error, self._name, self._base_url) from error
        vectors = np.asarray(rows, dtype=np.float32).reshape(len(texts), -1)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Vectors = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
        return unit

    async def _rows(self, texts: list[str]) -> list[list[float]]:
        """In batches; a batch that is refused as it is goes again in halves, and from then on all are that small."""
        try:
            return await self._client.aembed_documents(texts, chunk_size=self._batch)
        except openai.BadRequestError:
            if (size := min(self._batch, len(texts))) < 2:
                raise
            self._batch = size // 2
            return await self._rows(texts)

    async def close(self) -> None:
        """See the port."""
        await self._http.aclose()
