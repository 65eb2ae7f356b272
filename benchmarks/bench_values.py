"""Value index at size: build rate, search latency and hit@10 for each kind of question word.

Usage: python -m benchmarks.bench_values [how many values] [elasticsearch url]
"""

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from statistics import quantiles

from benchmarks.machine import machine_state
from data_agent.domain.value import Value
from data_agent.ports.recall import IndexStamp, ValueIndex
from repositories.elasticsearch.value_index import ElasticsearchValueIndex
from repositories.embedded.value_index import EmbeddedValueIndex

DICE = random.Random(7)
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 3000)]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
PROBES = 200
SHORT = 2000
"""How many values of two Chinese characters there are among the others."""


def made(count: int) -> list[str]:
    """Half Chinese names of 4 to 9 characters, half English names of two or three words; and the short Chinese ones."""
    short = sorted({"".join(DICE.choices(HAN, k=2)) for _ in range(SHORT)})
    chinese = ("".join(DICE.choices(HAN, k=DICE.randint(4, 9))) for _ in range(count // 2))
    words = ["".join(DICE.choices(LETTERS, k=DICE.randint(3, 9))).title() for _ in range(60_000)]
    english = (" ".join(DICE.choices(words, k=DICE.randint(2, 3))) for _ in range(count - count // 2))
    return [*short, *chinese, *english]


def typo(text: str) -> str:
    place = DICE.randrange(1, len(text) - 1)
    return text[:place] + (DICE.choice(HAN) if text[0] in HAN else DICE.choice(LETTERS)) + text[place + 1 :]


def in_question(text: str) -> str:
    return f"请问{text}的销售额" if text[0] in HAN else f"sales of {text} in May"


def is_short(text: str) -> bool:
    return len(text) == 2


KINDS = {
    "exact": lambda text: text,
    "prefix": lambda text: text[: max(3, len(text) * 2 // 3)],
    "substring": lambda text: text[1 : max(4, len(text) * 3 // 4)],
    "typo": typo,
    "in question": in_question,
    "two chars": lambda text: text,
    "two, in question": in_question,
}


async def batches(texts: Sequence[str]) -> AsyncIterator[list[Value]]:
    for start in range(0, len(texts), 5000):
        yield [Value(table="t", column="c", text=text) for text in texts[start : start + 5000]]


async def measured(name: str, index: ValueIndex, texts: Sequence[str]) -> None:
    start = time.perf_counter()
    await index.replace(IndexStamp(catalog_version="bench", model="", dimension=0), batches(texts))
    seconds = time.perf_counter() - start
    print(f"{name}: {len(texts)} values in {seconds:.1f} s, {len(texts) / seconds:.0f} a second")
    for kind, ask in KINDS.items():
        spent, hits = [], 0
        for text in DICE.sample([text for text in texts if is_short(text) is kind.startswith("two")], PROBES):
            start = time.perf_counter()
            found = await index.search([ask(text)], 10)
            spent.append((time.perf_counter() - start) * 1000)
            hits += text in {value.text for value in found}
        middle, late = quantiles(spent)[1], quantiles(spent, n=20)[18]
        print(f"  {kind:16} hit@10 {hits / PROBES:.3f}  p50 {middle:.1f} ms  p95 {late:.1f} ms")


async def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    texts = made(count)
    print(machine_state())
    with tempfile.TemporaryDirectory() as folder:
        await measured("embedded", EmbeddedValueIndex(Path(folder)), texts)
    if len(sys.argv) > 2:
        index = ElasticsearchValueIndex(sys.argv[2], alias="bench-values", seconds=60)
        await measured("elasticsearch", index, texts)
        for build in await index.client.indices.get(index="bench-values-*"):
            await index.client.indices.delete(index=build)
        await index.close()
    print(machine_state())


if __name__ == "__main__":
    asyncio.run(main())
