"""Semantic XPath: weighted path queries over versioned trees."""
