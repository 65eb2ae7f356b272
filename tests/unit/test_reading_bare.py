"""Catalogs that nobody described: names as the database spells them, asked in English and in Chinese."""

from datetime import UTC, datetime

import pytest

from data_agent.domain.catalog import Catalog
from data_agent.domain.metric import Metric
from data_agent.domain.reading import Reading
from data_agent.domain.schema import Column, ColumnRole, Relationship, Table, TableRole
from data_agent.domain.time import CalendarSettings
from data_agent.domain.value import Value
from data_agent.reading.lexicon import Lexicon
from data_agent.reading.read import read
from tests.unit.reading_shop import gist, left


def table(name: str, columns: str, role: TableRole = "dim", label: str | None = None) -> Table:
    """Columns from a text: `name type role` with commas between."""
    roles: dict[str, ColumnRole] = {"pk": "primary_key", "fk": "foreign_key", "m": "measure", "d": "dimension"}
    made = []
    for part in columns.split(", "):
        column, kind, letter = part.split(" ")
        made.append(Column(table=name, name=column, type=kind, role=roles[letter]))
    keys = tuple(each.name for each in made if each.role == "primary_key")
    return Table(name=name, columns=tuple(made), role=role, primary_key=keys, label_column=label)


def link(near: str, far: str) -> Relationship:
    (a, b), (c, d) = near.split("."), far.split(".")
    return Relationship(from_table=a, from_columns=(b,), to_table=c, to_columns=(d,))


CATALOG = Catalog(
    name="bare",
    version="1",
    tables=(
        table("people", "People_ID int pk, Name text d, Nationality text d, Height float m", label="Name"),
        table("poker_player", "Poker_Player_ID int pk, People_ID int fk, Earnings float m", "fact"),
        table("singer", "Singer_ID int pk, Name text d, Citizenship text d, Net_Worth_Millions float m", label="Name"),
        table("song", "Song_ID int pk, Title text d, Singer_ID int fk, Sales float m", "fact", label="Title"),
        table("student", "StuID int pk, Fname text d, LName text d, Age int m"),
        table("pets", "PetID int pk, PetType text d, pet_age int m, weight float m"),
        table("has_pet", "StuID int fk, PetID int pk", "bridge"),
    ),
    metrics=(Metric(name="song_count", aliases=("number of song",), table="song", expression="COUNT(song.Song_ID)"),),
    relationships=(
        link("poker_player.People_ID", "people.People_ID"),
        link("song.Singer_ID", "singer.Singer_ID"),
        link("has_pet.StuID", "student.StuID"),
        link("has_pet.PetID", "pets.PetID"),
    ),
)
LEXICON = Lexicon.of(CATALOG)
VALUES = (Value(table="people", column="Nationality", text="Russia", word="Russia"),)


def ask(question: str) -> Reading:
    return read(
        question,
        catalog=CATALOG,
        lexicon=LEXICON,
        values=VALUES,
        now=datetime(2026, 3, 1, tzinfo=UTC),
        calendar=CalendarSettings(),
        margin=0.08,
    )


def order(reading: Reading) -> list[tuple[str, bool]]:
    return [(each.column, each.descending) for each in reading.order]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What are the names of poker players?", "by people.Name | poker_player.* has_rows"),
        ("List the names of people that are not poker players.", "by people.Name | poker_player.* no_rows"),
        ("Find the average weight for each pet type", "avg(pets.weight) | by pets.PetType"),
        ("What is the average age for each pet type?", "avg(pets.pet_age) | by pets.PetType"),
        ("average and maximum age for each pet type", "avg(pets.pet_age) | max(pets.pet_age) | by pets.PetType"),
        ("学生平均年龄是多少", "avg(student.Age)"),
        ("各宠物类型的平均年龄", "avg(pets.pet_age) | by pets.PetType"),
        ("歌手有多少个", "count(singer.*)"),
        ("Names of people from Russia", "by people.Name | people.Nationality = Russia"),
        ("Find the pets older than 2", "INCOMPLETE | pets.pet_age > 2"),
        ("List the weight of pets with a greater weight than 10", "by pets.weight | pets.weight > 10"),
        ('Names of people whose name contains "ov"', "by people.Name | people.Name like %ov%"),
    ],
)
def test_reads_what_the_database_spells(question, expected):
    assert gist(ask(question)) == expected


@pytest.mark.parametrize(
    ("question", "column", "descending", "limit"),
    [
        ("List the name of singers in ascending order of net worth.", "singer.Net_Worth_Millions", False, None),
        ("names of poker players in descending order of earnings", "poker_player.Earnings", True, None),
        ("What is the name of the singer with the largest net worth?", "singer.Net_Worth_Millions", True, 1),
        ("names of the tallest people", "people.Height", True, 1),
        ("List the title of songs in reverse alphabetical order", "song.Title", True, None),
        ("按净资产升序排列歌手姓名", "singer.Net_Worth_Millions", False, None),
        ("最重的宠物的类型", "pets.weight", True, 1),
    ],
)
def test_rows_are_put_in_the_order_that_was_asked(question, column, descending, limit):
    found = ask(question)
    assert found.complete, left(found)
    assert order(found) == [(column, descending)]
    assert found.limit == limit and found.rows


def test_what_only_ranks_is_hidden():
    found = ask("What is the most common citizenship of singers?")
    assert found.complete and [metric.hidden for metric in found.metrics] == [True]
    assert [place.column for place in found.dimensions] == ["singer.Citizenship"]


def test_each_of_two_rows_with_one_name_is_counted_apart():
    found = ask("What are the names of singers that have more than one song?")
    assert found.complete, left(found)
    assert [(place.column, place.hidden) for place in found.dimensions] == [
        ("singer.Singer_ID", True),
        ("singer.Name", False),
    ]


def test_what_is_linked_by_a_bridge_is_had():
    found = ask("Find the first name of students who have a pet")
    assert found.complete, left(found)
    assert [(held.column, held.operator) for held in found.filters] == [("has_pet.*", "has_rows")]


@pytest.mark.parametrize(
    "question",
    [
        "Show the citizenship of that singer by that name",
        "List the largest number of songs sung by foreigners",
        "找出不同类型宠物的数量",
        "面积最大的歌手的净资产",
        "names of singers who won both prizes",
        "Find the age of students whose pet is ill",
    ],
)
def test_what_is_not_explained_is_not_answered(question):
    assert not ask(question).complete
