"""The databases questions are answered from: one, or several with names."""

from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, Field, SecretStr, ValidationError

from data_agent.domain.frozen import Frozen

SCHEMES = ("duckdb", "mysql+pymysql", "mysql", "mariadb+pymysql", "mariadb")


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"no such time zone {name!r}, e.g. Asia/Shanghai · 没有这个时区") from error
    return name


def _known_scheme(url: SecretStr) -> SecretStr:
    if url.get_secret_value().partition("://")[0] not in SCHEMES:
        raise ValueError("must start with duckdb:/// or mysql+pymysql:// · 应以 duckdb:/// 或 mysql+pymysql:// 开头")
    return url


TimeZone = Annotated[str, AfterValidator(_known_zone)]
Address = Annotated[SecretStr, AfterValidator(_known_scheme)]
WarehouseName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,39}$")]


class WarehouseSettings(Frozen):
    """The database questions are answered from. `time_zone` is the zone its date-times are stored in."""

    url: Address
    name: str = "warehouse"
    time_zone: TimeZone | None = None

    @property
    def embedded(self) -> bool:
        """Whether it is a file beside us instead of a server."""
        return self.url.get_secret_value().startswith("duckdb")

    @property
    def file(self) -> Path:
        """The file of an embedded warehouse."""
        return Path(self.url.get_secret_value().removeprefix("duckdb:///"))


class NamedWarehouse(Frozen):
    """One of several databases. `description` is shown where a person chooses; `words` in a question lead to it."""

    url: Address
    catalog: Path
    policy: Path | None = None
    time_zone: TimeZone | None = None
    description: str = ""
    words: tuple[str, ...] = ()

    def alone(self, name: str) -> WarehouseSettings:
        """As the settings of a single warehouse."""
        return WarehouseSettings(url=self.url, name=name, time_zone=self.time_zone)


def first_as_single(values: dict[str, Any]) -> dict[str, Any]:
    """With `warehouses` alone, the first of them also stands where a single one would.

    Raises:
        ValueError: both forms are written.
    """
    several = values.get("warehouses")
    if not isinstance(several, dict) or not several:
        return values
    if both := [key for key in ("warehouse", "catalog", "policy") if values.get(key)]:
        raise ValueError(
            f"write either `warehouses` or `{both[0]}`: with `warehouses` each has its own url, catalog and policy"
            " · `warehouses` 与单库写法只能选一种"
        )
    name, first = next(iter(several.items()))
    try:
        one = NamedWarehouse.model_validate(first)
    except ValidationError:  # told where it is written, not here
        one = NamedWarehouse(url=SecretStr("duckdb:///"), catalog=Path())
    return {**values, "warehouse": one.alone(str(name)), "catalog": one.catalog, "policy": one.policy}
