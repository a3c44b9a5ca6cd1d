"""The reader of entity annotations."""

from pathlib import Path

import pytest
from spacy.vocab import Vocab

from photocritic.core.errors import CorpusError
from tools.language import documents, iob2

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


def test_tags_by_sentence(tmp_path: Path) -> None:
    path = tmp_path / "dev.iob2"
    path.write_text(IOB2)
    assert iob2.read(path) == {"a-1": ["O", "O", "B-PER", "I-PER", "O"], "a-2": ["B-LOC"]}


def test_bad_rows_are_named(tmp_path: Path) -> None:
    path = tmp_path / "dev.iob2"
    path.write_text("# sent_id = a\n1\tWe\n")
    with pytest.raises(CorpusError, match="line 2"):
        iob2.read(path)
    with pytest.raises(CorpusError, match="no such file"):
        iob2.read(tmp_path / "test.iob2")


def test_joins_the_treebank_where_the_words_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "dev.iob2").write_text(IOB2)
    row = "\t".join(["1", "Paris", "Paris", "PROPN", "NNP", "_", "0", "root", "_", "_"])
    treebank = tmp_path / "dev.conllu"
    treebank.write_text(f"# sent_id = a-1\n{row}\n\n# sent_id = a-2\n{row}\n\n")
    (doc,) = documents.with_entities(Vocab(), treebank, tmp_path / "dev.iob2")
    assert [(span.text, span.label_) for span in doc.ents] == [("Paris", "LOC")]
    treebank.write_text(f"# sent_id = b\n{row}\n\n")
    with pytest.raises(CorpusError, match="none of the sentences"):
        documents.with_entities(Vocab(), treebank, tmp_path / "dev.iob2")
