"""Writing a catalog down again, and its schema for editors."""

import json
from pathlib import Path

import jsonschema
import yaml

from data_agent.catalog.dump import content_hash, dump_catalog
from data_agent.catalog.load import load_catalog
from data_agent.catalog.models import json_schema
from data_agent.domain.catalog import Catalog, Document
from data_agent.domain.schema import Column, Table
from demo.layout import CATALOG, demo_catalog

SCHEMA = Path(__file__).parents[2] / "docs" / "catalog.schema.json"


def test_what_is_dumped_loads_back_equal(tmp_path):
    path = tmp_path / "again.yaml"
    path.write_text(dump_catalog(demo_catalog()), encoding="utf-8")
    again, warnings = load_catalog(path)
    assert (again, warnings) == (demo_catalog(), ())


def test_awkward_texts_survive_the_round_trip(tmp_path):
    names = ("yes", "null", "01", "2024-01-01", "a: b", " # c", "'quoted'", "第一\n第二", "~", "{x}")
    columns = tuple(Column(table="t", name=name, description=name, aliases=(name,)) for name in names)
    texts = tuple(Document(title=name, text=name.strip(), source=name) for name in names)
    catalog = Catalog(name="no", version="", tables=(Table(name="t", columns=columns),), documents=texts)
    path = tmp_path / "awkward.yaml"
    path.write_text(dump_catalog(catalog), encoding="utf-8")
    assert load_catalog(path)[0].model_copy(update={"version": ""}) == catalog


def test_the_version_is_the_hash_of_the_content():
    catalog = demo_catalog()
    assert catalog.version == content_hash(catalog)
    assert content_hash(catalog.model_copy(update={"name": "other"})) != catalog.version


def test_the_published_schema_is_current():
    written = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert written == json_schema(), "write it anew: see docs/catalog.md, section 'In an editor'"


def test_the_demo_catalog_fits_the_published_schema():
    plain = json.loads(json.dumps(yaml.safe_load(CATALOG.read_text(encoding="utf-8"))))
    jsonschema.validate(plain, json_schema())
    jsonschema.validate(yaml.safe_load(dump_catalog(demo_catalog())), json_schema())


def test_the_schema_refuses_unknown_fields():
    checker = jsonschema.Draft202012Validator(json_schema())
    assert not checker.is_valid({"tables": [{"name": "t", "rol": "fact"}]})
    assert checker.is_valid({"tables": [{"name": "t", "role": "fact", "aliases": "one word"}]})
