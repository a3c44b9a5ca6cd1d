"""The model card: every section of the form, and the run's own numbers in it."""

from dataclasses import replace

import pytest

from photocritic import config
from photocritic.core.files import sha256
from photocritic.evaluation.champion import choose
from photocritic.evaluation.evaluation_set import load_evaluation_set
from photocritic.serving import card

SECTIONS = [  # Mitchell et al. 2019, Figure 1
    "Model details",
    "Intended use",
    "Factors",
    "Metrics",
    "Evaluation data",
    "Training data",
    "Quantitative analyses",
    "Ethical considerations",
    "Caveats and recommendations",
]
NUMBERS = {"red.rouge_l": 0.25, "white.rouge_l": 0.5, "white.most_frequent_share": 1.0, "red.most_frequent_share": 0.75}
NUMBERS |= {"val.red.rouge_l": 0.2, "val.white.rouge_l": 0.6}


@pytest.fixture
def facts(built):
    """Give a function that makes a card's facts for a corpus."""

    def make(reader, changes=None, features="weak", **more):
        variants = {
            "red": {"captions": "raw", "features": "weak"},
            "white": {"captions": "filtered", "features": features},
        }
        rule = {"metric": "rouge_l", "gate": {}}
        chosen = config.check({"ingest": {"reader": reader}, "variants": variants, "promote": rule} | (changes or {}))
        numbers = NUMBERS | more
        found = load_evaluation_set(built.images, built.captions, built.references, "test")
        tables = (built.images, built.captions, built.references)
        origin = {"preset": "deja", "git_commit": "c0ffee", "dvc_lock": "beef"}
        choice = choose(chosen, numbers)
        return card.Facts(chosen, choice, "white", numbers, found, *tables, built.pipelines / "white", origin)

    return make


def test_every_section_is_there_and_every_number_is_the_runs(facts, built):
    told = card.write(facts("sample", **{"white.cider_d_low": 0.1, "white.cider_d_high": 0.3}))
    assert [line[3:] for line in told.splitlines() if line.startswith("## ")] == SECTIONS
    assert "| variant | captions, features | ROUGE-L | most frequent share |" in told
    assert "| red | raw, weak | 0.250 | 0.750 |" in told
    assert "| **white** | filtered, weak | 0.500 | 1.000 |" in told
    assert "interval of its CIDEr-D: 0.100 to 0.300" in told
    assert "BLEU-4" not in told  # was not measured
    for table in (built.images, built.captions):
        assert sha256(table)[:16] in told
    assert sha256(built.references)[:16] not in told  # it has no rows: the kept comments are what was measured against
    for name in ("`deja`", "`c0ffee`", "`beef`"):
        assert name in told
    assert "8 images of the split `test`, held back from training and from the choice" in told
    assert "rendered by photocritic itself; Apache-2.0" in told


def test_fused_features_and_consensus_are_told(facts):
    changes = {
        "cnn_pretrain": {"features": ["weak", "fisher"], "fisher_components": 16},
        "fused_features": {"both": {"first": "weak", "second": "fisher"}},
        "predict": {"strategy": "diverse", "consensus": 50},
    }
    told = card.write(facts("folder", changes, "both"))
    made = "`weak`, by resnet18 at 80 pixels, then `fisher`, by Fisher vectors of 16 Gaussians at 160 pixels"
    assert f"| features | `both`: {made} |" in told
    assert "| decoding | diverse, at most 28 words, chosen by consensus with 50 similar photographs |" in told


def test_global_descriptors_are_told(facts):
    changes = {
        "cnn_pretrain": {"features": ["weak", "gist", "tinyimage"], "gist_size": 32},
        "fused_features": {"both": {"first": "gist", "second": "tinyimage"}},
    }
    told = card.write(facts("folder", changes, "both"))
    assert "| features | `both`: `gist`, by GIST at 32 pixels, then `tinyimage`, by Tinyimage |" in told


def test_a_captioner_by_retrieval_is_told(facts):
    retrievers = {"found": {"method": "assoc", "captions": "filtered", "features": "weak"}}
    numbers = {"found.rouge_l": 0.7, "val.found.rouge_l": 0.9, "found.most_frequent_share": 0.1}
    told = card.write(replace(facts("sample", {"retrievers": retrievers}, **numbers), winner="found"))
    assert "by retrieval, method `assoc`: captions of similar training photographs, of those of the 100 nearest" in told
    assert "| **found** | filtered, weak | 0.700 | 0.100 |" in told
    assert "Déjà Image-Captions" in told
    assert "decoding" not in told


def test_a_licence_that_is_not_known_is_not_claimed(facts):
    told = card.write(facts("folder"))
    assert "Apache-2.0, as photocritic" not in told
    assert "which photocritic does not know" in told
    assert "rendered scenes" not in told


def test_the_registry_gets_a_few_lines(facts):
    told = card.short(facts("folder"))
    assert told.startswith(
        "white: ROUGE-L 0.600 on validation photographs (0.500 on test photographs), best of 2 variants. "
    )
    assert "Learned from `filtered` comments" in told
    assert "measured on 8 held-back images" in told
    assert len(told) < 400
