"""The page in a real browser: ask, watch, read, check, stop, in both languages, at any width."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.fakes.graph import SQL

pytestmark = pytest.mark.browser
QUESTION = "2025年第一季度各大区的销售额"


async def put(page: Page, question: str) -> Any:
    """Ask, wait for the end, return the turn."""
    await page.get_by_role("textbox").fill(question)
    await page.keyboard.press("Enter")
    turn = page.locator("article").last
    await expect(turn).to_have_attribute("aria-busy", "false")
    return turn


async def test_a_question_is_answered_with_reading_sql_and_table(browser: Browser, url: str, pictures: Path) -> None:
    page, watched = await opened(browser, url)
    turn = await put(page, QUESTION)
    await expect(turn.get_by_role("heading")).to_have_text(QUESTION)
    await expect(turn.locator(".chip")).to_have_text(["指标 销售额", "分组 大区"])
    await expect(turn.locator(".summary")).to_have_text("华东的销售额最高：1,234,567.50 元")
    assert await turn.locator("pre code").evaluate("node => node.textContent") == SQL
    await expect(turn.locator(".notes")).to_have_text("数据截至 2026-06-30")
    await expect(turn.locator("footer")).to_contain_text("3 行")
    await page.screenshot(path=pictures / "answer.png", full_page=True)
    assert watched.complaints == []
    assert watched.hosts == {url.removeprefix("http://")}


async def test_cells_keep_every_digit_and_tell_null_from_empty(browser: Browser, url: str) -> None:
    page, _ = await opened(browser, url)
    turn = await put(page, QUESTION)
    first = turn.locator("tbody tr").nth(0).locator("td")
    await expect(first).to_have_text(["华东", "1,234,567.50", "9223372036854775807", "—"])
    await expect(turn.locator("tbody tr").nth(1).locator("td").nth(3)).to_have_text("（空）")
    await expect(first.nth(1)).to_have_css("text-align", "right")
    await expect(first.nth(0)).to_have_css("text-align", "start")
    await expect(turn.get_by_role("columnheader").nth(1)).to_contain_text("元")


async def test_numbers_sort_as_numbers(browser: Browser, url: str) -> None:
    """The case q131."""
    page, _ = await opened(browser, url)
    turn = await put(page, QUESTION)
    head = turn.get_by_role("columnheader").nth(1)
    await head.get_by_role("button").click()
    await expect(head).to_have_attribute("aria-sort", "descending")
    await expect(turn.locator("tbody td:nth-child(2)")).to_have_text(["1,234,567.50", "10.00", "-9.00"])
    await head.get_by_role("button").click()
    await expect(turn.locator("tbody td:nth-child(2)")).to_have_text(["-9.00", "10.00", "1,234,567.50"])


async def test_what_the_warehouse_holds_is_text_and_never_markup(browser: Browser, url: str) -> None:
    """The case q114."""
    page, watched = await opened(browser, url)
    turn = await put(page, "<img src=x onerror=alert(2)> 各大区")
    assert await turn.locator("img").count() == 0
    await expect(turn.locator("tbody td").nth(4)).to_contain_text("<img src=x onerror=alert(1)>")
    assert watched.complaints == []


async def test_the_csv_cannot_start_a_formula(browser: Browser, url: str) -> None:
    page, _ = await opened(browser, url)
    turn = await put(page, QUESTION)
    async with page.expect_download() as waiting:
        await turn.get_by_role("button", name="下载 CSV").click()
    text = (await (await waiting.value).path()).read_bytes().decode("utf-8")
    assert text.startswith("\ufeff大区,销售额,编号,备注\r\n华东,1234567.50,9223372036854775807,\r\n")
    assert '"\'=HYPERLINK(""http://x"",""点我"")",10.00,2,"a,b\n""c"""' in text
    assert "-9.00" in text


async def test_the_statement_can_be_copied(browser: Browser, url: str) -> None:
    page, _ = await opened(browser, url, permissions=["clipboard-read", "clipboard-write"])
    turn = await put(page, QUESTION)
    await turn.get_by_role("button", name="复制").click()
    await expect(turn.get_by_role("button", name="已复制")).to_be_visible()
    copied = await page.evaluate("navigator.clipboard.readText()")
    assert copied.replace("\r\n", "\n") == SQL.replace("\r\n", "\n")


