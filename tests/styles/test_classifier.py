"""The classifier of a style learns, tells what it looks at, and takes pretrained models."""

from pathlib import Path

import numpy as np
import pytest

from photocritic.core.errors import PhotocriticError
from photocritic.styles.classifier import MAX_TOKENS, StyleClassifier
from photocritic.styles.styled_captions import Labelled
from photocritic.styles.train_classifier import language_recipe, train_classifier
from photocritic.training.loop import History
from photocritic.training.recipe import TrainingRun

MARKS = {False: "outside", True: "love"}  # whether a sentence with the word is romantic


def labelled(count: int, seed: int) -> Labelled:
    random = np.random.default_rng(seed)
    nouns, verbs = ["dog", "cat", "man", "girl", "boy", "bird"], ["runs", "sits", "jumps", "looks", "stands"]
    in_style = [number % 2 == 1 for number in range(count)]
    sentences = [
        ["a", *(str(random.choice(words)) for words in (nouns, verbs, ["for", "with"])), MARKS[romantic]]
        for romantic in in_style
    ]
    return Labelled(list(sentences), in_style)


def learn(folder: Path, name: str = "small", epochs: int = 8) -> tuple[StyleClassifier, History]:
    recipe = language_recipe("classifier", epochs, 16, 2e-3, 5)
    run = TrainingRun(5, folder / "checkpoint")
    return train_classifier(name, "romantic", labelled(120, 0), labelled(30, 1), recipe, run)


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> StyleClassifier:
    found, history = learn(tmp_path_factory.mktemp("style"))
    assert history.best["accuracy"] > 0.95
    return found


def test_probabilities_are_independent_of_the_batch(classifier: StyleClassifier) -> None:
    sentences = [*labelled(9, 2).sentences, ["love"], []]
    together = classifier.probabilities(sentences)
    assert together.shape == (11,)
    assert (together[1:9:2] > 0.5).all()
    assert (together[0:9:2] < 0.5).all()
    alone = np.concatenate([classifier.probabilities([sentence]) for sentence in sentences])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_importance_is_a_distribution_over_words(classifier: StyleClassifier) -> None:
    sentences = [*labelled(4, 3).sentences, ["word"] * (MAX_TOKENS + 10)]
    found = classifier.importance(sentences)
    assert [weights.shape[2] for weights in found] == [len(sentence) for sentence in sentences]
    for weights in found:
        np.testing.assert_allclose(weights.sum(axis=2), 1.0, atol=1e-6)
    assert found[-1][:, :, MAX_TOKENS:].max() == 0.0


def test_training_twice_gives_the_same(tmp_path: Path) -> None:
    sentences = labelled(6, 4).sentences
    first, second = (learn(tmp_path / name, epochs=1)[0].probabilities(sentences) for name in ("one", "two"))
    np.testing.assert_array_equal(first, second)


def test_without_held_out_captions_the_last_epoch_stays(tmp_path: Path) -> None:
    recipe, run = language_recipe("classifier", 2, 16, 1e-3, 5), TrainingRun(5, tmp_path / "checkpoint")
    _, history = train_classifier("small", "romantic", labelled(30, 0), Labelled([], []), recipe, run)
    assert history.best_epoch == 2
    assert "accuracy" not in history.best


def test_a_pretrained_bert_splits_words_into_pieces(tmp_path: Path) -> None:
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz"]
    pieces += ["##" + letter for letter in "abcdefghijklmnopqrstuvwxyz"]
    (tmp_path / "vocab.txt").write_text("\n".join(pieces))
    BertTokenizerFast(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    config = BertConfig(
        vocab_size=len(pieces), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32
    )
    BertForSequenceClassification(config).save_pretrained(tmp_path)
    found, _ = learn(tmp_path, str(tmp_path), epochs=1)
    (weights,) = found.importance([["a", "dog", "runs"]])
    assert weights.shape == (1, 2, 3)
    assert [len(word) for word in found.encode([["a", "dog", "runs"]])[0]] == [1, 3, 4]
    found.save(tmp_path / "saved")
    again = StyleClassifier.load(tmp_path / "saved")
    assert (again.style, again.model.config.id2label) == ("romantic", {0: "factual", 1: "romantic"})
    np.testing.assert_array_equal(again.probabilities([["a", "dog"]]), found.probabilities([["a", "dog"]]))


def test_a_model_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(PhotocriticError, match=r"style_judges\.classifier=.*nowhere") as error:
        learn(tmp_path, str(tmp_path / "nowhere"))
    assert "\n" not in str(error.value)
