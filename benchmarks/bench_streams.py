"""Two hundred questions streamed at once by one worker: errors, endings, memory. Build the demo first (`make demo`).

Baseline of the same run: the same questions, one after the other.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil

from benchmarks.machine import machine_state, spread

STREAMS = 200
QUESTION = "2025年第一季度各大区的销售额"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def streamed(client: httpx.AsyncClient) -> tuple[float, list[str]]:
    """Milliseconds and the types of the events of one question."""
    start, types = time.perf_counter(), []
    async with client.stream("POST", "/api/query", json={"query": QUESTION}) as answer:
        async for line in answer.aiter_lines():
            if line.startswith("data:"):
                types.append(json.loads(line[5:])["type"])
    return (time.perf_counter() - start) * 1000, types


async def measure(server: psutil.Process, base: str) -> None:
    async with httpx.AsyncClient(base_url=base, timeout=120, limits=httpx.Limits(max_connections=STREAMS)) as client:
        for _ in range(5):
            await streamed(client)
        alone = [(await streamed(client))[0] for _ in range(20)]
        before = server.memory_info().rss
        peak, done = before, False

        async def watch() -> None:
            nonlocal peak
            while not done:
                peak = max(peak, server.memory_info().rss)
                await asyncio.sleep(0.05)

        watching = asyncio.create_task(watch())
        start = time.perf_counter()
        ended = await asyncio.gather(*(streamed(client) for _ in range(STREAMS)))
        seconds = time.perf_counter() - start
        done = True
        await watching
    wrong = [types[-2:] for _, types in ended if types[-2:] != ["result", "done"]]
    growth = (peak - before) / STREAMS / 1_000_000
    print(machine_state())
    print(f"{STREAMS} streams at once: {len(wrong)} without result and done, {seconds:.1f} s in all")
    print(f"each of them: {spread([ms for ms, _ in ended])}; one after the other: {spread(alone)}")
    print(
        f"questions per second, at once / one after the other: {STREAMS / seconds:.1f} / {1000 * 20 / sum(alone):.1f}"
    )
    print(f"memory: {before / 1e6:.0f} MB before, {peak / 1e6:.0f} MB at most, {growth:.2f} MB a stream")


def main() -> None:
    port = free_port()
    command = [str(Path(sys.executable).with_name("data-agent")), "serve", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ) as process:
        base = f"http://127.0.0.1:{port}"
        for _ in range(200):
            try:
                if httpx.get(f"{base}/api/health").status_code == httpx.codes.OK:
                    break
            except httpx.TransportError:
                time.sleep(0.1)
        try:
            asyncio.run(measure(psutil.Process(process.pid), base))
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
