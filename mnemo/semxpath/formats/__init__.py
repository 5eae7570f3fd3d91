"""Conversion of trees from and to XML, JSON and YAML."""
