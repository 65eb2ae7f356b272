"""What is embedded for a question: the whole of it first, then its keywords."""

from collections.abc import Sequence

MAX_ROWS = 40


def rows_to_embed(question: str, keywords: Sequence[str]) -> list[str]:
    """The texts whose vectors the column and metric indexes are searched with, the question first, at most 40."""
    return list(dict.fromkeys([question, *(word for word in keywords if word.strip())]))[:MAX_ROWS]
