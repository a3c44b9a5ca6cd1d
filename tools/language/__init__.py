"""What trains the bundled language pipeline: python -m tools.language.train."""
