"""A reading account needs SELECT and SHOW VIEW; anything more is found, with the statement that takes it away."""

import pytest

from data_agent.sql.grants import excess

FINE = ("GRANT USAGE ON *.* TO `reader`@`%`", "GRANT SELECT, SHOW VIEW ON `shop`.* TO `reader`@`%`")
MORE = {
    "writing": ("GRANT SELECT, INSERT ON `shop`.* TO `r`@`%`", "REVOKE INSERT ON `shop`.* FROM `r`@`%`;"),
    "files": ("GRANT FILE ON *.* TO `r`@`%`", "REVOKE FILE ON *.* FROM `r`@`%`;"),
    "everything": ("GRANT ALL PRIVILEGES ON `shop`.* TO `r`@`%`", "REVOKE ALL PRIVILEGES ON `shop`.* FROM `r`@`%`;"),
    "the whole server": ("GRANT SELECT ON *.* TO `r`@`%`", "REVOKE SELECT ON *.* FROM `r`@`%`;"),
    "handing on": (
        "GRANT SELECT ON `shop`.* TO `r`@`%` WITH GRANT OPTION",
        "REVOKE GRANT OPTION ON `shop`.* FROM `r`@`%`;",
    ),
    "columns": (
        "GRANT SELECT (`a`, `b`), UPDATE (`a`) ON `s`.`t` TO `r`@`%`",
        "REVOKE UPDATE ON `s`.`t` FROM `r`@`%`;",
    ),
    "dynamic": ("GRANT SYSTEM_USER ON *.* TO `r`@`%`", "REVOKE SYSTEM_USER ON *.* FROM `r`@`%`;"),
}


def test_reading_is_not_too_much() -> None:
    assert excess(FINE) == []


@pytest.mark.parametrize(("grant", "mend"), MORE.values(), ids=MORE)
def test_anything_more_is_found_with_its_cure(grant: str, mend: str) -> None:
    """The case q051."""
    assert [each.mend for each in excess((*FINE, grant))] == [mend]
