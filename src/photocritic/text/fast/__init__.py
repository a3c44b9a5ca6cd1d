"""The fast path: a regular expression for words, an averaged perceptron for tags, a table for lemmas."""

from photocritic.text.fast.tagger import FastTagger

__all__ = ["FastTagger"]
