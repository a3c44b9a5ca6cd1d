"""How a sentence is said: style classifiers and per-style language models; import from the modules."""
