"""Builds the parts of a connection from the settings; each module is imported when its part is first used."""