async def test_steps_are_watched_live_and_stop_stops_them(browser: Browser, url: str, pictures: Path) -> None:
    page, watched = await opened(browser, url)
    await page.get_by_role("textbox").fill("慢")
    await page.keyboard.press("Enter")
    turn = page.locator("article").last
    await expect(turn.locator(".steps .running")).to_contain_text("执行查询")
    await expect(page.get_by_role("status")).to_contain_text("执行查询")
    await expect(turn.locator(".chip")).to_have_count(2)
    await page.screenshot(path=pictures / "running.png")
    async with page.expect_response("**/api/query/*/cancel") as told:
        await page.get_by_role("button", name="停止").click()
    assert (await told.value).status == 204
    await expect(turn.get_by_role("alert")).to_contain_text("已停止")
    await expect(turn).to_have_attribute("aria-busy", "false")
    await page.wait_for_function("fetch('/fake').then((reply) => reply.json()).then((fake) => fake.running === 0)")
    assert watched.complaints == []


async def test_the_thread_goes_on_until_a_new_one_is_begun(browser: Browser, url: str) -> None:
    page, _ = await opened(browser, url)
    asked: list[Any] = []
    page.on("request", lambda request: asked.append(request.post_data_json) if request.method == "POST" else None)
    await put(page, "各大区")
    await put(page, "各渠道")
    await page.get_by_role("button", name="新会话").click()
    await expect(page.locator("article")).to_have_count(0)
    await put(page, "各品牌")
    threads = [body["thread_id"] for body in asked]
    assert all(re.fullmatch(r"[0-9a-f]{32}", thread) for thread in threads)
    assert threads[0] == threads[1] != threads[2]


@pytest.mark.parametrize(
    ("question", "text"), [("出错", "Unknown column"), ("断线", "start the server"), ("x" * 3000, "2000")]
)
async def test_an_error_says_what_happened_and_what_mends_it(
    browser: Browser, url: str, question: str, text: str
) -> None:
    page, _ = await opened(browser, url)
    await page.get_by_role("textbox").evaluate("node => node.removeAttribute('maxlength')")
    turn = await put(page, question)
    await expect(turn.get_by_role("alert")).to_contain_text(text)
    await expect(turn.get_by_role("button", name="重试")).to_be_visible()


async def test_a_cut_result_says_so(browser: Browser, url: str) -> None:
    """The case q120."""
    page, _ = await opened(browser, url)
    turn = await put(page, "截取")
    await expect(turn.locator(".cut")).to_contain_text("仅显示前 3 行")


async def test_an_ambiguous_word_is_chosen_by_a_click(browser: Browser, url: str) -> None:
    page, _ = await opened(browser, url)
    turn = await put(page, "请选一个")
    await expect(turn.get_by_role("button", name="品类：苹果 · 5 行")).to_be_visible()
    async with page.expect_request("**/api/query/*/resume") as waiting:
        await turn.get_by_role("button", name="品类：苹果").click()
    assert (await waiting.value).post_data_json == {"choices": {"苹果": "fruit"}}
    await expect(turn.locator("table")).to_be_visible()
    await expect(turn.locator(".choices")).to_have_count(0)
    assert await page.locator("article").count() == 1


async def test_an_older_question_that_no_longer_waits_is_put_again_with_the_choice(browser: Browser, url: str) -> None:
    page, _ = await opened(browser, url)
    turn = await put(page, "请选一个")
    await expect(turn.locator(".choices")).to_be_visible()
    await put(page, QUESTION)
    async with page.expect_request("**/api/query") as waiting:
        await page.locator("article").first.get_by_role("button", name="品牌：苹果").click()
    assert (await waiting.value).post_data_json["choices"] == {"苹果": "brand"}


async def test_the_language_follows_the_browser_and_can_be_switched(browser: Browser, url: str, pictures: Path) -> None:
    page, _ = await opened(browser, url, locale="en-US", color_scheme="dark")
    await expect(page.get_by_role("heading")).to_have_text("Ask your data, check the answer")
    turn = await put(page, QUESTION)
    await expect(turn.locator(".lead")).to_have_text("Read as")
    await page.screenshot(path=pictures / "dark.png", full_page=True)
    await page.get_by_role("button", name="切换到中文").click()
    await expect(turn.locator(".lead")).to_have_text("理解为")
    await expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    await page.reload()
    await expect(page.get_by_role("heading")).to_have_text("问数据，得到可核对的答案")


