"""Adapters: one room per technology, one file per port."""
