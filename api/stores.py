"""Where the stores are: embedded files by default, servers where an address is set."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from api.settings import EmbedderSettings, StoreSettings
from data_agent.ports.embedder import Embedder

Close = Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class StoreFiles:
    """Where each embedded store lies under `stores.path`."""

    root: Path

    @property
    def metadata(self) -> str:
        """The catalog's database, as a URL."""
        self.root.mkdir(parents=True, exist_ok=True)
        return f"sqlite:///{self.root / 'metadata.sqlite'}"

    @property
    def threads(self) -> Path:
        """Conversations."""
        return self.root / "threads.sqlite"

    @property
    def vectors(self) -> Path:
        """Vectors made once."""
        return self.root / "vectors.sqlite"

    def index(self, name: str) -> Path:
        """The folder of one index."""
        return self.root / name


@dataclass
class Stores:
    """Makes each store once, embedded or on its server; `closing` gives the servers' connections back."""

    settings: StoreSettings
    embedder: Embedder
    closing: list[Close] = field(default_factory=list)
    _vectors: Any = None

    @property
    def files(self) -> StoreFiles:
        """The embedded stores' places."""
        return StoreFiles(self.settings.path)

    def metadata(self) -> Any:
        """The metadata store."""
        from repositories.sql.metadata import SqlMetadata

        url = self.settings.metadata_url
        if url is None:
            return SqlMetadata(self.files.metadata)
        own = StoreSettings.model_fields["name"].default
        return SqlMetadata(url.get_secret_value(), "" if self.settings.name == own else self.settings.name)

    def column_index(self) -> Any:
        """The index of tables and columns."""
        if self.settings.qdrant_url:
            from repositories.qdrant.column_index import QdrantColumnIndex

            return QdrantColumnIndex(**self._on_qdrant("columns"))
        from repositories.embedded.column_index import EmbeddedColumnIndex

        return EmbeddedColumnIndex(self.files.index("columns"), self.embedder.name, self.embedder.dimension)

    def metric_index(self) -> Any:
        """The index of metrics."""
        if self.settings.qdrant_url:
            from repositories.qdrant.metric_index import QdrantMetricIndex

            return QdrantMetricIndex(**self._on_qdrant("metrics"))
        from repositories.embedded.metric_index import EmbeddedMetricIndex

        return EmbeddedMetricIndex(self.files.index("metrics"), self.embedder.name, self.embedder.dimension)

    def value_index(self) -> Any:
        """The index of stored values."""
        places = self.settings
        if not places.elasticsearch_url:
            from repositories.embedded.value_index import EmbeddedValueIndex

            return EmbeddedValueIndex(self.files.index("values"))
        from repositories.elasticsearch.value_index import ElasticsearchValueIndex

        password = places.elasticsearch_password.get_secret_value() if places.elasticsearch_password else ""
        found = ElasticsearchValueIndex(
            places.elasticsearch_url,
            alias=f"{places.name}-values",
            analyzer=places.elasticsearch_analyzer,
            user=places.elasticsearch_user,
            password=password,
        )
        self.closing.append(found.close)
        return found

    def cache(self) -> Any:
        """What workers share, or None when no server is set."""
        url = self.settings.redis_url
        if url is None:
            return None
        from repositories.redis.cache import RedisCache

        found = RedisCache(url.get_secret_value(), self.settings.name)
        self.closing.append(found.close)
        return found

    def _on_qdrant(self, what: str) -> dict[str, Any]:
        if self._vectors is None:
            from qdrant_client import AsyncQdrantClient

            key = self.settings.qdrant_api_key
            self._vectors = AsyncQdrantClient(
                url=self.settings.qdrant_url,
                api_key=key.get_secret_value() if key else None,
                timeout=10,
                check_compatibility=False,  # the index looks at the version itself, and says what to do
            )
            self.closing.append(self._vectors.close)
        return {
            "client": self._vectors,
            "model": self.embedder.name,
            "dimension": self.embedder.dimension,
            "alias": f"{self.settings.name}-{what}",
            "where": self.settings.qdrant_url,
        }


def open_embedder(settings: EmbedderSettings) -> Embedder:
    """The embedded model, or the endpoint that is set."""
    if not settings.base_url:
        from repositories.embedded.embedder import USE3Embedder

        return USE3Embedder()
    from repositories.openai.embedder import OpenAIEmbedder

    return OpenAIEmbedder(
        base_url=settings.base_url,
        api_key=settings.api_key,
        model=settings.model,
        dimension=settings.dimension,
        batch=settings.batch,
    )


def written_to(places: StoreSettings) -> str:
    """Which stores are written to, for people; no passwords."""
    metadata = "the server of metadata_url" if places.metadata_url else str(places.path)
    return (
        f"metadata {metadata}, vectors {places.qdrant_url or places.path}, "
        f"values {places.elasticsearch_url or places.path}"
    )
