"""Treebanks by spaCy's converter, and the entities annotated over them."""

from pathlib import Path

import pytest
from spacy.tokens import Doc
from spacy.vocab import Vocab

from photocritic.core.errors import CorpusError
from tools.language import treebank

IOB2 = """# newdoc id = a
# sent_id = a-1
# text = We met Ann Lee #1
1\tWe\tO\t-\t-
2\tmet\tO\t-\t-
3\tAnn\tB-PER\t-\tx
4\tLee\tI-PER\t-\tx
5\t#1\tO\t-\t-

# sent_id = a-2
# text = Paris
1\tParis\tB-LOC\t-\t-
"""


def _line(position: str, form: str, lemma: str, tag: str, features: str = "_", misc: str = "_") -> str:
    return "\t".join([position, form, lemma, "_", tag, features, "_", "_", "_", misc])


def _words(doc: Doc) -> list[str]:
    return [token.text for token in doc]


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
    [doc] = treebank.load(path)
    assert _words(doc) == ["do", "n't", "go", ",", "thier"]
    assert [bool(token.whitespace_) for token in doc][:-1] == [False, True, False, True]
    assert [token.lemma_ for token in doc] == ["do", "not", "go", ",", ""]
    assert [token.tag_ for token in doc] == ["VBP", "RB", "VB", ",", "PRP$"]


def test_bad_rows_of_a_treebank_are_named(tmp_path: Path) -> None:
    path = tmp_path / "train.conllu"
    path.write_text("1\tword\n")
    with pytest.raises(CorpusError, match="line 1"):
        treebank.load(path)
    with pytest.raises(CorpusError, match="no such file"):
        treebank.load(tmp_path / "dev.conllu")
    path.write_text(_line("one", "word", "word", "NN"))
    with pytest.raises(CorpusError, match="not CoNLL-U"):
        treebank.load(path)


def test_names_classes_heads_and_relations(tmp_path: Path) -> None:
    path = tmp_path / "train.conllu"
    rows = [
        "# sent_id = a-1",
        "\t".join(["1", "Nice", "nice", "ADJ", "JJ", "_", "2", "amod", "_", "_"]),
        "\t".join(["2", "shot", "shot", "NOUN", "NN", "_", "0", "root", "_", "_"]),
    ]
    path.write_text("\n".join(rows))
    [doc] = treebank.load(path)
    assert doc.user_data["sent_id"] == "a-1"
    assert [token.pos_ for token in doc] == ["ADJ", "NOUN"]
    assert [token.head.i for token in doc] == [1, 1]
    assert [token.dep_.lower() for token in doc] == ["amod", "root"]
    first, second = treebank.with_vocab(Vocab(), treebank.grouped([doc, doc, doc]))
    assert _words(first) == ["Nice", "shot"]
    assert [token.head.i for token in second] == [1, 1, 3, 3]
    assert [token.is_sent_start for token in second] == [True, False, True, False]


def test_entity_tags_by_sentence(tmp_path: Path) -> None:
    path = tmp_path / "dev.iob2"
    path.write_text(IOB2)
    assert treebank.load_entities(path) == {"a-1": ["O", "O", "B-PER", "I-PER", "O"], "a-2": ["B-LOC"]}


def test_bad_rows_of_entities_are_named(tmp_path: Path) -> None:
    path = tmp_path / "dev.iob2"
    path.write_text("# sent_id = a\n1\tWe\n")
    with pytest.raises(CorpusError, match="line 2"):
        treebank.load_entities(path)
    with pytest.raises(CorpusError, match="no such file"):
        treebank.load_entities(tmp_path / "test.iob2")


def test_entities_join_the_treebank_where_the_words_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "dev.iob2").write_text(IOB2)
    row = "\t".join(["1", "Paris", "Paris", "PROPN", "NNP", "_", "0", "root", "_", "_"])
    path = tmp_path / "dev.conllu"
    path.write_text(f"# sent_id = a-1\n{row}\n\n# sent_id = a-2\n{row}\n\n")
    [doc] = treebank.with_entities(Vocab(), path, tmp_path / "dev.iob2")
    assert [(span.text, span.label_) for span in doc.ents] == [("Paris", "LOC")]
    path.write_text(f"# sent_id = b\n{row}\n\n")
    with pytest.raises(CorpusError, match="none of the sentences"):
        treebank.with_entities(Vocab(), path, tmp_path / "dev.iob2")
