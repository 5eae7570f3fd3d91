"""Turns messages into the graph of episodes, entities and facts."""
