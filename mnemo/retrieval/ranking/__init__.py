"""From candidates to ranked results: signals, weights, fusion, comparable scores. Pure."""
