"""The parts of augmentation, one by one."""

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from photocritic.augmentation import train_generator
from photocritic.augmentation.acceptance import Candidate, judge
from photocritic.augmentation.augmentation_dataset import read_datasets
from photocritic.augmentation.phrase_extraction import Extracted, choose_head, extract, take_apart
from photocritic.augmentation.train_generator import GeneratorDataset
from photocritic.config import AugmentParams
from photocritic.core.errors import PhotocriticError
from photocritic.styles.judges import Judges
from photocritic.styles.language_model import TrigramModel
from photocritic.training.loop import Plan
from photocritic.training.recipe import Recipe, TrainingRun


class Oracle:
    """The classifier of romantic, which knows it by the word love, and whose second head looks at that word."""

    def probabilities(self, sentences: list[list[str]]) -> np.ndarray:
        return np.array([0.9 if "love" in words else 0.1 for words in sentences])

    def importance(self, sentences: list[list[str]]) -> list[np.ndarray]:
        return [np.array([[np.arange(len(w), 0.0, -1.0), [float(x == "love") for x in w]]]) for w in sentences]


SENTENCES = [["a", "dog", "is", "in", "love", "here"], ["two", "birds", "feel", "so", "much", "love"]]


@settings(deadline=None)
@given(st.lists(st.sampled_from("abcdef"), min_size=2, max_size=20), st.floats(0.01, 0.99), st.integers(0, 99))
def test_taking_apart_loses_no_word(words: list[str], share: float, seed: int) -> None:
    parts = take_apart(words, np.random.default_rng(seed).random(len(words)), share)
    assert sorted((*parts.phrase, *parts.content)) == sorted(words)
    assert parts.phrase
    assert parts.content


def test_the_head_is_chosen_whose_words_make_the_style() -> None:
    head = choose_head(Oracle(), SENTENCES, 0.2, 0)  # type: ignore[arg-type]
    assert (head.layer, head.head) == (0, 1)
    assert head.confidence == pytest.approx(0.1 / 0.9)
    parts = extract(Oracle(), SENTENCES, head, 0.2)  # type: ignore[arg-type]
    assert parts[0] == Extracted(("love",), ("a", "dog", "is", "in", "here"))


def test_criteria_are_tried_in_order_and_duplicates_accepted_once() -> None:
    judges = Judges({"romantic": Oracle()}, {"romantic": TrigramModel(SENTENCES * 3)}, {}, {})  # type: ignore[dict-item]

    def candidate(caption: str, similarity: float = 0.9) -> Candidate:
        return Candidate("i", "romantic", ["love"], ["a", "dog"], "i2i", similarity, tuple(caption.split()))

    texts = ["a dog is in love here", "a dog is in love here", "a dog is here", "love zebra love xylophone", ""]
    judged = judge(
        [*map(candidate, texts), candidate("two birds feel so much love", 0.6)],
        judges,
        AugmentParams(max_perplexity=20.0, min_similarity=0.6),
    )
    assert [item.reason for item in judged] == ["", "duplicate", "style", "perplexity", "empty", "similarity"]


def test_a_caption_is_judged_by_its_own_style() -> None:
    class Contrary(Oracle):
        def probabilities(self, sentences: list[list[str]]) -> np.ndarray:
            return 1.0 - super().probabilities(sentences)

    model = TrigramModel(SENTENCES * 3)
    judges = Judges({"humorous": Contrary(), "romantic": Oracle()}, {"humorous": model, "romantic": model}, {}, {})  # type: ignore[dict-item]
    candidates = [
        Candidate("i", style, [], [], "i2i", 0.9, tuple(words))
        for words in (SENTENCES[0], ["a", "dog"])
        for style in ("romantic", "humorous")
    ]
    judged = judge(candidates, judges, AugmentParams(max_perplexity=100.0))
    assert [item.reason for item in judged] == ["", "style", "style", ""]
    assert [item.style_probability for item in judged] == pytest.approx([0.9, 0.1, 0.1, 0.9])


