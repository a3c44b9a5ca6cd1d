"""Serving: the trained captioner as one MLflow model, and its place in the model registry."""
