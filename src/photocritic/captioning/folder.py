"""Captions for a folder of photographs, with a variant that the pipeline has trained."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from photocritic import logs
from photocritic.captioning.loading import load
from photocritic.captioning.source import Caption, CaptionSource, Floats, Pixels
from photocritic.errors import CorpusError, ParamsError
from photocritic.files import atomic_file
from photocritic.params import Params
from photocritic.tables import Stored
from photocritic.vision import FeatureExtractor
from photocritic.vision.images import decode_readable

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff"}
CAPTIONERS, NETWORKS = Path("data/lstm_train"), Path("data/cnn_pretrain")
BATCH = 64  # images decoded and captioned at once

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Seen:
    """What a captioner is shown of some photographs, which of them could be read, and why the others could not."""

    images: Floats | Pixels
    readable: list[int]
    unreadable: dict[int, str]


Look = Callable[[list[Path]], _Seen]


def caption_folder(folder: Path, variant: str, out: Path, params: Params, style: str = "") -> tuple[int, int]:
    """Write a caption for each photograph in a folder.

    Parameters
    ----------
    folder : Path
        Photographs, also in folders below it.
    variant : str
        The captioner's name in params.yaml.
    out : Path
        JSON Lines file to write: image, caption, logprob, and others where a diverse search finds them, in order of the
        images' names. Images that cannot be read go to a file beside it that ends in `.rejected.jsonl`, with the
        reason.
    params : Params
        The parameters the pipeline ran with; `evaluate` tells how captions are decoded.
    style : str
        A style that the variant has learned; factual where empty.

    Returns
    -------
    (int, int)
        How many images were captioned, and how many could not be read.

    Raises
    ------
    CorpusError
        The folder is missing or holds no photographs.
    ParamsError
        The variant is not in params.yaml, has not been trained, or not in that style.
    """
    paths = _photographs(folder)
    look, captioner = _trained(variant, params)
    if style:
        captioner.speak(style)
    captions, rejected = 0, 0
    refused = out.with_suffix(".rejected.jsonl")
    with ExitStack() as stack:
        good, bad = (
            stack.enter_context(stack.enter_context(atomic_file(path)).open("w", encoding="utf-8"))
            for path in (out, refused)
        )
        batches = [paths[begin : begin + BATCH] for begin in range(0, len(paths), BATCH)]
        for batch in logs.progress(batches, f"captioning {len(paths)} photographs"):
            names = [path.relative_to(folder).as_posix() for path in batch]
            found = look(batch)
            said = captioner.caption(
                found.images,
                params.evaluate,
                seed=params.seed,
                names=[names[position] for position in found.readable],
            )
            for position, caption in zip(found.readable, said, strict=True):
                good.write(json.dumps(_row(names[position], caption), ensure_ascii=False) + "\n")
            for position, reason in found.unreadable.items():
                bad.write(json.dumps({"image": names[position], "reason": reason}, ensure_ascii=False) + "\n")
            captions, rejected = captions + len(found.readable), rejected + len(found.unreadable)
    if rejected:
        logger.warning("%d images could not be read; see %s", rejected, refused)
    else:
        refused.unlink()
    return captions, rejected


def _row(image: str, caption: Caption) -> dict[str, object]:
    row = {"image": image, "caption": caption.text, "logprob": round(caption.logprob, 4)}
    return row | ({"others": caption.others} if caption.others else {})


def _photographs(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise CorpusError(f"{folder}: no such folder of photographs")
    paths = sorted(_images_below(folder))
    if not paths:
        raise CorpusError(f"{folder}: no photographs in it (looked for {', '.join(sorted(SUFFIXES))})")
    return paths


def _images_below(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())


def _trained(variant: str, params: Params) -> tuple[Look, CaptionSource]:
    if variant not in params.variants:
        raise ParamsError(f"no variant '{variant}' in params.yaml; there are {', '.join(sorted(params.variants))}")
    captioner = load(_existing(CAPTIONERS / variant, variant))
    if captioner.view == "pixels":
        return _looking(captioner.side), captioner
    network = _existing(NETWORKS / params.variants[variant].features, variant)
    return _describing(FeatureExtractor.load(network), captioner.view), captioner


def _existing(trained: Path, variant: str) -> Path:
    if not trained.is_dir():
        raise ParamsError(f"{trained}: variant '{variant}' is not trained yet; run `make run` first")
    return trained


def _looking(side: int) -> Look:
    def look(batch: list[Path]) -> _Seen:
        squares = decode_readable(batch, side)
        return _Seen(squares.pixels, squares.readable, squares.unreadable)

    return look


def _describing(extractor: FeatureExtractor, view: Stored) -> Look:
    def look(batch: list[Path]) -> _Seen:
        found = extractor(batch)
        return _Seen(found.view(view), found.readable, found.unreadable)

    return look
