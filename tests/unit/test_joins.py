"""The join graph finds short, safe and honest ways between tables."""

from data_agent.catalog.joins import JoinGraph, link_name
from data_agent.domain.schema import Cardinality, Relationship


def link(near: str, column: str, far: str, cardinality: Cardinality = "many_to_one", name: str = "") -> Relationship:
    return Relationship(
        from_table=near,
        from_columns=(column,),
        to_table=far,
        to_columns=("id",),
        cardinality=cardinality,
        name=name,
    )


SHOP = (
    link("orders", "customer_id", "customers"),
    link("orders", "region_id", "regions", name="shipping region"),
    link("customers", "region_id", "regions", name="home region"),
    link("order_items", "order_id", "orders"),
    link("order_items", "product_id", "products"),
    link("product_tags", "product_id", "products"),
    link("product_tags", "tag_id", "tags"),
    link("employees", "manager_id", "employees"),
)
GRAPH = JoinGraph.of(SHOP)


def test_a_table_reaches_itself_by_an_empty_path() -> None:
    (path,) = GRAPH.paths("orders", "orders")
    assert path.links == ()
    assert not path.multiplies


def test_the_strictly_shortest_path_wins() -> None:
    (path,) = GRAPH.paths("orders", "regions")
    assert path.names == ("shipping region",)


def test_a_chosen_link_leads_the_longer_way() -> None:
    (path,) = GRAPH.paths("orders", "regions", through=["home region"])
    assert path.tables == ("orders", "customers", "regions")


def test_a_chosen_link_that_leads_nowhere_changes_nothing() -> None:
    assert GRAPH.paths("products", "tags", through=["no such"]) == GRAPH.paths("products", "tags")


def test_walking_from_many_to_one_repeats_nothing_and_back_does() -> None:
    (there,) = GRAPH.paths("order_items", "regions")
    (back,) = GRAPH.paths("regions", "order_items")
    assert not there.multiplies
    assert back.multiplies
    assert [link.cardinality for link in back.links] == ["one_to_many", "one_to_many"]


def test_a_bridge_is_walked_and_known_to_multiply() -> None:
    (path,) = GRAPH.paths("products", "tags")
    assert path.tables == ("products", "product_tags", "tags")
    assert path.multiplies
    assert GRAPH.paths("products", "tags", safe=True) == ()


def test_parallel_links_are_all_reported_by_name() -> None:
    graph = JoinGraph.of((link("deals", "buyer_id", "people"), link("deals", "seller_id", "people")))
    assert [path.names for path in graph.paths("deals", "people")] == [("deals.buyer_id",), ("deals.seller_id",)]
    (path,) = graph.paths("deals", "people", through=["deals.seller_id"])
    assert path.links[0].from_columns == ("seller_id",)


def test_equally_short_paths_over_different_tables_are_all_reported() -> None:
    graph = JoinGraph.of(
        (link("a", "b_id", "b"), link("a", "c_id", "c"), link("b", "d_id", "d"), link("c", "d_id", "d"))
    )
    assert [path.tables for path in graph.paths("a", "d")] == [("a", "b", "d"), ("a", "c", "d")]


def test_unrelated_tables_have_no_path() -> None:
    assert GRAPH.paths("employees", "orders") == ()


def test_connecting_adds_the_tables_between() -> None:
    links = GRAPH.connect(["regions", "tags"])
    assert set(GRAPH.tables_of(links)) == {"regions", "orders", "order_items", "products", "product_tags", "tags"}
    assert all(link in SHOP for link in links)


def test_connecting_is_the_smallest_tree_and_the_same_every_time() -> None:
    links = GRAPH.connect(["customers", "products", "regions"])
    assert len(links) == 4
    assert GRAPH.connect(["customers", "products", "regions"]) == links


def test_connecting_leaves_unrelated_tables_alone() -> None:
    assert GRAPH.connect(["orders", "employees", "customers"]) == (SHOP[0],)
    assert GRAPH.connect(["employees"]) == ()
    assert GRAPH.connect([]) == ()


def test_connecting_joins_each_island_by_itself() -> None:
    graph = JoinGraph.of((*SHOP, link("badges", "door_id", "doors")))
    assert graph.connect(["badges", "orders", "doors", "customers"]) == (
        link("badges", "door_id", "doors"),
        SHOP[0],
    )


def test_a_link_is_called_the_same_from_both_ends() -> None:
    for relationship in SHOP:
        assert link_name(relationship) == link_name(relationship.reversed())


def test_tables_are_connected_across_two_thousand_by_the_fewest_links() -> None:
    """In a tree of halves each of the three is at most eleven links from the root, and two of them share some."""
    graph = JoinGraph.of([link(f"t{i}", "parent_id", f"t{(i - 1) // 2}") for i in range(1, 2000)])
    found = graph.connect(["t1999", "t1000", "t1500", "t0"])
    joined = {table for each in found for table in (each.from_table, each.to_table)}
    assert {"t1999", "t1000", "t1500", "t0"} <= joined
    assert len(found) == len(joined) - 1 <= 3 * 11 - 2
