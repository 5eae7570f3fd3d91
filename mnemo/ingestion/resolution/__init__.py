"""Compares what was extracted with what is stored: same entity, same fact, ended fact."""
