"""Backbones of timm: maps, weights from a file, and one line about what cannot be had."""

import sys
from pathlib import Path
from unittest.mock import patch

import pytest
import torch
from safetensors.torch import save_file

from photocritic.core.errors import ParamsError
from photocritic.vision import network as networks
from photocritic.vision.description import plain_view

timm = pytest.importorskip("timm")


def test_inception_resnet_gives_maps() -> None:
    backbone = networks.build_backbone("timm/inception_resnet_v2")
    with torch.no_grad():
        assert backbone.eval()(torch.zeros(2, 3, 75, 75)).shape == (2, 1536, 1, 1)


@pytest.mark.parametrize("suffix", [".pth", ".safetensors"])
def test_weights_from_a_file_see_images_as_the_network_wants_them(tmp_path: Path, suffix: str) -> None:
    reference = timm.create_model("resnet10t").eval()
    reference.pretrained_cfg |= {"mean": (0.5, 0.5, 0.5), "std": (0.5, 0.5, 0.5)}
    file = tmp_path / f"w{suffix}"
    torch.save(reference.state_dict(), file) if suffix == ".pth" else save_file(reference.state_dict(), file)
    with patch("timm.create_model", return_value=timm.create_model("resnet10t")) as create:
        create.return_value.pretrained_cfg |= reference.pretrained_cfg
        backbone = networks.load_imagenet("timm/resnet10t", str(file)).eval()
    assert networks.width(backbone) == 512
    pixels = torch.randint(0, 256, (2, 64, 64, 3), dtype=torch.uint8)
    wanted = pixels.permute(0, 3, 1, 2) / 127.5 - 1.0
    with torch.no_grad():
        torch.testing.assert_close(
            backbone(plain_view(pixels)), reference.forward_features(wanted), atol=1e-4, rtol=1e-4
        )


def test_another_models_weights_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "w.pth"
    torch.save(timm.create_model("resnet10t").state_dict(), file)
    with pytest.raises(ParamsError, match="is not a timm/resnet18"):
        networks.load_imagenet("timm/resnet18", str(file))


def test_weights_that_cannot_be_downloaded_are_told_in_one_line() -> None:
    with (
        patch("timm.create_model", side_effect=[timm.create_model("resnet10t"), ConnectionError("no\nnetwork")]),
        pytest.raises(ParamsError, match=r"cannot be downloaded \(no network\); set cnn_pretrain\.weights"),
    ):
        networks.load_imagenet("timm/resnet10t", "")


@pytest.mark.parametrize(("name", "reason"), [("nothing_such", "timm has no model"), ("vit_tiny_patch16_224", "not")])
def test_other_models_are_refused(name: str, reason: str) -> None:
    with pytest.raises(ParamsError, match=reason):
        networks.build_backbone(f"timm/{name}")


def test_without_timm_the_way_to_get_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "timm", None)
    with pytest.raises(ParamsError, match=r"'\.venv/bin/python -m pip install timm'"):
        networks.build_backbone("timm/inception_resnet_v2")
