"""What mnemo keeps and returns: frozen dataclasses, no I/O."""
