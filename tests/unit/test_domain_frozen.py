"""Copies of frozen models remember nothing of the model they were made from."""

from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Table


def test_a_slice_of_a_catalog_does_not_find_the_tables_that_were_cut() -> None:
    whole = Catalog(name="shop", version="v1", tables=(Table(name="orders"), Table(name="salaries")))
    assert whole.table("salaries")
    cut = whole.slice([whole.tables[0]], [])
    assert cut.table("salaries") is None and cut.table("orders") is not None


def test_a_copy_is_equal_to_a_fresh_one_with_the_same_fields() -> None:
    whole = Catalog(name="shop", version="v1", tables=(Table(name="orders"),))
    assert whole.by_name
    assert whole.model_copy(update={"version": "v2"}) == Catalog(name="shop", version="v2", tables=whole.tables)
