"""OpenAI and servers with a compatible API."""
