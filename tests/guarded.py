"""The demo behind keys and a policy, as a folder with settings: what attackers and careful roles are tried on."""

import asyncio
from pathlib import Path
from typing import Any

import yaml

from api.settings import load_settings
from demo.layout import CATALOG
from demo.warehouse import build
from scripts.index import indexed

SALT = "a salt that nobody may read"
EAST_FILTER = "region_id IN (SELECT r.region_id FROM regions r WHERE r.region = :caller.region)"
ROLES: list[dict[str, Any]] = [
    {"name": "analyst", "allow": ["*"]},
    {
        "name": "east",
        "allow": ["*"],
        "deny": ["refunds", "products.cost", "order_items.cost_amount", "customers.level"],
        "filters": [{"table": "orders", "where": EAST_FILTER}, {"table": "customers", "where": EAST_FILTER}],
        "masks": [
            {"column": "customers.phone", "kind": "null"},
            {"column": "customers.email", "kind": "hash"},
            {"column": "products.brand", "kind": "partial", "keep_first": 1},
        ],
    },
    {"name": "careful", "allow": ["*"], "budget": {"max_estimated_rows": 1, "on_expensive": "approve"}},
    {"name": "strict", "allow": ["*"], "budget": {"max_estimated_rows": 1, "on_expensive": "refuse"}},
]
KEYS = {role["name"]: f"key-of-{role['name']}-0123456789" for role in ROLES} | {"other": "key-of-other-0123456789"}


def caller(name: str, role: str) -> dict[str, Any]:
    return {"key": KEYS[name], "name": name, "role": role, "attributes": {"region": "华东"} if role == "east" else {}}


def guarded_demo(folder: Path, url: str = "duckdb:///warehouse.duckdb", **more: Any) -> Path:
    """Build and index it; the settings file. `other` is another caller of the role `east`."""
    (folder / "policy.yaml").write_text(yaml.safe_dump({"salt": SALT, "roles": ROLES}, allow_unicode=True), "utf-8")
    callers = [*(caller(role["name"], role["name"]) for role in ROLES), caller("other", "east")]
    settings = {
        "warehouse": {"url": url, "name": "demo"},
        "catalog": str(CATALOG),
        "policy": "policy.yaml",
        "stores": {"path": "stores"},
        "calendar": {"now": "2026-07-01T09:00:00+08:00"},
        "server": {"callers": callers},
        **more,
    }
    file = folder / "settings.yaml"
    file.write_text(yaml.safe_dump(settings, allow_unicode=True), "utf-8")
    loaded = load_settings(file)
    build(loaded.warehouse.url.get_secret_value())
    asyncio.run(indexed(loaded))
    return file


def key(name: str) -> dict[str, str]:
    """The header that signs a caller in."""
    return {"Authorization": f"Bearer {KEYS[name]}"}
