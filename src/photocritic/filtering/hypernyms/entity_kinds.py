"""The kind of thing that a name stands for, and its role in the caption, from the words and the parse around it."""

from collections import Counter

from photocritic.filtering.hypernyms.entity_words import (
    ARTICLE_TAKING,
    EVENTS,
    LOCATIVE,
    OF_PLACES,
    ORGANIZATION_MARKS,
    ORGANIZATIONS,
    PLACE_MARKS,
    PLACES,
    ROLES,
    TITLES,
)
from photocritic.filtering.hypernyms.names import Name
from photocritic.filtering.hypernyms.pieces import DETERMINERS, NOUNS, VERBS, Piece, before
from photocritic.text import base, known_words

PERSON, PLACE, EVENT, ORGANIZATION = "person", "place", "event", "organization"
_ENTITIES = {"PERSON": PERSON, "LOC": PLACE, "ORG": ORGANIZATION}
HEADS = [(EVENTS, EVENT), (PLACES, PLACE), (ORGANIZATIONS, ORGANIZATION)]
_SURELY_PLACE = frozenset({"in", "near", "outside", "around", "throughout", "across", "within"})
_USUALLY_PLACE = LOCATIVE | {"inside", "into", "over", "through", "toward", "towards"}
_MODIFIER = frozenset({"JJ", "JJR", "JJS", "VBG", "VBN", "NN", "NNP"})
_INDEFINITE = frozenset({"a", "an"})


def classify(name: Name, pieces: list[Piece]) -> None:
    """Set what kind of thing a name stands for; the surest sign counts, and the entity recogniser is one of the last.

    In order: a known hypernym that is an occupation; a title or an occupation before the name; a last word that is a
    common noun; a preposition that only places have; the entity recogniser; other prepositions; the form of a
    person's name as a subject.
    """
    if name.hypernym:
        name.kind, name.sure = _known_kind(name.hypernym.rsplit(maxsplit=1)[-1]), True
        return
    leading = preposition(name, pieces)
    name.kind = _by_title(name, pieces) or _by_words(name, pieces) or _by_preposition(name, pieces, leading)
    name.sure = bool(name.kind)
    if not name.sure:
        kind = _recognised(name, pieces) or _by_context(name, pieces, leading)
        name.kind = "" if kind == PERSON and determined(name, pieces) else kind


def head_place(name: Name, pieces: list[Piece]) -> int:
    """Return the place of a name's head: its last word, the one before "of", or the first of "Lake Como"."""
    last = pieces[name.end - 1].lower
    if pieces[name.start].lower in PLACE_MARKS & PLACES and not any(last in words for words, _ in HEADS):
        return name.start
    of = [place for place in range(name.start + 1, name.end) if pieces[place].lower == "of"]
    return of[0] - 1 if of else name.end - 1


def _known_kind(head: str) -> str:
    if head in ROLES | {"person"}:
        return PERSON
    return PLACE if head in ARTICLE_TAKING | PLACES else ""


def determined(name: Name, pieces: list[Piece], by: frozenset[str] = DETERMINERS) -> bool:
    """Return whether a determiner stands right before a name: it is a thing then, and no person."""
    place = before(pieces, name.start)
    return place >= 0 and pieces[place].lower in by


def preposition(name: Name, pieces: list[Piece]) -> str:
    """Return the preposition whose object a name is, past determiners and adjectives; empty where there is none."""
    place = preposition_place(name, pieces)
    return pieces[place].lower if place >= 0 else ""


def preposition_place(name: Name, pieces: list[Piece]) -> int:
    """Return the place of the preposition whose object a name is; -1 where there is none."""
    place = before(pieces, name.start)
    if place >= 0 and pieces[place].lower in {"a", "an"}:
        return -1  # a thing that has a name: "a Boeing 747"
    if not _leads(pieces, place):
        opening = [at for at in range(max(place - 2, 0), place + 1) if pieces[at].lower in DETERMINERS]
        if opening:
            place = before(pieces, opening[-1])  # past "the derelict"
        while place >= 0 and pieces[place].word.tag in {"JJ", "RB"} and not _leads(pieces, place):
            place = before(pieces, place)
    return place if _leads(pieces, place) else -1


def _leads(pieces: list[Piece], place: int) -> bool:
    """Return whether a preposition stands at a place; the "to" of "next to" leads to things, not to places."""
    if place < 0 or not pieces[place].text:
        return False
    if pieces[place].lower == "to" and pieces[before(pieces, place)].lower in {"next", "close"}:
        return False
    return pieces[place].word.tag in {"IN", "TO"} or pieces[place].lower in LOCATIVE


def verb_follows(name: Name, pieces: list[Piece]) -> bool:
    """Return whether a verb comes next, by tag, by parse, or for want of any other verb in the caption."""
    if name.end >= len(pieces):
        return False
    following = pieces[name.end]
    if following.word.tag in VERBS or following.word.upos in {"VERB", "AUX"}:
        return True
    if preposition_place(name, pieces) >= 0:
        return False
    return not has_verb(pieces) and following.word.tag in {"NNS", "NNP", "NNPS"} and not following.capital


def has_verb(pieces: list[Piece]) -> bool:
    """Return whether any word of a caption is tagged as a finite verb."""
    return any(piece.word.tag in {"VBZ", "VBP", "VBD", "MD"} for piece in pieces)


