"""The training script, for a few updates."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from photocritic.core import files
from photocritic.text import FastTagger, Parser, SpacyTagger
from tools.language.train import main

# Form, lemma, universal tag, Penn Treebank tag, head, relation, entity.
WORDS = [
    ("The", "the", "DET", "DT", 2, "det", "O"),
    ("dogs", "dog", "NOUN", "NNS", 3, "nsubj", "O"),
    ("see", "see", "VERB", "VBP", 0, "root", "O"),
    ("Ann", "Ann", "PROPN", "NNP", 3, "obj", "B-PER"),
    ("very", "very", "ADV", "RB", 6, "advmod", "O"),
    ("sharp", "sharp", "ADJ", "JJ", 3, "xcomp", "O"),
]


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    """Return a folder with a treebank of one sentence, and the entities in it."""
    rows = [
        f"{i}\t{form}\t{lemma}\t{upos}\t{tag}\t_\t{head}\t{relation}\t_\t_"
        for i, (form, lemma, upos, tag, head, relation, _) in enumerate(WORDS, 1)
    ]
    entities = [f"{i}\t{word[0]}\t{word[-1]}\t-\t-" for i, word in enumerate(WORDS, 1)]
    for part in ("train", "dev", "test"):
        (tmp_path / f"{part}.conllu").write_text(_sentences(rows))
        (tmp_path / f"en_ewt-ud-{part}.iob2").write_text(_sentences(entities))
    return tmp_path


def test_trains_the_same_pipeline_twice(corpora: Path) -> None:
    for seed in ("1", "2"):  # two processes, between which the order of sets and the like differs
        arguments = [corpora, corpora / seed, "--ner", corpora, "--max-steps", "12"]
        subprocess.run(
            [sys.executable, "-m", "tools.language.train", *arguments],
            env={**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": "1"},
            check=True,
            capture_output=True,
        )
    assert files.sha256(corpora / "1") == files.sha256(corpora / "2")
    model = str(corpora / "1")
    for found in (SpacyTagger(model).tag(["dogs see"]), FastTagger(corpora / "1").tag(["dogs see"])):
        assert found[0].words == ["dogs", "see"]
        assert found[0].tags == ["NNS", "VBP"]
    (words,) = Parser(model).parse(["The dogs see Ann"])
    assert [word.upos for word in words] == ["DET", "NOUN", "VERB", "PROPN"]


def test_without_entities_there_is_no_recogniser_and_scores_are_kept(corpora: Path) -> None:
    assert main([str(corpora), str(corpora / "out"), "--max-steps", "2"]) == 0
    assert not (corpora / "out" / "ner").exists()
    scores = json.loads((corpora / "out" / "meta.json").read_text())["performance"]
    assert {"upos_acc", "upos_coarse_acc", "las", "uas_lower", "lemma_acc", "fast_broad_acc"} <= set(scores)


def test_a_missing_treebank_is_one_line(tmp_path: Path) -> None:
    assert main([str(tmp_path), str(tmp_path / "out")]) == 1
    assert not (tmp_path / "out").exists()


def _sentences(rows: list[str]) -> str:
    return "".join(f"# sent_id = {number}\n" + "\n".join(rows) + "\n\n" for number in range(40))