def test_one_factual_caption_an_image_of_a_stylised_ones_length(corpus: Path) -> None:
    paths = [corpus / f"{name}.parquet" for name in ("images", "captions", "features")]
    found = read_datasets(*paths)
    assert set(found) == {"train", "val"}
    train = found["train"]
    assert train.styles() == ["humorous", "romantic"]
    assert len({caption.image_id for caption in train.factual}) == len(train.factual) == 48
    chosen = train.queries("romantic", 14, 3)
    styled = {caption.image_id for caption in train.styled}
    assert [caption.image_id in styled for caption in chosen] == [False] * 12 + [True] * 2
    assert chosen == train.queries("romantic", 14, 3) != train.queries("romantic", 14, 4)


def test_features_of_other_images_are_refused(corpus: Path, tmp_path: Path, make_corpus) -> None:  # type: ignore[no-untyped-def]
    other = make_corpus(tmp_path / "other", 4)
    (tmp_path / "captions.parquet").write_bytes((corpus / "captions.parquet").read_bytes())
    import pyarrow.parquet as pq

    pq.write_table(pq.read_table(other / "images.parquet").slice(0, 0), tmp_path / "none.parquet")
    with pytest.raises(PhotocriticError):
        read_datasets(tmp_path / "none.parquet", tmp_path / "captions.parquet", other / "features.parquet")


def test_the_loss_counts_the_caption_alone_and_ignores_padding() -> None:
    torch.manual_seed(0)
    words = [*"abcdefgh"] * 2
    generator = train_generator._small([words])
    prompts = generator.prompts([["a"], ["b", "c"]], [["d"], ["e", "f", "g", "h"]])
    targets = generator.targets([["a", "d"], ["b", "e", "c", "f"]])
    generator.model.eval()
    with torch.no_grad():
        together = generator.losses(generator.model, prompts, targets)
        alone = [
            float(generator.losses(generator.model, [prompts[row]], [targets[row]])) * len(targets[row])
            for row in (0, 1)
        ]
        logits = generator.model(torch.tensor([prompts[0] + targets[0]])).logits[0].log_softmax(-1)
    assert float(together) == pytest.approx(sum(alone) / 8, rel=1e-4)
    places = range(len(prompts[0]), len(prompts[0]) + len(targets[0]))
    expected = -sum(float(logits[place - 1, token]) for place, token in zip(places, targets[0], strict=True))
    assert alone[0] == pytest.approx(expected, rel=1e-4)


def test_a_pretrained_gpt2_gets_the_three_marks(tmp_path: Path) -> None:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import GPT2Config, GPT2LMHeadModel, GPT2TokenizerFast

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    raw.decoder = decoders.ByteLevel()
    raw.train_from_iterator([" ".join(SENTENCES[0])] * 5, trainers.BpeTrainer(special_tokens=["<|endoftext|>"]))
    tokenizer = GPT2TokenizerFast(tokenizer_object=raw)
    tokenizer.save_pretrained(tmp_path)
    GPT2LMHeadModel(GPT2Config(vocab_size=len(tokenizer), n_embd=32, n_layer=1, n_head=2)).save_pretrained(tmp_path)
    dataset = GeneratorDataset([Extracted(("love",), ("a", "dog", "is", "in", "here"))], [SENTENCES[0]])
    nothing = GeneratorDataset([], [])
    recipe = Recipe(Plan("generator", 40, 1, 3), 1e-2, weight_decay=0.01, decay_all=True, schedule="linear")
    run = TrainingRun(3, tmp_path / "checkpoint")
    generator, _ = train_generator.train_generator(str(tmp_path), dataset, nothing, nothing, SENTENCES, recipe, run)
    (caption,) = generator.generate(generator.prompts([["love"]], [dataset.parts[0].content]))
    assert list(caption) == SENTENCES[0]
