"""How well a pipeline does on gold documents."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from spacy.language import Language
from spacy.tokens import Doc, Token

from photocritic.text.decoder import Decoder
from photocritic.text.perceptron import Weights
from photocritic.text.tagging import coarse

_CLASSES = {"NOUN", "ADJ", "ADV"}


def accuracies(nlp: Language, gold: Sequence[Doc], lower: bool = False) -> dict[str, float]:
    """Measure tags, lemmas and parses; words and sentences' ends are given, as is usual.

    Returns
    -------
    dict of str to float
        Shares of words: tag_acc (Penn Treebank), upos_acc; coarse_acc (common noun, adjective, adverb, other by the
        Penn Treebank's tag); broad_acc (the same, with names among the nouns); upos_coarse_acc (NOUN, ADJ, ADV, other
        by universal tag); lemma_acc, without regard to case; noun_lemma_acc (plural common nouns); uas and las (all
        words, punctuation included; full labels).
    """
    right = defaultdict[str, list[bool]](list)
    for reference, predicted in zip(gold, nlp.pipe(_bare(nlp, doc, lower) for doc in gold), strict=True):
        for token, found in zip(reference, predicted, strict=True):
            for name, hit in _hits(token, found):
                right[name].append(hit)
    return {name: sum(hits) / len(hits) for name, hits in right.items()}


def entities(nlp: Language, gold: Sequence[Doc]) -> dict[str, float]:
    """Return precision, recall and F1 of entity spans with their labels."""
    found = wanted = right = 0
    for reference, predicted in zip(gold, nlp.pipe(_bare(nlp, doc) for doc in gold), strict=True):
        guesses = {(span.start, span.end, span.label_) for span in predicted.ents}
        truths = {(span.start, span.end, span.label_) for span in reference.ents}
        found, wanted, right = found + len(guesses), wanted + len(truths), right + len(guesses & truths)
    return {
        "ents_p": right / max(1, found),
        "ents_r": right / max(1, wanted),
        "ents_f": 2 * right / max(1, found + wanted),
    }


def _hits(token: Token, found: Token) -> Iterable[tuple[str, bool]]:
    yield "tag_acc", found.tag_ == token.tag_
    yield "upos_acc", found.pos_ == token.pos_
    yield "coarse_acc", coarse(found.tag_) == coarse(token.tag_)
    yield "broad_acc", _broad(found.tag_) == _broad(token.tag_)
    yield "upos_coarse_acc", _of_upos(found.pos_) == _of_upos(token.pos_)
    if token.lemma_:
        yield "lemma_acc", found.lemma_.lower() == token.lemma_.lower()
    if token.lemma_ and token.tag_ == "NNS":
        yield "noun_lemma_acc", found.lemma_ == token.lemma_.lower()
    yield "uas", found.head.i == token.head.i
    yield "las", found.head.i == token.head.i and found.dep_.lower() == token.dep_.lower()


def _broad(tag: str) -> str:
    return "NOUN" if tag.startswith("NN") else coarse(tag)


def _of_upos(tag: str) -> str:
    return tag if tag in _CLASSES else "OTHER"


def _bare(nlp: Language, doc: Doc, lower: bool = False) -> Doc:
    words = [token.text.lower() if lower else token.text for token in doc]
    return Doc(nlp.vocab, words=words, spaces=[bool(token.whitespace_) for token in doc])


def perceptron(weights: Weights, gold: Sequence[Doc]) -> dict[str, float]:
    """Measure the fast tagger's tag_acc, coarse_acc and broad_acc, as written and in lower case."""
    truth = [token.tag_ for doc in gold for token in doc]
    found = {}
    for suffix, cased in (("", str), ("_lower", str.lower)):
        numbers = Decoder(weights).decode([[cased(token.text) for token in doc] for doc in gold])
        pairs = [(weights.classes[number], tag) for number, tag in zip(numbers, truth, strict=True)]
        for name, view in (("tag_acc", str), ("coarse_acc", coarse), ("broad_acc", _broad)):
            found[name + suffix] = sum(view(guess) == view(tag) for guess, tag in pairs) / len(pairs)
    return found
