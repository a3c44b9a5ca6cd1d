"""Short English texts are kept, and texts in other languages are not."""

from photocritic.config import FilterParams
from photocritic.filtering.filter_interface import NoOptions
from photocritic.filtering.filters.english import English

ENGLISH = [
    "Focus is good", "nice bokeh", "great dof", "wow", "Brilliant!", "superb macro", "10/10", "A dog runs .",
    "great captur luv teh colrs n sharpnes", "Two skateboarders .", "love it",
]  # fmt: skip
FOREIGN = [
    "Très belle photo, j'aime les couleurs", "Muy bonita foto, me gusta mucho", "Sehr schönes Bild", "Прекрасное фото",
    "bella foto complimenti", "素晴らしい写真", "写真",
    "Que linda imagem, adorei as cores", "jag älskar den här bilden",
]  # fmt: skip


def test_short_english_is_kept_and_other_languages_are_not() -> None:
    english = English(NoOptions(), FilterParams())
    assert [text for text in ENGLISH if not english._is_english(text)] == []
    assert [text for text in FOREIGN if english._is_english(text)] == []
