"""Prefect flows: they know stages by name, and nothing of their insides."""
