"""Answers for people: summaries, charts, receipts, exports."""
