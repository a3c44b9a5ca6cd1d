"""Parsing texts: the interface by a pipeline of rules, the syntax by the bundled one."""

from pathlib import Path

import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from photocritic.core.errors import ParamsError
from photocritic.text import Parser, Word


@pytest.fixture(scope="module")
def by_rule(tmp_path_factory: pytest.TempPathFactory) -> Parser:
    """Give a parser whose syntax is empty and whose entities are a list."""
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer", name="parser")
    names = {"GPE": "Paris", "PERSON": "Ann Lee", "FAC": "Eiffel Tower", "PRODUCT": "Nikon", "DATE": "Monday"}
    ruler = nlp.add_pipe("entity_ruler", name="ner")
    ruler.add_patterns([{"label": label, "pattern": name} for label, name in names.items()])
    folder = tmp_path_factory.mktemp("rules")
    nlp.to_disk(folder)
    return Parser(str(folder))


def test_entities_have_one_set_of_labels(by_rule: Parser) -> None:
    (words,) = by_rule.parse(["Ann Lee saw the Eiffel Tower in Paris on Monday by Nikon"])
    found = [(word.text, word.entity) for word in words if word.entity]
    assert found == [
        ("Ann", "PERSON"), ("Lee", "PERSON"), ("Eiffel", "LOC"), ("Tower", "LOC"), ("Paris", "LOC"), ("Monday", "DATE"),
    ]  # fmt: skip


def test_white_space_is_no_word_but_remembered(by_rule: Parser) -> None:
    (words,) = by_rule.parse(["It's  one\ndog ."])
    assert [(word.text, word.space) for word in words] == [
        ("It", False), ("'s", True), ("one", True), ("dog", True), (".", False),
    ]  # fmt: skip
    assert [word.head for word in words] == [0, 1, 2, 3, 4]


def test_an_overlong_text_is_one_text(by_rule: Parser) -> None:
    (words,) = by_rule.parse(["sky light " * 4_000])
    assert [word.text for word in words] == ["sky", "light"] * 4_000
    assert [word.head for word in words] == list(range(8_000))


def test_streams_in_order_and_parses_repeated_texts_once(by_rule: Parser) -> None:
    texts = ["nice shot", "", "a dog", "nice shot"] * 600
    found = list(by_rule.parse(texts))
    assert [len(words) for words in found] == [2, 0, 2, 2] * 600
    assert found[0] is found[3] is found[-1]
    endless = (f"photo number {number}" for number in iter(int, 1))
    assert len(next(by_rule.parse(endless))) == 3


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=80))
def test_words_rejoin_the_text(by_rule: Parser, text: str) -> None:
    (words,) = by_rule.parse([text])
    assert "".join(word.text + " " * word.space for word in words).split() == text.split()


def test_a_pipeline_without_syntax_is_refused_in_one_line(tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer", name="parser")
    nlp.to_disk(tmp_path)
    for name in ("en_no_such_model", str(tmp_path)):
        with pytest.raises(ParamsError, match=r"language\.model") as caught:
            Parser(name)
        assert "\n" not in str(caught.value)
    assert "no ner" in str(caught.value)


@pytest.fixture(scope="module")
def bundled() -> Parser:
    return Parser("bundled")


def _relations(words: list[Word]) -> set[tuple[str, str, str]]:
    return {(word.text, word.dep, words[word.head].text) for word in words}


def test_a_caption_is_parsed(bundled: Parser) -> None:
    (words,) = bundled.parse(["A brown dog runs through the tall grass."])
    assert _relations(words) == {
        ("A", "det", "dog"), ("brown", "amod", "dog"), ("dog", "nsubj", "runs"), ("runs", "root", "runs"),
        ("through", "case", "grass"), ("the", "det", "grass"), ("tall", "amod", "grass"), ("grass", "obl", "runs"),
        (".", "punct", "runs"),
    }  # fmt: skip
    assert [word.upos for word in words] == ["DET", "ADJ", "NOUN", "VERB", "ADP", "DET", "ADJ", "NOUN", "PUNCT"]
    assert (words[3].lemma, words[3].tag) == ("run", "VBZ")
    assert not any(word.entity for word in words)


def test_compounds_numbers_and_conjunctions(bundled: Parser) -> None:
    (words,) = bundled.parse(["Two men and a woman stand on a street corner"])
    assert {
        ("Two", "nummod", "men"), ("woman", "conj", "men"), ("and", "cc", "woman"), ("street", "compound", "corner"),
        ("men", "nsubj", "stand"), ("corner", "obl", "stand"),
    } <= _relations(words)  # fmt: skip


def test_a_text_of_two_sentences_has_two_roots(bundled: Parser) -> None:
    (words,) = bundled.parse(["I love the colors. The light is very soft."])
    assert [word.text for index, word in enumerate(words) if word.head == index] == ["love", "soft"]


def test_people_places_and_organisations(bundled: Parser) -> None:
    (words,) = bundled.parse(["John Smith works for Google in London."])
    found = {word.text: word.entity for word in words}
    assert found["John"] == found["Smith"] == "PERSON"
    assert found["Google"] == "ORG"
    assert found["London"] == "LOC"
    assert found["works"] == ""
