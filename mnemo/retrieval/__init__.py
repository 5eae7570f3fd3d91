"""From a question to the few hundred tokens that matter."""
