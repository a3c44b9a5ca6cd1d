"""Captions for a folder of photographs, with a variant that the pipeline has trained."""

import json
import logging
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from photocritic.config import Params
from photocritic.core import logs
from photocritic.core.errors import CorpusError, ParamsError
from photocritic.core.generation import aside, generation
from photocritic.core.paths import CAPTIONERS, CNN
from photocritic.images.formats import SUFFIXES
from photocritic.ingest.parsing.folders import is_image, walk

if TYPE_CHECKING:
    from photocritic.captioning.critic import Critic
    from photocritic.captioning.source import Caption

BATCH = 64  # images decoded and captioned at once

Row = dict[str, object]

logger = logging.getLogger(__name__)


def caption_folder(folder: Path, variant: str, out: Path, params: Params, style: str = "") -> tuple[int, int]:
    r"""Write a caption for each photograph in a folder.

    Parameters
    ----------
    folder : Path
        Photographs, also in folders below it; hidden files are passed over.
    variant : str
        The captioner's name in params.yaml.
    out : Path
        JSON Lines file to write: image, caption, logprob, and others where a diverse search finds them, in order of the
        images' names, in which bytes that are not UTF-8 are written as \xNN. Images that cannot be read, and links
        that lead out of the folder, go to a file beside it that ends in `.rejected.jsonl`, with the reason.
    params : Params
        The parameters the pipeline ran with; `predict` says how captions are decoded.
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
    with generation(out.with_name(f".{out.stem}.json")), ExitStack() as stack:
        places = [aside(path) for path in (out, refused)]
        good, bad = (stack.enter_context(path.open("w", encoding="utf-8")) for path in places)
        batches = [paths[begin : begin + BATCH] for begin in range(0, len(paths), BATCH)]
        for batch in logs.progress(batches, f"captioning {len(paths)} photographs"):
            captioned, unreadable = _caption(critic, batch, folder, params)
            _write(good, captioned)
            _write(bad, unreadable)
            captions, rejected = captions + len(captioned), rejected + len(unreadable)
        if not rejected:
            places[1].unlink()
    if rejected:
        logger.warning("%d images could not be read; see %s", rejected, refused)
    return captions, rejected


def _caption(critic: "Critic", paths: list[Path], folder: Path, params: Params) -> tuple[list[Row], list[Row]]:
    """Return a row for each image that has a caption, and one for each that has none."""
    leading_out = [path for path in paths if _leads_out(path, folder)]
    inside = [path for path in paths if path not in leading_out]
    names = [_name(path, folder) for path in inside]
    said = critic(inside, params.predict, seed=params.seed, names=names)
    captioned = [_row(names[position], caption) for position, caption in zip(said.readable, said.captions, strict=True)]
    unreadable: list[Row] = [
        {"image": _name(path, folder), "reason": "a link that leads out of the folder"} for path in leading_out
    ]
    unreadable += [{"image": names[position], "reason": reason} for position, reason in said.unreadable.items()]
    return captioned, unreadable


def _write(stream: TextIO, rows: list[Row]) -> None:
    stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _name(path: Path, folder: Path) -> str:
    r"""Return an image's name as it can be written, with \xNN for bytes that are not UTF-8."""
    name = path.relative_to(folder).as_posix()
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _leads_out(path: Path, folder: Path) -> bool:
    if not path.is_symlink():
        return False
    try:
        return not path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # links in a circle, which nobody can read
        return False


def _row(image: str, caption: "Caption") -> Row:
    row: Row = {"image": image, "caption": caption.text, "logprob": round(caption.logprob, 4)}
    return row | ({"others": caption.others} if caption.others else {})


def _photographs(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise CorpusError(f"{folder}: no such folder of photographs")
    paths = sorted(path for path in walk(folder) if is_image(path))
    if not paths:
        raise CorpusError(f"{folder}: no photographs in it (looked for {', '.join(sorted(SUFFIXES))})")
    return paths


def _trained(variant: str, params: Params) -> "Critic":
    if variant not in params.variants:
        raise ParamsError(f"no variant '{variant}' in params.yaml; there are {', '.join(sorted(params.variants))}")
    captioner = CAPTIONERS / variant
    if not captioner.is_dir():
        raise ParamsError(f"{captioner}: variant '{variant}' is not trained yet; run `make run` first")
    from photocritic.captioning.critic import Critic  # late: what is wrong is told before torch has come up

    return Critic.load(captioner, CNN / params.variants[variant].features)
