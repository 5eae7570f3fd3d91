"""The commands below `mnemo bench`."""
