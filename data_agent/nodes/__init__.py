"""The nodes: one file per node, function, file and graph name equal."""
