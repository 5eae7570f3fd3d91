"""What a question asks for: people, dates, kind of answer. Pure."""
