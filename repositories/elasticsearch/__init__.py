"""Stores on an Elasticsearch server, 8 or 9."""
