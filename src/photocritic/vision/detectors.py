"""Detectors: torchvision's Faster R-CNNs by name, with weights from a file or torchvision's own."""

from typing import Any

import torchvision
from torch import nn

from photocritic.core.errors import ParamsError
from photocritic.vision import pretrained_weights

COCO_CLASSES = 91  # outputs of torchvision's own weights, the background among them

_PROPOSALS = 300  # judged in an image; Ren et al. 2015: as many, where torchvision's 1000 take three times as long
_OUTPUTS = "roi_heads.box_predictor.cls_score.bias"  # one number a class
_ZERO_EPSILON = "fasterrcnn_resnet50_fpn"  # torchvision's weights of it were trained without one


def build(name: str, classes: int) -> Any:
    """Build a detector with fresh weights, drawn from torch's global generator.

    Parameters
    ----------
    name : str
        One of torchvision's Faster R-CNNs.
    classes : int
        What it tells apart, the background among them.

    Returns
    -------
    torchvision.models.detection.FasterRCNN
        The detector; it hides no proposal that scores low.

    Raises
    ------
    ParamsError
        There is no such detector.
    """
    known = torchvision.models.list_models(module=torchvision.models.detection, include="fasterrcnn_*")
    if name not in known:
        raise ParamsError(f"cnn_pretrain.detector: torchvision has no '{name}'; known are {', '.join(sorted(known))}")
    detector = torchvision.models.get_model(
        name,
        weights=None,
        weights_backbone=None,
        num_classes=classes,
        rpn_post_nms_top_n_test=_PROPOSALS,
        rpn_score_thresh=0.0,
    )
    if name == _ZERO_EPSILON:
        for layer in detector.modules():
            if isinstance(layer, nn.BatchNorm2d):
                layer.eps = 0.0
    return detector


def load(name: str, weights: str) -> Any:
    """Build a detector with weights, and with as many classes as they tell apart.

    Parameters
    ----------
    name : str
        As in `build`.
    weights : str
        A file of its state in torchvision's names, .safetensors or .pth; empty: torchvision's own, of COCO.

    Returns
    -------
    torchvision.models.detection.FasterRCNN
        As from `build`.

    Raises
    ------
    ParamsError
        The weights cannot be had, or are another model's.
    """
    origin = pretrained_weights.Origin("cnn_pretrain.detector_weights", weights, "regions")
    detector = build(name, COCO_CLASSES)
    state = pretrained_weights.read(origin) if weights else pretrained_weights.download(name, origin)
    classes = len(state[_OUTPUTS]) if _OUTPUTS in state and state[_OUTPUTS].ndim else COCO_CLASSES
    if classes != COCO_CLASSES:
        detector = build(name, classes)
    pretrained_weights.fill(detector, name, state, origin)
    return detector


def classes(detector: Any) -> int:
    """Count what a detector tells apart, the background among them."""
    return int(detector.roi_heads.box_predictor.cls_score.out_features)
