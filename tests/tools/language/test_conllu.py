"""The treebank reader."""

from pathlib import Path

import pytest
from spacy.vocab import Vocab

from photocritic.core.errors import CorpusError
from tools.language import conllu, documents


def _line(position: str, form: str, lemma: str, tag: str, features: str = "_", misc: str = "_") -> str:
    return "\t".join([position, form, lemma, "_", tag, features, "_", "_", "_", misc])


def test_multiword_tokens_empty_nodes_and_typos(tmp_path: Path) -> None:
    lines = [
        "# text = don't go, thier way.",
        _line("1-2", "don't", "_", "_"),
        _line("1", "do", "do", "VBP"),
        _line("2", "n't", "not", "RB"),
        _line("2.1", "ghost", "ghost", "NN"),
        _line("3", "go", "go", "VB", misc="SpaceAfter=No"),
        _line("4", ",", ",", ","),
        _line("5", "thier", "their", "PRP$", "Typo=Yes"),
        "",
    ]
    path = tmp_path / "train.conllu"
    path.write_text("\n".join(lines) + "\n")
    (sentence,) = conllu.read(path)
    assert sentence.words == ["do", "n't", "go", ",", "thier"]
    assert sentence.spaces == [False, True, False, True, True]
    assert sentence.lemmas == ["do", "not", "go", ",", ""]
    assert list(sentence.triples())[1] == ("n't", "RB", "not")


def test_bad_rows_are_named(tmp_path: Path) -> None:
    path = tmp_path / "train.conllu"
    path.write_text("1\tword\n")
    with pytest.raises(CorpusError, match="line 1"):
        list(conllu.read(path))
    with pytest.raises(CorpusError, match="no such file"):
        list(conllu.read(tmp_path / "dev.conllu"))


def test_names_classes_heads_and_relations(tmp_path: Path) -> None:
    path = tmp_path / "train.conllu"
    rows = [
        "# sent_id = a-1",
        "\t".join(["1", "Nice", "nice", "ADJ", "JJ", "_", "2", "amod", "_", "_"]),
        "\t".join(["2", "shot", "shot", "NOUN", "NN", "_", "0", "root", "_", "_"]),
    ]
    path.write_text("\n".join(rows))
    (sentence,) = conllu.read(path)
    assert sentence.name == "a-1"
    assert sentence.classes == ["ADJ", "NOUN"]
    assert sentence.heads == [1, 1]
    assert sentence.relations == ["amod", "root"]
    (group,) = documents.grouped([sentence])
    doc = documents.document(Vocab(), [*group, *group])
    assert [token.head.i for token in doc] == [1, 1, 3, 3]
    assert [token.is_sent_start for token in doc] == [True, False, True, False]
