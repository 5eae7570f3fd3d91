"""The query language: tokens, syntax tree, parser, printer, validation."""
