"""Records with one message each: JSON Lines, CSV, and JSON whose field names say what they hold."""
