"""What begins and what is over: moves, new jobs, habits dropped, things sold."""
