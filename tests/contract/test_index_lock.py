"""Two index runs over one metadata server: the second waits or says who holds the lock; a killed one lets go."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import make_url

from api.index_runs import one_at_a_time
from api.settings import StoreSettings
from data_agent.errors import Busy, StoreUnavailable
from repositories.sql.lock import ServerLock

pytestmark = pytest.mark.mysql

HOLD = """
import asyncio, sys
from repositories.sql.lock import ServerLock
async def hold():
    async with ServerLock(sys.argv[1], "shop"):
        print("held", flush=True)
        await asyncio.sleep(600)
asyncio.run(hold())
"""


async def test_the_second_run_is_told_who_holds_the_server(mysql_database: str) -> None:
    async with ServerLock(mysql_database, "shop"):
        with pytest.raises(Busy) as caught:
            async with ServerLock(mysql_database, "shop", seconds=0.2):
                pass
    assert f"process {os.getpid()} on " in caught.value.message and "--wait" in caught.value.hint
    async with ServerLock(mysql_database, "shop", seconds=0.2):
        pass


async def test_the_second_run_waits_for_a_short_first(mysql_database: str) -> None:
    order: list[str] = []
    held = asyncio.Event()

    async def run(name: str, seconds: float) -> None:
        async with ServerLock(mysql_database, "shop", seconds=20):
            order.append(name)
            held.set()
            await asyncio.sleep(seconds)
            order.append(f"{name} done")

    first = asyncio.create_task(run("first", 0.5))
    await held.wait()
    await asyncio.gather(first, run("second", 0))
    assert order == ["first", "first done", "second", "second done"]


async def test_stores_of_another_name_or_database_have_locks_of_their_own(mysql_database: str) -> None:
    async with ServerLock(mysql_database, "shop"), ServerLock(mysql_database, "bank", seconds=0.2):
        pass


async def test_a_killed_run_lets_go(mysql_database: str) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLD, mysql_database], stdout=subprocess.PIPE, text=True)  # noqa: ASYNC220
    try:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        with pytest.raises(Busy, match=f"process {holder.pid} on "):
            async with ServerLock(mysql_database, "shop", seconds=0.2):
                pass
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
    async with ServerLock(mysql_database, "shop", seconds=10):
        pass


async def test_two_machines_with_folders_of_their_own_share_the_servers_lock(
    mysql_database: str, tmp_path: Path
) -> None:
    def stores(folder: str) -> StoreSettings:
        return StoreSettings(path=tmp_path / folder, metadata_url=mysql_database)

    async with one_at_a_time(stores("here")):
        with pytest.raises(Busy, match="index run holds the stores of"):
            async with one_at_a_time(stores("there"), 0.2):
                pass


async def test_a_server_that_is_away_is_told_without_its_password() -> None:
    with pytest.raises(StoreUnavailable) as caught:
        async with ServerLock("mysql+pymysql://u:secret@127.0.0.1:9/metadata", "shop"):
            pass
    assert "127.0.0.1:9/metadata" in caught.value.message and "secret" not in caught.value.message


async def test_a_wrong_password_is_told_without_it(mysql_database: str) -> None:
    url = make_url(mysql_database).set(username="nobody_here", password="secret")
    with pytest.raises(StoreUnavailable) as caught:
        async with ServerLock(url.render_as_string(hide_password=False), "shop"):
            pass
    assert "Access denied" in caught.value.message and "secret" not in caught.value.message + caught.value.hint
