"""Output of evaluations: printable tables, files of results, a chart, and pictures of errors."""
