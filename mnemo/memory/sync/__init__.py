"""The synchronous classes, made from the asynchronous ones."""
