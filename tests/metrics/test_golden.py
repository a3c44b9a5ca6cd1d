"""The COCO caption evaluation's golden set: its example results on val2014, whose scores its notebook shows.

The results are in no package; the tests want them at coco/captions_val2014_fakecap_results.json in the folder of real
corpora. (The COCO API has a file of that name too, whose captions are the references themselves, and is not meant.)
"""

import hashlib
import json

import pytest

from photocritic.metrics import PURE, Captions, References, missing, ptb, score

SHA256 = "5ea4c7e21fdc7305a44f27957d016d847834c4f14fa572f2cdfaf607adb7d31a"
PUBLISHED = {"bleu_1": 0.57940, "bleu_2": 0.40439, "bleu_3": 0.27854, "bleu_4": 0.19083, "rouge_l": 0.39625}


@pytest.fixture(scope="module")
def golden(coco, corpora):
    """Give captions and references of 1,000 images, tokenised as the evaluation does."""
    path = corpora / "coco" / "captions_val2014_fakecap_results.json"
    if not path.is_file():
        pytest.skip(f"{path.name} is not here")
    if ptb.missing():
        pytest.skip("Java or pycocoevalcap is not installed")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert digest == SHA256, f"{path} is another file of this name"
    results = {row["image_id"]: row["caption"] for row in json.loads(path.read_text(encoding="utf-8"))}
    words = iter(ptb.ptb_tokens([text for image in results for text in [results[image], *coco[image]]]))
    found = [([next(words)], [next(words) for _ in coco[image]]) for image in results]
    return Captions([mine[0] for mine, _ in found]), References([theirs for _, theirs in found])


def test_golden_scores(golden):
    found = score(*golden, PURE).corpus
    assert {key: found[key] for key in PUBLISHED} == pytest.approx(PUBLISHED, abs=5e-6)
    assert found["cider_d"] == pytest.approx(0.59979, abs=5e-6)  # the notebook's "CIDEr"


@pytest.mark.skipif(bool(missing("meteor")), reason="METEOR is not installed")
@pytest.mark.xdist_group("meteor")
def test_golden_meteor(golden):
    assert score(*golden, ["meteor"]).corpus["meteor"] == pytest.approx(0.19525, abs=5e-6)


@pytest.mark.slow
@pytest.mark.timeout(3600)  # five minutes of processor time, on machines that may be busy
@pytest.mark.skipif(bool(missing("spice")), reason=f"SPICE: not installed ({missing('spice')})")
@pytest.mark.xdist_group("spice")
def test_golden_spice(golden):
    assert score(*golden, ["spice"]).corpus["spice"] == pytest.approx(0.133, abs=5e-4)
