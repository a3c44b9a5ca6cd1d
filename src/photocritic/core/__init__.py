"""What every room may use: errors, files, locks, limits, messages."""
