"""Subcommands that use what the pipeline has trained: captions of photographs, their server, topics of comments."""

import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from photocritic.cli.champion_choice import chosen_variant
from photocritic.core import logs
from photocritic.core.errors import CorpusError, ParamsError
from photocritic.core.files import atomic_file, refuse_foreign
from photocritic.core.paths import PREDICT, TOPIC_MODEL
from photocritic.images.formats import SUFFIXES

if TYPE_CHECKING:
    from photocritic.captioning import CaptioningPipeline

app = typer.Typer()
SETTINGS = "pipeline.json"  # of a captioner's folder; its class takes torch to import
_FALLBACK = "cws"  # where no variant passes the gate of a champion
BATCH = 64  # images decoded and captioned at once

logger = logging.getLogger(__name__)


@app.command()
def caption(
    folder: Annotated[Path, typer.Argument(help="Folder of photographs.")],
    out: Annotated[Path, typer.Option(help="JSON Lines file to write: image, caption, logprob.")] = Path(
        "captions.jsonl"
    ),
    variant: Annotated[str, typer.Option(help="Captioner, as in params.yaml; by default the champion.")] = "",
    model: Annotated[Path | None, typer.Option(help="Folder of another captioner, such as a registered one.")] = None,
    strategy: Annotated[str, typer.Option(help="greedy, beam, diverse or sample.")] = "",
    beam: Annotated[int | None, typer.Option(help="Hypotheses kept by the strategies beam and diverse.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of the strategy sample.")] = None,
    style: Annotated[str, typer.Option(help="A style that the variant has learned, such as humorous.")] = "",
) -> None:
    """Caption a folder of photographs with a trained variant.

    What no option says is as in params.yaml when the variant's captions were predicted.
    """
    refuse_foreign(out, begins=b"{")
    paths = _photographs(folder)
    captioner = model or PREDICT / (variant or chosen_variant() or _FALLBACK)
    options = _changed(captioner, strategy, beam, seed) | {"style": style}  # refused before torch is loaded
    written, unreadable = _write_captions(_pipeline(captioner), paths, folder, out, options)
    sys.stdout.write(f"{written} captions in {out}" + (f"; {unreadable} unreadable images\n" if unreadable else "\n"))


