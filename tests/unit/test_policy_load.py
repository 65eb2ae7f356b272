"""A policy file is read with file, line and field in every complaint, and nothing in it may miss its target."""

from pathlib import Path

import pytest

from api.policies import Policies, load_policy, no_policy
from api.settings import load_settings
from data_agent.domain.caller import Caller
from data_agent.errors import InvalidInput, InvalidSettings, NotPermitted
from scripts.ask import attributes_of
from tests.cases.policy_star import star

GOOD = """\
salt: something long and secret
roles:
  - name: analyst
    allow: ["*"]
  - name: east
    allow: [orders, customers.*, regions.region_id, regions.area]
    deny: [customers.secret]
    filters:
      - table: orders
        where: region_id IN (SELECT r.region_id FROM regions r WHERE r.area = :caller.area)
        says: own area
    masks:
      - {column: customers.phone, kind: partial, keep_last: 4}
      - {column: customers.name, kind: hash}
    budget: {max_rows: 100, on_expensive: approve}
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "policy.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_whole_file_is_read(tmp_path):
    policy = load_policy(write(tmp_path, GOOD), star())
    role = policy.role("east")
    assert role.sees("orders", "amount") and role.sees("customers", "phone")
    assert not role.sees("customers", "secret") and not role.sees("regions", "manager")
    assert not role.sees("items", "qty")
    assert role.budget.max_rows == 100 and role.budget.on_expensive == "approve"


MISTAKES = {
    "deny: [customers.secret]": (
        "deny: [customers.secrets]",
        r"policy.yaml:7: roles.east.deny.\[1\]: .*did you mean `customers.secret`",
    ),
    "    allow: [orders": ("    allow: [order_lines", r"policy.yaml:6: .*no `order_lines`"),
    "customers.phone": ("customers.fone", r"policy.yaml:13: roles.east.masks.\[1\].column: .*`customers.fone`"),
    "kind: partial": ("kind: blur", r"policy.yaml:13: .*kind"),
    "keep_last: 4": ("keep_tail: 4", r"policy.yaml:13: .*unknown field"),
    "r.area =": ("r.aera =", r"policy.yaml:10: roles.east.filters.\[1\].where: .*aera"),
    "WHERE r.area = :caller.area)": ("WHERE SLEEP(3))", r"policy.yaml:10: .*SLEEP"),
    ":caller.area": ("@area", r"policy.yaml:10: .*:caller.NAME"),
    "table: orders": ("table: ordres", r"policy.yaml:9: .*`ordres`; did you mean `orders`"),
    "kind: hash}": ("kind: bucket}", r"policy.yaml:14: .*size.*by"),
    "salt: something long and secret\n": ("", r"policy.yaml:1: .*salt"),
    "  - name: east": ("  - name: analyst", r"policy.yaml:1: .*same name"),
    "max_rows: 100": ("max_rows: 0", r"policy.yaml:15: roles.east.budget.max_rows"),
    '    allow: ["*"]\n': ("", r"policy.yaml:3: roles.analyst.allow: is missing"),
    "roles:": ("rules:", r"policy.yaml:"),
}


@pytest.mark.parametrize("written", MISTAKES)
def test_a_mistake_is_told_with_its_place(tmp_path, written):
    wrong, told = MISTAKES[written]
    assert written in GOOD
    with pytest.raises(InvalidSettings, match=told):
        load_policy(write(tmp_path, GOOD.replace(written, wrong, 1)), star())


def test_a_complaint_never_repeats_the_salt(tmp_path):
    with pytest.raises(InvalidSettings) as wrong:
        load_policy(write(tmp_path, GOOD.replace("something long and secret", "[hush hush]")), star())
    assert "hush" not in str(wrong.value)


def test_a_missing_or_empty_file_is_told(tmp_path):
    with pytest.raises(InvalidSettings, match="cannot be read"):
        load_policy(tmp_path / "none.yaml", star())
    with pytest.raises(InvalidSettings, match="empty"):
        load_policy(write(tmp_path, ""), star())


def test_the_view_of_a_role_is_made_once_for_all_its_callers(tmp_path):
    policies = Policies(load_policy(write(tmp_path, GOOD), star()))
    one, two = (policies(star(), Caller(role="east", attributes={"area": area})) for area in ("East", "West"))
    assert one.view is two.view and one.caller != two.caller


def test_a_role_without_a_policy_is_refused_and_the_plain_caller_is_not():
    no_policy(star(), Caller())
    with pytest.raises(NotPermitted):
        no_policy(star(), Caller(role="east"))
    with pytest.raises(NotPermitted):
        no_policy(star(), Caller(attributes={"area": "East"}))


def test_the_setting_starts_at_the_file_s_own_folder(tmp_path):
    (tmp_path / "settings.yaml").write_text(
        "warehouse: {url: 'duckdb:///w.duckdb'}\ncatalog: catalog.yaml\npolicy: policy.yaml\n", encoding="utf-8"
    )
    assert load_settings(tmp_path / "settings.yaml", {}).policy == tmp_path / "policy.yaml"


def test_attributes_on_the_command_line_are_name_and_value():
    assert attributes_of(["area=East", "note=a=b"]) == {"area": "East", "note": "a=b"}
    for wrong in ("area", "=East"):
        with pytest.raises(InvalidInput):
            attributes_of([wrong])
