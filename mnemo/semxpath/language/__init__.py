"""The query language: lexer, syntax tree, parser, printer, validation."""
