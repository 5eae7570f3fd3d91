"""The version of mnemo, in one place: the package, the command line and the plugin read it here."""

__all__ = ["VERSION"]

VERSION = "0.1.0"
