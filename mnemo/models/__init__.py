"""What mnemo stores and returns: frozen dataclasses, no I/O."""
