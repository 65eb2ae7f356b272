"""Prompt texts, one file per model call and language; loaded by data_agent.prompts."""
