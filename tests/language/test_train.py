"""The training script, for a few updates."""

from pathlib import Path

import pytest

from photocritic import files
from photocritic.language import Tagger
from photocritic.language.train import main

WORDS = [
    ("The", "DT", "the"),
    ("dogs", "NNS", "dog"),
    ("see", "VBP", "see"),
    ("a", "DT", "a"),
    ("sharp", "JJ", "sharp"),
    ("eye", "NN", "eye"),
]


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    rows = [f"{i}\t{form}\t{lemma}\t_\t{tag}\t_\t_\t_\t_\t_" for i, (form, tag, lemma) in enumerate(WORDS, 1)]
    for part in ("train", "dev", "test"):
        (tmp_path / f"{part}.conllu").write_text(("\n".join(rows) + "\n\n") * 40)
    return tmp_path


def test_trains_the_same_pipeline_twice(treebank: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        assert main([str(treebank), str(tmp_path / name), "--max-steps", "12"]) == 0
    assert files.sha256(tmp_path / "first") == files.sha256(tmp_path / "second")
    (tokens,) = Tagger(str(tmp_path / "first")).tag(["dogs see"])
    assert len(tokens) == 2


def test_a_missing_treebank_is_one_line(tmp_path: Path) -> None:
    assert main([str(tmp_path), str(tmp_path / "out")]) == 1
    assert not (tmp_path / "out").exists()
