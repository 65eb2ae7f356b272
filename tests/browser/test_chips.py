"""The reading on the page: each part can be changed or taken out, and what comes back is measured as it stands."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.test_page import put
from tests.guarded import KEYS, guarded_demo
from tests.serving import serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]
QUESTION = "2025年第一季度各大区的销售额"


@pytest.fixture(scope="module")
def demo_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    file = guarded_demo(tmp_path_factory.mktemp("chips"))
    with serving("scripts.main", "serve", "--settings", str(file), "--port") as started:
        yield started


async def signed_in(browser: Browser, url: str, role: str, **how: object) -> Page:
    page, _ = await opened(browser, url, **how)  # type: ignore[arg-type]
    await page.evaluate("key => sessionStorage.setItem('key', key)", KEYS[role])
    return page


async def test_chips_are_changed_taken_out_and_added_by_keyboard(
    browser: Browser, demo_url: str, pictures: Path
) -> None:
    page = await signed_in(browser, demo_url, "analyst")
    turn = await put(page, QUESTION)
    await expect(turn.locator("tbody tr")).to_have_count(7)
    await turn.get_by_role("button", name="+").or_(turn.get_by_role("button", name="再加一项")).first.focus()
    await page.keyboard.press("Enter")
    await turn.get_by_role("combobox").select_option("filter")
    await turn.get_by_role("textbox").fill("大区=华东|华北")
    await page.screenshot(path=pictures / "chips.png", full_page=True)
    async with page.expect_request("**/api/metrics/query") as asked:
        await page.keyboard.press("Enter")
    assert (await asked.value).post_data_json["where"] == ["大区=华东|华北"]
    await expect(turn.locator("tbody tr")).to_have_count(2)
    await expect(turn.locator(".sql code")).to_contain_text("华东")
    await expect(turn.locator(".add")).to_be_focused()
    await turn.locator(".chip.time .part").click()
    await turn.get_by_role("textbox").fill("2025-Q2")
    await page.keyboard.press("Enter")
    await expect(turn.locator(".sql code")).to_contain_text("2025-04-01")
    await turn.locator(".chip.dimension .drop").click()
    await expect(turn.locator(".tiles")).to_be_visible()
    await page.screenshot(path=pictures / "chips-after.png", full_page=True)
    assert await page.locator("article").count() == 1


async def test_a_part_that_means_nothing_is_said_and_the_reading_stays(browser: Browser, demo_url: str) -> None:
    page = await signed_in(browser, demo_url, "analyst", locale="en-US")
    turn = await put(page, "monthly revenue in 2025")
    await turn.locator(".chip.metric .part").click()
    await turn.get_by_role("textbox").fill("sails")
    await page.keyboard.press("Enter")
    await expect(turn.get_by_role("alert")).to_contain_text("no such name: sails")
    await expect(turn.locator(".chip.metric")).to_be_visible()
    await turn.locator(".chip.metric .part").click()
    await page.keyboard.press("Escape")
    await expect(turn.locator(".editor")).to_be_hidden()


@pytest.mark.parametrize(("button", "there"), [("批准执行", "table"), ("不执行", ".problem")])
async def test_an_expensive_statement_is_approved_or_declined_by_a_click(
    browser: Browser, demo_url: str, pictures: Path, button: str, there: str
) -> None:
    page = await signed_in(browser, demo_url, "careful")
    turn = await put(page, "各大区的订单数")
    await page.screenshot(path=pictures / "approve.png", full_page=True)
    await turn.get_by_role("button", name=button, exact=True).click()
    await expect(turn.locator(there)).to_be_visible()
    await expect(turn.locator(".choices")).to_have_count(0)


async def test_without_a_key_the_page_asks_for_one(browser: Browser, demo_url: str) -> None:
    page, _ = await opened(browser, demo_url)
    turn = await put(page, QUESTION)
    await turn.get_by_label("密钥").fill(KEYS["analyst"])
    await page.keyboard.press("Enter")
    await expect(page.locator("article").last.locator("tbody tr")).to_have_count(7)
