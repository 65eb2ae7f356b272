"""Ranking tables and columns from hits: pure arithmetic."""

from data_agent.domain.catalog import Catalog
from data_agent.domain.schema import Column, Relationship, Table
from data_agent.domain.value import ColumnHit, Value
from data_agent.linking.link import Linked, link
from data_agent.linking.weights import Weights


def table(name: str, *columns: str, **more: object) -> Table:
    return Table(name=name, columns=tuple(Column(table=name, name=c) for c in columns), **more)  # type: ignore[arg-type]


SHOP = Catalog(
    name="shop",
    version="v1",
    tables=(
        table("orders", "order_id", "status", "amount"),
        table("customers", "customer_id", "city", "level"),
        table("regions", "region_id", "province", "climate"),
        table("old_orders", "order_id", retired=True),
    ),
    relationships=(
        Relationship(
            from_table="orders", from_columns=("customer_id",), to_table="customers", to_columns=("customer_id",)
        ),
    ),
)


def hit(id_: str, dense: float | None = 0.1, name: float | None = 0.1, text: float | None = None) -> ColumnHit:
    owner, _, column = id_.partition(".")
    return ColumnHit(table=owner, column=column, dense=dense, name=name, text=text)


def everything() -> list[ColumnHit]:
    return [hit(t.name) for t in SHOP.tables] + [hit(c.id) for t in SHOP.tables for c in t.columns]


def order(linked: Linked) -> tuple[list[str], list[str]]:
    return [name for name, _ in linked.tables], [name for name, _ in linked.columns]


def test_no_hits_link_nothing() -> None:
    assert link([], SHOP, []) == Linked()


def test_hits_the_catalog_does_not_hold_are_ignored() -> None:
    assert link([hit("ghosts"), hit("ghosts.name")], SHOP, ["ghosts"]) == Linked()


def test_retired_tables_are_never_linked() -> None:
    tables, columns = order(link([hit("old_orders", 0.9, 0.9), hit("orders")], SHOP, []))
    assert tables == ["orders"] and "old_orders.order_id" not in columns


def test_the_nearest_column_comes_first_and_pulls_its_table_up() -> None:
    tables, columns = order(link([*everything(), hit("customers.city", 0.9, 0.9)], SHOP, ["city"]))
    assert tables[0] == "customers" and columns[0] == "customers.city"


def test_a_column_inherits_from_its_table() -> None:
    found = [hit("orders", 0.9, 0.9), hit("regions", 0.1, 0.1), hit("orders.status", 0.2), hit("regions.province", 0.2)]
    _, columns = order(link(found, SHOP, []))
    assert columns.index("orders.status") < columns.index("regions.province")


def test_a_value_that_was_found_pulls_its_column_up_even_without_a_hit() -> None:
    found = [hit("orders"), hit("orders.amount")]
    values = [Value(table="regions", column="province", text="北京市", word="北京", score=0.95)]
    _, columns = order(link(found, SHOP, ["北京"], values))
    assert columns[0] == "regions.province"


def test_a_stronger_value_counts_more() -> None:
    def score(likeness: float) -> float:
        value = Value(table="regions", column="province", text="北京市", score=likeness)
        return dict(link(everything(), SHOP, [], [value]).columns)["regions.province"]

    assert score(1.0) > score(0.6)


def test_the_lexical_side_is_left_out_when_it_found_nothing() -> None:
    silent = [hit(h.table + ("." + h.column if h.column else ""), 0.1, 0.1, None) for h in everything()]
    heavy = Weights(column_text=50, table_text=50)
    assert link(silent, SHOP, []) == link(silent, SHOP, [], weights=heavy)


def test_words_that_match_a_column_decide_between_equals() -> None:
    found = [hit("orders"), hit("orders.amount", 0.2, 0.2, 4.0), hit("orders.status", 0.2, 0.2)]
    _, columns = order(link(found, SHOP, ["amount"]))
    assert columns[0] == "orders.amount"


def test_a_neighbour_over_a_foreign_key_is_pulled_up() -> None:
    found = [hit("orders", 0.9, 0.9), hit("customers", 0.2, 0.2), hit("regions", 0.2, 0.2)]
    tables, _ = order(link(found, SHOP, []))
    assert tables == ["orders", "customers", "regions"]


def test_tables_of_the_same_domain_support_each_other() -> None:
    held = tuple(t.model_copy(update={"domain": d}) for t, d in zip(SHOP.tables, ["a", "b", "a", "b"], strict=True))
    alone = SHOP.model_copy(update={"tables": held, "relationships": ()})
    found = [hit("orders", 0.9, 0.9), hit("customers", 0.2, 0.2), hit("regions", 0.2, 0.2)]
    tables, _ = order(link(found, alone, []))
    assert tables == ["orders", "regions", "customers"]


def test_every_column_of_a_table_that_was_hit_is_ranked() -> None:
    _, columns = order(link([hit("orders"), hit("orders.status", 0.5, 0.5)], SHOP, []))
    assert set(columns) == {"orders.order_id", "orders.status", "orders.amount"}


def test_the_order_of_hits_does_not_matter() -> None:
    found = [*everything(), hit("customers.city", 0.9, 0.9)]
    assert order(link(found, SHOP, ["city"])) == order(link(found[::-1], SHOP, ["city"]))


def test_a_catalog_of_one_column_is_no_special_case() -> None:
    one = Catalog(name="one", version="v", tables=(table("t", "c"),))
    assert order(link([hit("t"), hit("t.c")], one, ["c"])) == (["t"], ["t.c"])


CLINIC = Catalog(
    name="clinic",
    version="v1",
    tables=(
        table("clinic.doctor", "doctor_id", "grade", domain="clinic"),
        table("clinic.treats", "doctor_id", "patient_id", domain="clinic"),
        table("clinic.patient", "patient_id", "weight", domain="clinic"),
        table("clinic.room", "room_no", "floor", domain="clinic"),
        table("zoo.keeper", "keeper_no", "age", domain="zoo"),
        table("zoo.cage", "cage_no", "size", domain="zoo"),
    ),
)
HEARD = ("clinic.doctor", "clinic.doctor.grade", "clinic.patient", "clinic.patient.weight")


def clinic_hits() -> list[ColumnHit]:
    ids = [t.name for t in CLINIC.tables] + [c.id for t in CLINIC.tables for c in t.columns]
    scores = {id_: 0.9 if id_ in HEARD else 0.1 for id_ in ids}
    tables = {t.name for t in CLINIC.tables}
    hits = []
    for id_, score in scores.items():
        owner, _, column = (id_, "", "") if id_ in tables else id_.rpartition(".")
        hits.append(ColumnHit(table=owner, column=column, dense=score, name=score))
    return hits


def test_the_table_between_two_good_ones_comes_with_its_keys() -> None:
    tables, columns = order(link(clinic_hits(), CLINIC, []))
    assert set(tables[:3]) == {"clinic.doctor", "clinic.patient", "clinic.treats"}
    assert {"clinic.treats.doctor_id", "clinic.treats.patient_id"} <= set(columns[:6])


def test_a_table_beside_good_ones_beats_the_same_hit_in_another_domain() -> None:
    tables, _ = order(link(clinic_hits(), CLINIC, []))
    assert tables.index("clinic.room") < tables.index("zoo.cage")


def test_tables_that_nothing_joins_are_linked_without_a_way() -> None:
    lonely = CLINIC.model_copy(update={"tables": (CLINIC.tables[3], CLINIC.tables[4])})
    tables, _ = order(link(clinic_hits(), lonely, []))
    assert sorted(tables) == ["clinic.room", "zoo.keeper"]