def _by_title(name: Name, pieces: list[Piece]) -> str:
    place = before(pieces, name.start)
    role = place == name.start - 1 and place >= 0 and pieces[place].role
    return PERSON if role or pieces[name.start].lower in TITLES else ""


def _by_words(name: Name, pieces: list[Piece]) -> str:
    several = name.end - name.start > 1
    if pieces[name.end - 1].lower in ORGANIZATION_MARKS:
        return ORGANIZATION
    if several and pieces[name.start].lower in PLACE_MARKS:
        return PLACE
    head = pieces[head_place(name, pieces)].lower
    return next((kind for words, kind in HEADS if head in words and (several or kind != ORGANIZATION)), "")


def _by_preposition(name: Name, pieces: list[Piece], leading: str) -> str:
    return PLACE if leading in _SURELY_PLACE or (leading == "of" and _of_place(name, pieces)) else ""


def _of_place(name: Name, pieces: list[Piece]) -> bool:
    place = before(pieces, preposition_place(name, pieces))
    return place >= 0 and pieces[place].lower in OF_PLACES


def _recognised(name: Name, pieces: list[Piece]) -> str:
    labels = Counter(piece.word.entity for piece in pieces[name.start : name.end] if piece.word.entity in _ENTITIES)
    return _ENTITIES[labels.most_common(1)[0][0]] if labels else ""


def _by_context(name: Name, pieces: list[Piece], leading: str) -> str:
    words = [piece.word.text for piece in pieces[name.start : name.end]]
    if leading in _USUALLY_PLACE:
        return PLACE
    personal = 2 <= len(words) <= 4 and all(word[0].isupper() and word.replace(".", "").isalpha() for word in words)
    personal = personal and not has_common_words(name, pieces) and not _before_noun(name, pieces)
    return PERSON if personal and (verb_follows(name, pieces) or leading in {"by", "with", "of", ""}) else ""


def has_common_words(name: Name, pieces: list[Piece]) -> bool:
    """Return whether a name consists of common words: a sign's ("Keep Moving"), or capitalised by habit ("a Zebra")."""
    words = {piece.lower for piece in pieces[name.start : name.end] if piece.is_word}
    return all(word in known_words() or base(word, word) in known_words() for word in words)


def _before_noun(name: Name, pieces: list[Piece]) -> bool:
    """Return whether a noun in the singular follows, which few verbs are taken for: "Virgin Atlantic aircraft"."""
    return name.end < len(pieces) and pieces[name.end].word.tag == "NN" and pieces[name.end].common_noun


def owns(name: Name, pieces: list[Piece]) -> bool:
    """Return whether a name owns what follows: "Madonna's concert"."""
    if name.end >= len(pieces):
        return False
    clitic, attached = pieces[name.end].lower, not pieces[name.end - 1].word.space
    return clitic in {"'s", "’s"} or (clitic in {"'", "’"} and attached)


def modifies(name: Name, pieces: list[Piece]) -> bool:
    """Return whether a common noun follows that the name modifies: "British Airways Airbus A319 aircraft"."""
    end = name.end
    while end + 1 < len(pieces) and pieces[end].word.tag in _MODIFIER and not pieces[end].capital:
        if pieces[end].common_noun or pieces[end + 1].word.tag not in _MODIFIER | NOUNS:
            break
        end += 1
    if end >= len(pieces) or not pieces[end].common_noun or not pieces[name.end - 1].word.space:
        return False
    if name.kind == PERSON:
        return False  # taggers take the verbs after people for nouns more often than people modify nouns
    return not _acts(name, pieces, end)


def _acts(name: Name, pieces: list[Piece], end: int) -> bool:
    """Return whether what looks like a noun after a name is a verb that the tagger took for one."""
    leading = preposition(name, pieces)
    if leading:
        return name.kind == PLACE and leading in LOCATIVE and headed(name, pieces) and not has_verb(pieces)
    return pieces[end].word.upos == "VERB" or (headed(name, pieces) and verb_follows(name, pieces))


def headed(name: Name, pieces: list[Piece]) -> bool:
    """Return whether a name's head is a common noun for what it names."""
    last = pieces[head_place(name, pieces)].lower
    several = name.end - name.start > 1 or name.kind in {PLACE, EVENT}
    return several and any(last in words for words, _ in HEADS)


def has_noun(name: Name, pieces: list[Piece]) -> bool:
    """Return whether a name's head may stand for it: "the 2017 Pilgrimage Festival", "a Jack Russell Terrier"."""
    if name.kind in {EVENT, ORGANIZATION, PLACE}:
        return headed(name, pieces)
    last = pieces[name.end - 1].lower
    worded = name.end - name.start > 1 and last in known_words()
    return not name.kind and worded and determined(name, pieces, _INDEFINITE)


def is_location(name: Name, pieces: list[Piece]) -> bool:
    """Return whether a place is the object of a preposition and goes with it: "in Los Angeles", "of Paris".

    After a preposition that leads to things as well, a place with a noun keeps that: "across the Golden Gate Bridge".
    """
    leading = preposition(name, pieces)
    return leading in LOCATIVE or (bool(leading) and not headed(name, pieces))


def continues(name: Name, previous: Name, pieces: list[Piece]) -> bool:
    """Return whether a place stands in a row of places whose one before is dropped: "in Paris and London"."""
    between = {piece.lower for piece in pieces[previous.end : name.start]}
    return previous.dropped and bool(between) and between <= {"and", "or", "&", ",", "the"}
