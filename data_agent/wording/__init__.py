"""Words of names and values: tokens, other languages, likeness. Pure text, no stores."""
