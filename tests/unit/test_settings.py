"""Settings are read from a file and variables, and every mistake says where it is."""

from pathlib import Path

import pytest

from api.settings import Settings, load_settings
from data_agent.errors import InvalidSettings

GOOD = """
warehouse:
  url: duckdb:///shop.duckdb
catalog: catalog.yaml
llm:
  base_url: http://127.0.0.1:9/v1
  api_key: sk-secret-1
  models: {smart: big}
calendar:
  fiscal_year_start: 4
options:
  max_corrections: 1
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "settings.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def mistakes(folder: Path, text: str, environ: dict[str, str] | None = None) -> list[str]:
    with pytest.raises(InvalidSettings) as caught:
        load_settings(written(folder, text), environ or {})
    return caught.value.message.replace(f"{folder}/", "").splitlines()


def test_a_file_sets_everything_and_its_paths_start_at_its_folder(tmp_path: Path) -> None:
    settings = load_settings(written(tmp_path, GOOD), {})
    assert settings.warehouse.file == tmp_path / "shop.duckdb"
    assert settings.catalog == tmp_path / "catalog.yaml"
    assert settings.workflow.calendar.fiscal_year_start == 4
    assert settings.workflow.max_corrections == 1
    assert settings.llm.models.by_role() == {"fast": "big", "smart": "big", "judge": "big"}


def test_without_a_file_the_embedded_demo_is_meant() -> None:
    settings = load_settings(None, {})
    assert settings.warehouse.embedded
    assert settings.catalog.name == "catalog.yaml"
    assert settings.calendar.now is not None
    assert settings.llm.models.by_role() == {}


def test_the_clock_of_the_demo_does_not_hold_for_another_warehouse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_AGENT_WAREHOUSE__URL", "mysql+pymysql://reader@127.0.0.1/shop")
    monkeypatch.setenv("DATA_AGENT_CATALOG", "shop.yaml")
    assert load_settings(None).calendar.now is None


def test_a_variable_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_AGENT_OPTIONS__MAX_CORRECTIONS", "5")
    monkeypatch.setenv("DATA_AGENT_LLM__TIMEOUT_SECONDS", "7")
    settings = load_settings(written(tmp_path, GOOD))
    assert settings.options.max_corrections == 5
    assert settings.llm.timeout_seconds == 7
    assert settings.llm.base_url == "http://127.0.0.1:9/v1"


def test_the_file_may_be_named_by_a_variable(tmp_path: Path) -> None:
    settings = load_settings(None, {"DATA_AGENT_SETTINGS": str(written(tmp_path, GOOD))})
    assert settings.warehouse.name == "warehouse"


def test_secrets_are_not_printed(tmp_path: Path) -> None:
    """The case q257."""
    settings = load_settings(written(tmp_path, GOOD.replace("duckdb:///shop.duckdb", "mysql://u:hush@h/shop")), {})
    assert "sk-secret-1" not in repr(settings)
    assert "hush" not in repr(settings)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("max_corrections: 1", "max_corrections: many"), "settings.yaml:12: options.max_corrections: must be"),
        (("max_corrections: 1", "max_correction: 1"), "settings.yaml:12: options.max_correction: there is no"),
        (("max_corrections: 1", "max_correction: 1"), "did you mean max_corrections?"),
        (("duckdb:///shop.duckdb", "oracle://x"), "settings.yaml:3: warehouse.url: must start with duckdb:///"),
        (("fiscal_year_start: 4", "fiscal_year_start: 13"), "calendar.fiscal_year_start: must be at most 12"),
        (("fiscal_year_start: 4", "time_zone: Mars/Base"), "settings.yaml:10: calendar.time_zone: no such time zone"),
        (("fiscal_year_start: 4", "now: 2026-07-01T09:00:00"), "settings.yaml:10: calendar.now: needs an offset"),
        (("models: {smart: big}", ""), "llm: base_url is set and models is not"),
        (("catalog: catalog.yaml", ""), "settings.yaml:2: catalog: is required"),
        (("options:", "llm: {}\noptions:"), "settings.yaml:11: llm: said twice"),
        (("options:", "options: ["), "not valid YAML"),
    ],
)
def test_a_mistake_is_shown_with_file_line_and_field(tmp_path: Path, change: tuple[str, str], expected: str) -> None:
    assert any(expected in line for line in mistakes(tmp_path, GOOD.replace(*change)))


def test_every_mistake_is_listed_at_once_and_no_value_is_repeated(tmp_path: Path) -> None:
    text = GOOD.replace("max_corrections: 1", "max_corrections: hush").replace("url: duckdb", "url: hush")
    found = mistakes(tmp_path, text)
    assert len(found) == 2
    assert "hush" not in "\n".join(found)


def test_a_wrong_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_AGENT_SERVER__PORT", "http")
    with pytest.raises(InvalidSettings, match=r"DATA_AGENT_SERVER__PORT: server.port: must be a whole number"):
        load_settings(written(tmp_path, GOOD))


def test_a_missing_file_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings, match=r"nowhere.yaml: cannot be read: No such file"):
        load_settings(tmp_path / "nowhere.yaml", {})


def test_the_calendar_is_written_in_one_place_only(tmp_path: Path) -> None:
    text = GOOD.replace("max_corrections: 1", "calendar: {week_start: 6}")
    assert "write the calendar in its own section" in mistakes(tmp_path, text)[0]


def test_a_secret_stays_out_of_the_schema_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_AGENT_WAREHOUSE__URL", "postgres://u:hush@h/db")
    with pytest.raises(InvalidSettings) as caught:
        load_settings(None)
    assert "hush" not in str(caught.value)
    assert Settings.model_fields