def _photographs(folder: Path) -> list[Path]:
    """Return the images in a folder and in those below it, in order of their names; hidden ones are passed over."""
    if not folder.is_dir():
        raise CorpusError(f"{folder}: no such folder of photographs")
    paths = []
    for place, folders, files in os.walk(folder, onerror=_refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths += [Path(place, name) for name in files if not name.startswith(".")]
    paths = sorted(path for path in paths if path.suffix.lower() in SUFFIXES)
    if not paths:
        raise CorpusError(f"{folder}: no photographs in it (looked for {', '.join(sorted(SUFFIXES))})")
    return paths


def _refuse(error: OSError) -> None:
    raise CorpusError(f"{error.filename}: cannot be read: {error.strerror}")


def _pipeline(folder: Path) -> "CaptioningPipeline":
    if not (folder / SETTINGS).is_file():
        known = ", ".join(sorted(path.parent.name for path in folder.parent.glob(f"*/{SETTINGS}")))
        advice = f"there are {known}" if known else "run `make run` first"
        raise ParamsError(f"{folder}: no trained captioner; {advice}")
    from photocritic.captioning.inference import CaptioningPipeline  # late: torch takes seconds to come up

    return CaptioningPipeline.from_pretrained(folder)


def _changed(captioner: Path, strategy: str, beam: int | None, seed: int | None) -> dict[str, Any]:
    """Return how captions are decoded instead, where an option is given; `_pipeline` refuses damaged settings."""
    if not strategy and beam is None and seed is None:
        return {}
    from photocritic import config

    try:
        settings = json.loads((captioner / SETTINGS).read_text("utf-8"))
        known = {"seed": settings["seed"], "predict": settings["decoding"]}
    except (OSError, ValueError, KeyError, TypeError):
        known = {}
    changed = config.decoding(config.check(known), strategy, beam, seed)
    return {"decoding": changed.predict, "seed": changed.seed}


def _write_captions(
    pipeline: "CaptioningPipeline", paths: list[Path], folder: Path, out: Path, options: dict[str, Any]
) -> tuple[int, int]:
    r"""Write a caption for each photograph.

    Parameters
    ----------
    pipeline : CaptioningPipeline
        The captioner.
    paths : list of Path
        The photographs.
    folder : Path
        Where they lie.
    out : Path
        JSON Lines file to write: image, caption, logprob, and others where a diverse search finds them, in order of the
        images' names, in which bytes that are not UTF-8 are written as \xNN. Images that cannot be read, and links
        that lead out of the folder, go to a file beside it that ends in `.rejected.jsonl`, with the reason.
    options : dict
        Of `CaptioningPipeline.caption`.

    Returns
    -------
    (int, int)
        How many images were captioned, and how many could not be read.
    """
    rejected = out.with_suffix(".rejected.jsonl")
    counts = {out: 0, rejected: 0}
    with ExitStack() as stack:
        places = {path: stack.enter_context(atomic_file(path)) for path in counts}
        streams = {path: stack.enter_context(place.open("w", encoding="utf-8")) for path, place in places.items()}
        batches = [paths[begin : begin + BATCH] for begin in range(0, len(paths), BATCH)]
        for batch in logs.progress(batches, f"captioning {len(paths)} photographs"):
            for row in _rows(pipeline, batch, folder, options):
                path = out if "caption" in row else rejected
                streams[path].write(json.dumps(row, ensure_ascii=False) + "\n")
                counts[path] += 1
    if not counts[rejected]:
        rejected.unlink()
    if counts[rejected]:
        logger.warning("%d images could not be read; see %s", counts[rejected], rejected)
    return counts[out], counts[rejected]


def _rows(
    pipeline: "CaptioningPipeline", paths: list[Path], folder: Path, options: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield what is written of each image: its caption, or the reason that there is none."""
    inside = []
    for path in paths:
        if _leads_out(path, folder):
            yield {"image": _name(path, folder), "reason": "a link that leads out of the folder"}
        else:
            inside.append(path)
    names = [_name(path, folder) for path in inside]
    for name, caption in zip(names, pipeline.caption(inside, names=names, **options), strict=True):
        if caption.problem:
            yield {"image": name, "reason": caption.problem}
        else:
            others = {"others": caption.others} if caption.others else {}
            yield {"image": name, "caption": caption.text, "logprob": round(caption.logprob, 4), **others}


def _name(path: Path, folder: Path) -> str:
    return _written(path.relative_to(folder).as_posix())


def _written(name: str) -> str:
    r"""Return an image's name as it can be written, with \xNN for bytes that are not UTF-8."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _leads_out(path: Path, folder: Path) -> bool:
    if not path.is_symlink():
        return False
    try:
        return not path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # links in a circle, which nobody can read
        return False


@app.command()
def retrieve(
    photographs: Annotated[list[Path], typer.Argument(help="Photographs.")],
    retriever: Annotated[str, typer.Option(help="Captioner by retrieval, as in params.yaml.")] = "assoc",
    captions: Annotated[int, typer.Option(min=1, help="Captions of a photograph, at most.")] = 5,
    similar: Annotated[int, typer.Option(min=1, help="Photographs of a caption, at most.")] = 3,
) -> None:
    """Print what people wrote under photographs that are similar, and these photographs, as JSON Lines."""
    pipeline = _pipeline(PREDICT / retriever)
    from photocritic.captioning.retrieval.retrieval_predictor import RetrievalPredictor

    predictor, extractor = pipeline.predictor, pipeline.extractor
    if not isinstance(predictor, RetrievalPredictor) or extractor is None:
        raise ParamsError(f"--retriever {retriever}: this captioner generates captions; name one of retrievers")
    seen = extractor(photographs)
    found = dict(zip(seen.readable, predictor.find(seen.features, captions, similar), strict=True))
    for place, path in enumerate(photographs):
        row: dict[str, Any] = {"image": _written(str(path))}
        if place in found:
            row["captions"] = [
                {"caption": one.caption, "affinity": round(one.affinity, 4), "photographs": one.image_ids}
                for one in found[place]
            ]
        else:
            row["reason"] = seen.unreadable[place]
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")


@app.command()
def serve(
    model: Annotated[str, typer.Option(help="Address of a registered model.")] = "models:/photocritic@champion",
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 accepts other machines.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 5001,
    timeout: Annotated[float, typer.Option(min=0.001, help="Seconds that an answer may take.")] = 60.0,
) -> None:
    """Answer HTTP requests with the captions of a registered model until interrupted (docs/serving.md)."""
    from photocritic.serving.scoring_app import serve

    serve(model, host, port, timeout)


@app.command()
def topics(
    comments: Annotated[Path, typer.Argument(help="Text file with a comment a line, or CSV or JSON Lines with texts.")],
    model: Annotated[Path, typer.Option(help="Folder of the topic model.")] = TOPIC_MODEL,
    top: Annotated[int, typer.Option(min=1, help="Topics of a comment, at most.")] = 3,
) -> None:
    """Print what each comment of a file is about: its likeliest topics with their terms, as JSON Lines."""
    from photocritic.config import presets
    from photocritic.filtering.comment_ngrams import comment_ngrams
    from photocritic.topics import TopicModel, likeliest_topics

    known = TopicModel.load(model)
    for texts, ngrams in comment_ngrams(comments, presets.for_filter()):
        for text, found in zip(texts, likeliest_topics(known, ngrams, top), strict=True):
            sys.stdout.write(json.dumps({"text": text, "topics": found}, ensure_ascii=False) + "\n")
