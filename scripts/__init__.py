"""The command line: `data-agent <verb>`, one file per verb."""
