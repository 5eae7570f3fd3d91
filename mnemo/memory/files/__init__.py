"""Adding files and folders to a memory."""
