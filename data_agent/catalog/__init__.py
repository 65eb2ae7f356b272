"""What the data means: models, YAML with line numbers, the join graph, imports."""
