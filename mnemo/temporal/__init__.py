"""Time expressions in text, resolved against the time of the message. Pure."""
