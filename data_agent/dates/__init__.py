"""Words for time to half-open ranges, in Chinese and English."""
