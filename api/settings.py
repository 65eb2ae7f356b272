"""Settings: one YAML file, overridden by `DATA_AGENT_*` variables; without either, the embedded demo."""

import os
from collections.abc import Mapping
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, Self

import yaml
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, SettingsError

from api.callers import KnownCaller
from api.gate import Gate
from api.problems_in_settings import explain
from api.settings_file import SettingsFile, read_settings
from api.warehouse_settings import NamedWarehouse, TimeZone, WarehouseName, WarehouseSettings, first_as_single
from data_agent.domain.frozen import Frozen
from data_agent.domain.time import CalendarSettings
from data_agent.errors import InvalidSettings
from data_agent.options import Options
from data_agent.ports.llm import Role

PREFIX = "DATA_AGENT_"


class StoreSettings(Frozen):
    """Where the stores live: embedded files under `path`, or a server where its address is set.

    `name` begins the names of what is made on servers, so that several services can share one. `redis_url` lets workers
    share the vectors of questions; without it each has its own.
    """

    path: Path = Path(".data/stores")
    name: str = Field(default="data-agent", pattern=r"^[a-z][a-z0-9-]*$")
    metadata_url: SecretStr | None = None
    qdrant_url: str = ""
    qdrant_api_key: SecretStr | None = None
    elasticsearch_url: str = ""
    elasticsearch_user: str = ""
    elasticsearch_password: SecretStr | None = None
    elasticsearch_analyzer: Literal["cjk", "ik"] = "cjk"
    redis_url: SecretStr | None = None

    def of(self, warehouse: str) -> "StoreSettings":
        """The stores of one of several warehouses: a folder and names of its own."""
        return self.model_copy(update={"path": self.path / warehouse, "name": f"{self.name}-{warehouse}"})


class EmbedderSettings(Frozen):
    """An endpoint for embeddings (OpenAI-compatible, text-embeddings-inference included); without it, the embedded one.

    `dimension` is the length of the model's vectors, `batch` how many texts the endpoint takes in one call.
    """

    base_url: str = ""
    api_key: SecretStr = SecretStr("none")
    model: str = ""
    dimension: int = Field(default=512, ge=1)
    batch: int = Field(default=32, ge=1)


class ModelNames(Frozen):
    """Which model plays which role; a role left out is played by `smart`, and `smart` by any that is set."""

    fast: str = ""
    smart: str = ""
    judge: str = ""

    def by_role(self) -> dict[Role, str]:
        """A name for every role; empty when none is set at all."""
        smart = self.smart or self.fast or self.judge
        if not smart:
            return {}
        return {"fast": self.fast or smart, "smart": smart, "judge": self.judge or smart}


class LlmSettings(Frozen):
    """An OpenAI-compatible model. Without `models` the service runs with none."""

    base_url: str = ""
    api_key: SecretStr | None = None
    models: ModelNames = ModelNames()
    timeout_seconds: float = Field(default=30.0, gt=0)
    extra_body: dict[Role, dict[str, Any]] = Field(default_factory=dict)
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"

    @model_validator(mode="after")
    def _whole_or_absent(self) -> Self:
        if self.base_url and not self.models.by_role():
            raise ValueError("base_url is set and models is not: set llm.models.smart · 请设置 llm.models.smart")
        return self


class Calendar(CalendarSettings):
    """How this business counts time. `now` holds the clock still, for the demo and for tests."""

    time_zone: TimeZone = "Asia/Shanghai"
    week_start: int = Field(default=0, ge=0, le=6)
    fiscal_year_start: int = Field(default=1, ge=1, le=12)
    now: datetime | None = None

    @field_validator("now")
    @classmethod
    def _aware(cls, now: datetime | None) -> datetime | None:
        if now and now.tzinfo is None:
            raise ValueError("needs an offset, e.g. 2026-07-01T09:00:00+08:00 · 需要带时区偏移")
        return now

    def plain(self) -> CalendarSettings:
        """Without the held clock."""
        return CalendarSettings(**self.model_dump(exclude={"now"}))


