"""The section language: what tags and lemmatises."""

from photocritic.config.values import Section


class LanguageParams(Section):
    """Which spaCy pipeline tags and lemmatises."""

    model: str
