"""A detector's weights come from a file or torchvision, fit the detector, or are refused in one line."""

from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.error import URLError

import pytest
import torch
import torchvision
from safetensors.torch import load_file, save_file

from photocritic.config import CnnPretrainParams
from photocritic.core.errors import ParamsError
from photocritic.vision import detectors
from photocritic.vision.pretraining import check

SMALL = "fasterrcnn_mobilenet_v3_large_320_fpn"


def test_weights_come_from_a_local_file_with_its_own_classes(detector_file: Path, tmp_path: Path) -> None:
    state = load_file(detector_file)
    torch.save(state, tmp_path / "w.pth")
    for file in (detector_file, tmp_path / "w.pth"):
        detector = detectors.load(SMALL, str(file))
        assert detectors.classes(detector) == 5
        assert all(torch.equal(value, state[name]) for name, value in detector.state_dict().items())


def test_files_without_the_counters_of_batch_normalisation_fit(detector_file: Path, tmp_path: Path) -> None:
    state = {name: value for name, value in load_file(detector_file).items() if "num_batches_tracked" not in name}
    save_file(state, tmp_path / "old.safetensors")
    own = detectors.load(SMALL, str(tmp_path / "old.safetensors")).state_dict()
    assert len(own) > len(state)
    assert all(torch.equal(value, own[name]) for name, value in state.items())


def refused(**changes: Any) -> str:
    with pytest.raises(ParamsError) as caught:
        detectors.load(**({"name": SMALL, "weights": ""} | changes))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_without_network_the_way_to_give_weights_is_told(squares: Any, tmp_path: Path) -> None:
    params = CnnPretrainParams(features=["regions"], detector=SMALL)
    with (
        patch("torch.hub.download_url_to_file", side_effect=URLError("offline")),
        patch.dict("os.environ", TORCH_HOME=str(tmp_path)),
        pytest.raises(ParamsError, match=r"offline.*set cnn_pretrain\.detector_weights to a local .* or drop regions"),
    ):
        check(squares.images, params)


def test_what_is_not_the_detectors_is_refused_in_one_line(detector_file: Path, tmp_path: Path) -> None:
    assert "cnn_pretrain.detector_weights" in refused(weights=str(tmp_path / "none.pth"))
    (tmp_path / "junk.safetensors").write_bytes(b"junk")
    assert "not a file of weights" in refused(weights=str(tmp_path / "junk.safetensors"))
    torch.save(torchvision.models.resnet18().state_dict(), tmp_path / "other.pth")
    told = refused(weights=str(tmp_path / "other.pth"))
    assert f"other.pth is not a {SMALL}" in told
    assert told.endswith("such as backbone.body.0.0.weight")
    state = load_file(detector_file)
    del state["rpn.head.bbox_pred.bias"], state["rpn.head.cls_logits.bias"]
    save_file(state, tmp_path / "part.safetensors")
    assert refused(weights=str(tmp_path / "part.safetensors")).endswith(
        "2 of its tensors are missing or of another shape, such as rpn.head.bbox_pred.bias"
    )
    told = refused(name="fasterrcnn_resnet999")
    assert "cnn_pretrain.detector" in told
    assert "fasterrcnn_resnet50_fpn_v2" in told
