"""Where there are several warehouses the page lets a person pick one, and says which one answered."""

import json

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.browser.conftest import opened

pytestmark = pytest.mark.browser


async def with_names(browser: Browser, url: str, names: list[str]) -> tuple[Page, list[dict[str, object]]]:
    """The page of a service with these warehouses, and what it asks."""
    asked: list[dict[str, object]] = []
    page, _ = await opened(browser, "about:blank")

    async def listed(route: Route) -> None:
        await route.fulfill(json=names)

    async def heard(route: Route) -> None:
        asked.append(json.loads(route.request.post_data or "{}"))
        await route.continue_()

    await page.route("**/api/warehouses", listed)
    await page.route("**/api/query", heard)
    await page.goto(url)
    return page, asked


async def put(page: Page, question: str) -> None:
    await page.get_by_role("textbox").fill(question)
    await page.keyboard.press("Enter")
    await expect(page.locator("article").last).to_have_attribute("aria-busy", "false")


async def test_a_picked_warehouse_is_asked_and_without_one_the_question_decides(browser: Browser, url: str) -> None:
    page, asked = await with_names(browser, url, ["shop", "people"])
    picker = page.get_by_label("库")
    await expect(picker.locator("option")).to_have_text(["自动选库", "shop", "people"])
    await put(page, "各大区的销售额")
    await expect(page.locator("article footer").last).to_contain_text("fake")
    await picker.select_option("people")
    await put(page, "各大区的销售额")
    assert [each["warehouse"] for each in asked] == [None, "people"]
    await expect(page.get_by_role("alert").last).to_contain_text("people")


async def test_with_one_warehouse_there_is_nothing_to_pick(browser: Browser, url: str) -> None:
    """The case q290."""
    page, asked = await with_names(browser, url, ["shop"])
    await put(page, "各大区的销售额")
    await expect(page.locator("#warehouse")).to_be_hidden()
    await expect(page.locator("article footer").last).not_to_contain_text("fake")
    assert asked[0]["warehouse"] is None
