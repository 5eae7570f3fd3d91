"""The command line: `mnemo`."""
