"""Captions for a folder of photographs, with a variant that the pipeline has trained."""

import json
import logging
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from photocritic import logs
from photocritic.captioning.critic import Critic
from photocritic.captioning.source import Caption
from photocritic.errors import CorpusError, ParamsError
from photocritic.files import atomic_file
from photocritic.params import Params

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff"}
CAPTIONERS, NETWORKS = Path("data/lstm_train"), Path("data/cnn_pretrain")
BATCH = 64  # images decoded and captioned at once

logger = logging.getLogger(__name__)


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
    critic = _trained(variant, params)
    if style:
        critic.captioner.speak(style)
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
            said = critic(batch, params.evaluate, seed=params.seed, names=names)
            for position, caption in zip(said.readable, said.captions, strict=True):
                good.write(json.dumps(_row(names[position], caption), ensure_ascii=False) + "\n")
            for position, reason in said.unreadable.items():
                bad.write(json.dumps({"image": names[position], "reason": reason}, ensure_ascii=False) + "\n")
            captions, rejected = captions + len(said.readable), rejected + len(said.unreadable)
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


def _trained(variant: str, params: Params) -> Critic:
    if variant not in params.variants:
        raise ParamsError(f"no variant '{variant}' in params.yaml; there are {', '.join(sorted(params.variants))}")
    captioner = CAPTIONERS / variant
    if not captioner.is_dir():
        raise ParamsError(f"{captioner}: variant '{variant}' is not trained yet; run `make run` first")
    return Critic.load(captioner, NETWORKS / params.variants[variant].features)
