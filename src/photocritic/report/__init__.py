"""The report: numbers to pages."""
