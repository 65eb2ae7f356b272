"""Three schemas made for a blind measurement: none of the rules of inference was written or changed with them in sight.

Each is a list of tables with columns, keys and declared references, in another style of naming, with traps: columns
that look like references and are none, several references to one table, references that the name does not tell.
"""

import random
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple


class Made(NamedTuple):
    """A table: `columns` as `name type`, references as `column -> table.column`, and how many rows."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    references: dict[str, str]
    rows: int


def table(name: str, columns: str, key: str = "", refs: str = "", rows: int = 60) -> Made:
    """Written short: columns with commas between, references as `a>t.k b>t.k`."""
    pairs = (pair.split(">") for pair in refs.split())
    names = tuple(part.strip() for part in columns.split(","))
    return Made(name, names, tuple(key.split()), dict(tuple(pair) for pair in pairs), rows)


CLINIC = (
    table("departments", "dept_no int, dept_name text, floor int", "dept_no", rows=9),
    table(
        "doctors",
        "doctor_no int, full_name text, dept int, title_code text, chief int",
        "doctor_no",
        "dept>departments.dept_no chief>doctors.doctor_no",
        40,
    ),
    table(
        "patients", "patient_no int, full_name text, birth_date date, gp int", "patient_no", "gp>doctors.doctor_no", 300
    ),
    table(
        "visits",
        "visit_no int, patient_no int, attending int, referring int, dept_no int, visited_on date, bed_no int",
        "visit_no",
        "patient_no>patients.patient_no attending>doctors.doctor_no referring>doctors.doctor_no "
        "dept_no>departments.dept_no",
        900,
    ),
    table("drugs", "atc text, drug_name text, unit_price money", "atc", rows=50),
    table(
        "prescriptions",
        "rx_no int, visit_no int, atc text, doses int, prescriber int",
        "rx_no",
        "visit_no>visits.visit_no atc>drugs.atc prescriber>doctors.doctor_no",
        1500,
    ),
    table("lab_tests", "test_code text, test_name text", "test_code", rows=25),
    table(
        "lab_results",
        "visit_no int, test_code text, measured_on date, reading float, batch_no int",
        "visit_no test_code",
        "visit_no>visits.visit_no test_code>lab_tests.test_code",
        700,
    ),
    table(
        "bills",
        "bill_id int, visit int, amount money, billed_on date, external_ref int",
        "bill_id",
        "visit>visits.visit_no",
        880,
    ),
)
FREIGHT = (
    table("country", "iso2 text, nameEn text", "iso2", rows=30),
    table("port", "portCd text, portNm text, countryIso2 text", "portCd", "countryIso2>country.iso2", 80),
    table("carrier", "carrierId int, carrierNm text, homeCountry text", "carrierId", "homeCountry>country.iso2", 15),
    table(
        "vessel",
        "vesselId int, vesselNm text, carrierId int, flag text, imoNo int",
        "vesselId",
        "carrierId>carrier.carrierId flag>country.iso2",
        60,
    ),
    table(
        "voyage",
        "voyageId int, vesselId int, originPort text, destPort text, departTs datetime, arriveTs datetime",
        "voyageId",
        "vesselId>vessel.vesselId originPort>port.portCd destPort>port.portCd",
        400,
    ),
    table(
        "shipper",
        "shipperId int, legalNm text, parentShipperId int",
        "shipperId",
        "parentShipperId>shipper.shipperId",
        120,
    ),
    table(
        "booking",
        "bookingId int, voyageId int, shipperId int, consigneeId int, bookedTs datetime, channelId int",
        "bookingId",
        "voyageId>voyage.voyageId shipperId>shipper.shipperId consigneeId>shipper.shipperId",
        1200,
    ),
    table("containerType", "isoType text, descr text, tareKg int", "isoType", rows=12),
    table(
        "container",
        "containerNo int, isoType text, ownerCarrierId int",
        "containerNo",
        "isoType>containerType.isoType ownerCarrierId>carrier.carrierId",
        500,
    ),
    table(
        "bookingContainer",
        "bookingId int, containerNo int, grossKg float, sealId int",
        "bookingId containerNo",
        "bookingId>booking.bookingId containerNo>container.containerNo",
        1400,
    ),
    table(
        "invoice",
        "invoiceId int, bookingId int, totalAmt money, issuedOn date",
        "invoiceId",
        "bookingId>booking.bookingId",
        1150,
    ),
)
SCHOOL = (
    table("学院", "学院编号 int, 学院名称 text", "学院编号", rows=8),
    table("教师", "工号 int, 姓名 text, 学院编号 int, 职称 text", "工号", "学院编号>学院.学院编号", 60),
    table(
        "学生",
        "学号 int, 姓名 text, 所属学院 int, 导师 int, 入学日期 date",
        "学号",
        "所属学院>学院.学院编号 导师>教师.工号",
        400,
    ),
    table("课程", "课程代码 text, 课程名 text, 先修课程 text, 学分 int", "课程代码", "先修课程>课程.课程代码", 50),
    table(
        "开课",
        "开课编号 int, 课程代码 text, 授课教师 int, 学期 text, 教室编号 int",
        "开课编号",
        "课程代码>课程.课程代码 授课教师>教师.工号 教室编号>教室.教室编号",
        150,
    ),
    table("教室", "教室编号 int, 楼名 text, 容量 int", "教室编号", rows=40),
    table(
        "选课",
        "学号 int, 开课编号 int, 成绩 float, 选课日期 date",
        "学号 开课编号",
        "学号>学生.学号 开课编号>开课.开课编号",
        2500,
    ),
    table("奖学金", "奖学金编号 int, 名称 text, 金额 money", "奖学金编号", rows=10),
    table(
        "获奖记录",
        "记录编号 int, 学号 int, 奖学金编号 int, 获奖日期 date, 批次号 int",
        "记录编号",
        "学号>学生.学号 奖学金编号>奖学金.奖学金编号",
        220,
    ),
)
SCHEMAS = {"heldout_clinic": CLINIC, "heldout_freight": FREIGHT, "heldout_school": SCHOOL}
TYPES = {
    "int": "INT",
    "text": "VARCHAR(40)",
    "money": "DECIMAL(12,2)",
    "float": "DOUBLE",
    "date": "DATE",
    "datetime": "DATETIME",
}


def statements(tables: tuple[Made, ...]) -> Iterator[str]:
    """MySQL statements that make the schema, its rows, and then the declared references."""
    keys: dict[str, list[Any]] = {}
    for made in tables:
        columns = ", ".join(f"`{c.split()[0]}` {TYPES[c.split()[1]]}" for c in made.columns)
        key = ", ".join(f"`{name}`" for name in made.key)
        yield f"CREATE TABLE `{made.name}` ({columns}, PRIMARY KEY ({key}))"
    for made in sorted(tables, key=lambda each: len(set(each.references.values()) - {f"{each.name}.{each.key[0]}"})):
        _keys(made, keys)
    for made in tables:
        yield from _rows(made, keys)
    for made in tables:
        for column, target in made.references.items():
            name, _, to = target.partition(".")
            yield f"ALTER TABLE `{made.name}` ADD FOREIGN KEY (`{column}`) REFERENCES `{name}` (`{to}`)"


def _keys(made: Made, keys: dict[str, list[Any]]) -> None:
    """Values of a key of one column: running numbers from an odd start, or short codes."""
    if len(made.key) != 1:
        return
    kind = next(c.split()[1] for c in made.columns if c.split()[0] == made.key[0])
    dice = random.Random(made.name)
    start = dice.choice([1, 1, 1000])
    codes = [f"{dice.choice('ABCDEFGHKLM')}{dice.choice('ABCDEFGHKLM')}{n:02}" for n in range(made.rows)]
    keys[f"{made.name}.{made.key[0]}"] = [start + n for n in range(made.rows)] if kind == "int" else codes


def _rows(made: Made, keys: dict[str, list[Any]]) -> Iterator[str]:
    dice, seen, rows = random.Random(f"{made.name}/rows"), set(), []
    for number in range(made.rows):
        row = [_cell(made, column, number, dice, keys) for column in made.columns]
        places = [at for at, c in enumerate(made.columns) if c.split()[0] in made.key]
        identity = tuple(row[at] for at in places)
        if identity not in seen:
            seen.add(identity)
            rows.append(f"({', '.join(_literal(cell) for cell in row)})")
    yield f"INSERT INTO `{made.name}` VALUES {', '.join(rows)}"


def _cell(made: Made, column: str, number: int, dice: random.Random, keys: dict[str, list[Any]]) -> Any:
    name, kind = column.split()
    if target := made.references.get(name):
        return None if dice.random() < 0.03 and name not in made.key else dice.choice(keys[target])
    if made.key == (name,):
        return keys[f"{made.name}.{name}"][number]
    if kind == "text":
        return f"{name[:3]}{dice.randrange(10**4)}" if dice.random() < 0.9 else "x"
    if kind in {"money", "float"}:
        return round(dice.uniform(1, 5000), 2)
    if kind == "int":
        return dice.randrange(1, 200)
    day = date(2025, 1, 1) + timedelta(days=dice.randrange(500))
    return day if kind == "date" else f"{day} {dice.randrange(24):02}:00:00"


def _literal(cell: Any) -> str:
    return "NULL" if cell is None else str(cell) if isinstance(cell, int | float) else f"'{cell}'"
