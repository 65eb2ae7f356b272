"""How values lie in Elasticsearch, and how they are asked for."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from data_agent.domain.value import Value
from data_agent.ports.recall import ValuePart
from data_agent.wording.likeness import is_code
from data_agent.wording.tokens import fold
from repositories.elasticsearch.live import Held
from repositories.values import Stored

Analyzer = Literal["cjk", "ik"]
MAX_PAIRS = 64
FOLDED_CHARS = 256
COLUMNS_A_DOCUMENT = 500
ACCOUNT = {"term": {"kind": "account"}}
"""What an index knows of its columns lies in a few documents that no question finds."""


def settings() -> dict[str, Any]:
    """Pairs of characters find any part of a value; folding is done before, so both engines fold alike."""
    pairs = {"type": "ngram", "min_gram": 1, "max_gram": 2}
    analysis = {"tokenizer": {"pairs": pairs}, "analyzer": {"pairs": {"type": "custom", "tokenizer": "pairs"}}}
    return {"index": {"number_of_replicas": 0, "refresh_interval": "-1"}, "analysis": analysis}


def mappings(analyzer: Analyzer) -> dict[str, Any]:
    """Whole text for exact hits, pairs for parts and typos, words by the analyzer of the setting.

    Every field is declared and every value a string, so that no server guesses what a value is.
    """
    words = "ik_max_word" if analyzer == "ik" else "cjk"
    kept: dict[str, Any] = {"type": "keyword", "index": False, "doc_values": False}
    return {
        "dynamic": "strict",
        "properties": {
            "whole": {"type": "keyword", "ignore_above": 8191},
            "pairs": {"type": "text", "analyzer": "pairs", "norms": True},
            "words": {"type": "text", "analyzer": words},
            "owner": {"type": "keyword"},
            "kind": {"type": "keyword"},
            "table": kept,
            "column": kept,
            "text": kept,
            "said": kept,
            "account": kept,
        },
    }


def document(value: Value) -> dict[str, str]:
    """A value as it is stored: what finds it, and what the warehouse holds."""
    said = value.word or value.text
    folded = fold(said)
    held = {"whole": folded, "pairs": folded[:FOLDED_CHARS], "words": folded[:FOLDED_CHARS], "said": said}
    return held | {"owner": value.column_id, "table": value.table, "column": value.column, "text": value.text}


def account(held: Mapping[str, Held]) -> Iterator[dict[str, str]]:
    """Where each column's values lie and how they were read, some hundred columns a document."""
    rows = [(column, one.place, *one.part.model_dump().values()) for column, one in held.items()]
    for start in range(0, len(rows), COLUMNS_A_DOCUMENT):
        yield {"kind": "account", "account": json.dumps(rows[start : start + COLUMNS_A_DOCUMENT], ensure_ascii=False)}


def read_account(documents: Iterable[dict[str, str]]) -> dict[str, Held]:
    """The same, read back."""
    rows = (row for one in documents for row in json.loads(one["account"]))
    return {column: Held(place, ValuePart(mark=mark, count=count, cut=cut)) for column, place, mark, count, cut in rows}


def query_for(word: str) -> dict[str, Any]:
    """The whole text first of all, then words, then pairs of characters; a code is only ever itself."""
    folded = fold(word)
    whole = {"term": {"whole": {"value": folded[:FOLDED_CHARS], "boost": 50}}}
    if is_code(folded):
        return whole
    pairs = list(dict.fromkeys(folded[i : i + 2] for i in range(len(folded) - 1)))[:MAX_PAIRS] or [folded]
    should: list[dict[str, Any]] = [{"term": {"pairs": pair}} for pair in pairs]
    should.append(whole)
    should.append({"match": {"words": {"query": folded[:FOLDED_CHARS], "boost": 0.5}}})
    return {"bool": {"should": should}}


def stored(found: Mapping[str, str]) -> Stored:
    """A document that was found, as a value."""
    return Stored(found["table"], found["column"], found["text"], found["said"])
