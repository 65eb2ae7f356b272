"""A real Chromium on the page of a real server."""

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, async_playwright

from tests.serving import serving

ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving("tests.fakes.server", str(tmp_path_factory.mktemp("page"))) as started:
        yield started


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    chromium = os.environ.get("TEST_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        reason = (
            "no Chromium here: apt-get install --no-install-recommends chromium fonts-noto-cjk, or set TEST_CHROMIUM"
        )
        if os.environ.get("REQUIRE_SERVICES") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(executable_path=chromium, args=ARGS)
        yield opened
        await opened.close()


class Watched:
    """What a page did that a good page does not do."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.hosts: set[str] = set()


async def opened(browser: Browser, url: str, locale: str = "zh-CN", **context: object) -> tuple[Page, Watched]:
    """The page in a fresh context, with every console error and foreign host noted."""
    fresh = await browser.new_context(locale=locale, **context)  # type: ignore[arg-type]
    page, watched = await fresh.new_page(), Watched()
    page.on("console", lambda message: watched.complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: watched.complaints.append(str(error)))
    page.on("dialog", lambda dialog: watched.complaints.append(f"dialog {dialog.message}"))
    page.on("request", lambda request: watched.hosts.add(request.url.split("/")[2] if "://" in request.url else ""))
    await page.goto(url)
    return page, watched


@pytest.fixture
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: TEST_PICTURES, so that a person can look at them, else a temporary folder."""
    folder = Path(os.environ.get("TEST_PICTURES") or tmp_path_factory.mktemp("pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
