"""Trees from XML, JSON and YAML, and back."""
