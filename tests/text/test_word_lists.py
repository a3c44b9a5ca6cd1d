"""The lists of English words."""

from photocritic.text import STOPWORDS, american, known_words


def test_known_words_and_american_spellings() -> None:
    assert {"focus", "good", "light", "photo", "the"} <= known_words()
    assert "bonjour" not in known_words()
    assert [american(word) for word in ("colour", "colourful", "grey", "hour", "four", "light")] == [
        "color",
        "colorful",
        "gray",
        "hour",
        "four",
        "light",
    ]
    assert all(word == word.lower() for word in STOPWORDS)
