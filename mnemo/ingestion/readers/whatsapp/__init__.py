"""WhatsApp's text export."""
