"""The Compose file and its settings say what the program understands."""

import os
import re
from pathlib import Path
from typing import Any

import yaml

from api.settings import load_settings

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]


def test_every_store_has_a_health_check_and_a_volume_that_is_declared() -> None:
    for name, service in SERVICES.items():
        if "image" in service:
            assert service["healthcheck"]["test"], name
        assert {volume.partition(":")[0] for volume in service["volumes"] if volume[0] != "."} <= COMPOSE[
            "volumes"
        ].keys()


def test_the_service_waits_for_the_demo_to_be_built_and_the_demo_for_every_store() -> None:
    assert SERVICES["service"]["depends_on"]["build-demo"]["condition"] == "service_completed_successfully"
    waits = SERVICES["build-demo"]["depends_on"]
    stores = {name for name, service in SERVICES.items() if "image" in service}
    assert waits.keys() == stores and {wait["condition"] for wait in waits.values()} == {"service_healthy"}


def test_every_variable_of_the_compose_file_is_in_the_example() -> None:
    asked = set(re.findall(r"(?<!\$)\$\{(\w+)", (ROOT / "docker-compose.yml").read_text(encoding="utf-8")))
    told = {line.partition("=")[0] for line in (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()}
    assert asked <= told


def test_the_settings_of_the_containers_are_valid_and_name_the_services(monkeypatch: Any) -> None:
    for name, value in SERVICES["service"]["environment"].items():
        if name != "DATA_AGENT_SETTINGS":
            filled = re.sub(r"\$\{\w+(?::?[-?]([^}]*))?\}", lambda found: found.group(1) or "x", value)
            monkeypatch.setenv(name, filled if "LLM" not in name else "")
    settings = load_settings(ROOT / "deploy" / "settings.yaml", os.environ)
    stores = settings.stores
    assert stores.redis_url and stores.metadata_url
    said = " ".join([stores.qdrant_url, stores.elasticsearch_url, settings.embedder.base_url])
    said += stores.redis_url.get_secret_value() + stores.metadata_url.get_secret_value()
    assert all(f"//{name}" in said or f"@{name}" in said for name in SERVICES if "image" in SERVICES[name])
