"""The demo warehouse: a made-up shop, its catalog and its questions."""
