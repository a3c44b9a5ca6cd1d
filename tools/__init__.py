"""What maintainers run; no part of what is installed."""