async def test_both_languages_say_the_same_things(browser: Browser, url: str) -> None:
    page, _ = await opened(browser, url)
    words = "fetch('/static/words.js').then((reply) => reply.text())"
    text = await page.evaluate(words)
    chinese, english = re.split(r"\n  en: \{", text.split("\n};")[0])
    keys = re.compile(r"(?:^|[\s,{])(\w+): (?=[\"(])", re.M)
    assert set(keys.findall(chinese)) - {"zh"} == set(keys.findall(english))


async def test_a_phone_needs_no_sideways_scrolling(browser: Browser, url: str, pictures: Path) -> None:
    page, _ = await opened(browser, url, viewport={"width": 360, "height": 740}, device_scale_factor=2)
    await page.screenshot(path=pictures / "phone-welcome.png")
    await put(page, QUESTION)
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360
    await page.screenshot(path=pictures / "phone.png", full_page=True)


async def test_the_keyboard_alone_is_enough(browser: Browser, url: str) -> None:
    page, _ = await opened(browser, url)
    await expect(page.get_by_role("textbox")).to_be_focused()
    await page.keyboard.type("各大区")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("的销售额")
    await page.keyboard.press("Enter")
    turn = page.locator("article").last
    await expect(turn).to_have_attribute("aria-busy", "false")
    await expect(page.get_by_role("textbox")).to_be_focused()
    unnamed = "[...document.querySelectorAll('button')].filter((b) => !(b.ariaLabel || b.textContent.trim())).length"
    assert await page.evaluate(unnamed) == 0


async def test_enter_belongs_to_the_input_method_while_it_composes(browser: Browser, url: str) -> None:
    page, _ = await opened(browser, url)
    await page.get_by_role("textbox").fill("xiaoshou")
    await page.get_by_role("textbox").dispatch_event("keydown", {"key": "Enter", "isComposing": True})
    await expect(page.locator("article")).to_have_count(0)


async def test_an_example_asks_itself(browser: Browser, url: str) -> None:
    page, _ = await opened(browser, url)
    await page.get_by_role("button", name=QUESTION).click()
    await expect(page.locator("article h2")).to_have_text(QUESTION)


async def test_the_api_page_reads_without_another_host(browser: Browser, url: str, pictures: Path) -> None:
    page, watched = await opened(browser, f"{url}/docs")
    await expect(page.get_by_role("heading", name="POST /api/query", exact=True)).to_be_visible()
    await page.screenshot(path=pictures / "docs.png")
    assert watched.complaints == []
    assert watched.hosts == {url.removeprefix("http://")}


async def test_one_row_is_shown_as_figures(browser: Browser, url: str, pictures: Path) -> None:
    """The case q242."""
    page, _ = await opened(browser, url)
    turn = await put(page, "单个数字")
    await expect(turn.locator(".tiles dd")).to_have_text(["华东", "1,234,567.50元", "9223372036854775807", "—"])
    await page.screenshot(path=pictures / "figures.png")


async def test_a_stream_cut_anywhere_still_reads_right(browser: Browser, url: str) -> None:
    page, _ = await opened(browser, url)
    heard = await page.evaluate(
        r"""async () => {
          const { eventsOf } = await import("/static/stream.js");
          const text = ': beat\n\nevent: a\r\nid: 1\r\ndata: {"v": "北京\\u2028x"}\r\n\r\n';
          const pieces = [...new TextEncoder().encode(text)].map((byte) => new Uint8Array([byte]));
          const start = (out) => { pieces.forEach((piece) => out.enqueue(piece)); out.close(); };
          const body = new ReadableStream({ start });
          const found = [];
          for await (const event of eventsOf({ body })) found.push(event);
          return found;
        }"""
    )
    assert heard == [{"v": "北京\u2028x"}]


async def test_a_stream_that_breaks_off_is_not_taken_for_an_answer(browser: Browser, url: str) -> None:
    page, _ = await opened(browser, url)
    start = 'event: progress\ndata: {"type":"progress","step":"s","label":"步骤","status":"running","ms":null}\n\n'
    reply = {"status": 200, "headers": {"content-type": "text/event-stream"}, "body": start}
    await page.route("**/api/query", lambda route: route.fulfill(**reply))
    turn = await put(page, "各大区")
    await expect(turn.get_by_role("alert")).to_contain_text("连接中断")


async def test_a_service_that_is_gone_is_said(browser: Browser, url: str) -> None:
    page, _ = await opened(browser, url)
    await page.route("**/api/query", lambda route: route.abort())
    turn = await put(page, "各大区")
    await expect(turn.get_by_role("alert")).to_contain_text("连不上服务")
