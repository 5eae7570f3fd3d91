"""Matches extracted entities and facts with stored ones: same entity, same fact, ended fact."""