class ServerSettings(Frozen):
    """The HTTP door. `max_concurrent` questions run at once, `max_per_caller` of one caller; `max_waiting` more wait
    up to `wait_seconds` for a place, and the next is told when to come back. `callers` are known by their keys; without
    any, everybody is the local analyst.
    """

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=1, le=65535)
    max_concurrent: int = Field(default=256, ge=1)
    max_per_caller: int = Field(default=256, ge=1)
    max_waiting: int = Field(default=64, ge=0)
    wait_seconds: float = Field(default=5.0, ge=0)
    max_body_bytes: int = Field(default=262_144, ge=1024)
    cors_origins: tuple[str, ...] = ()
    heartbeat_seconds: float = Field(default=15.0, gt=0)
    examples: tuple[str, ...] = ()
    callers: tuple[KnownCaller, ...] = ()

    @field_validator("callers")
    @classmethod
    def _keys_tell_apart(cls, callers: tuple[KnownCaller, ...]) -> tuple[KnownCaller, ...]:
        if len({each.key.get_secret_value() for each in callers}) < len(callers):
            raise ValueError("two callers have the same key · 两个调用者的密钥相同")
        return callers

    def gate(self) -> Gate:
        """What lets questions in."""
        return Gate(self.max_concurrent, self.max_per_caller, self.max_waiting, self.wait_seconds)


class Settings(BaseSettings):
    """Everything that can be set."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        nested_model_default_partial_update=True,
        extra="forbid",
        frozen=True,
    )

    warehouse: WarehouseSettings
    catalog: Path
    policy: Path | None = None
    warehouses: dict[WarehouseName, NamedWarehouse] = Field(default_factory=dict)
    stores: StoreSettings = StoreSettings()
    embedder: EmbedderSettings = EmbedderSettings()
    llm: LlmSettings = LlmSettings()
    options: Options = Options()
    calendar: Calendar = Calendar()
    server: ServerSettings = ServerSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003  the signature is the library's
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Variables win over the file."""
        return env_settings, init_settings

    @model_validator(mode="before")
    @classmethod
    def _one_or_several(cls, values: Any) -> Any:
        return first_as_single(values) if isinstance(values, dict) else values

    @field_validator("options")
    @classmethod
    def _calendar_has_its_own_section(cls, options: Options) -> Options:
        if options.calendar != CalendarSettings():
            raise ValueError("write the calendar in its own section `calendar` · 请写在 calendar 一节")
        return options

    def each(self) -> dict[str, "Settings"]:
        """The settings of every warehouse by its name, each with stores of its own; a single one is alone."""
        if not self.warehouses:
            return {self.warehouse.name: self}
        return {
            name: self.model_copy(
                update={
                    "warehouse": one.alone(name),
                    "catalog": one.catalog,
                    "policy": one.policy,
                    "stores": self.stores.of(name),
                    "warehouses": {},
                }
            )
            for name, one in self.warehouses.items()
        }

    @property
    def workflow(self) -> Options:
        """The options of the graph, the calendar included."""
        return self.options.model_copy(update={"calendar": self.calendar.plain()})


def demo_settings() -> dict[str, Any]:
    """The embedded demo, in the current folder. Its data ends on 2026-06-30, so its clock stands one day later."""
    written = files("demo").joinpath("questions.yaml")
    return {
        "warehouse": {"url": "duckdb:///.data/demo/warehouse.duckdb", "name": "demo"},
        "catalog": Path(str(files("demo").joinpath("catalog.yaml"))),
        "stores": {"path": ".data/demo/stores"},
        "calendar": {"now": "2026-07-01T09:00:00+08:00"},
        "server": {"examples": [entry["question"] for entry in yaml.safe_load(written.read_text("utf-8"))]},
    }


def load_settings(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    """Settings from `path`, else from the file named by DATA_AGENT_SETTINGS, else of the demo.

    Relative paths in a file start at the file's own folder.

    Raises:
        InvalidSettings: each mistake with file, line and field.
    """
    named = path or (Path(environ[f"{PREFIX}SETTINGS"]) if environ.get(f"{PREFIX}SETTINGS") else None)
    if named:
        file = read_settings(named)
    elif f"{PREFIX}WAREHOUSE__URL" in environ:
        file = SettingsFile(path=Path(), values={})
    else:
        file = SettingsFile(path=Path(), values=demo_settings())
    try:
        return Settings(**file.values)
    except ValidationError as error:
        raise InvalidSettings(
            "\n".join(explain(error, file, environ, Settings)),
            hint="every field is described in docs/settings.md · 各字段说明见 docs/settings.md",
        ) from None
    except SettingsError as error:
        raise InvalidSettings(str(error)) from None
