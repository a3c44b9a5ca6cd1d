"""Nearest scenes, by image, by text, and across both; import from the modules."""
