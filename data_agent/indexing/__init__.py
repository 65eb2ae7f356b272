"""Catalog to stores: plan and apply."""
