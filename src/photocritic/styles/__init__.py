"""Styles of captions: the classifier and the language model of each style; import from the modules."""
