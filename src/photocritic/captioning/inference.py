"""Photographs in, captions out: one class for the command, the server, the registry and the predict stage."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from pydantic import Field, ValidationError

from photocritic.captioning.caption_dataset import Floats
from photocritic.captioning.model_predictor import load_predictor
from photocritic.captioning.neighbours import Neighbours
from photocritic.captioning.predictor import FACTUAL, Caption, Predictor
from photocritic.config import Block, Decoding, Params
from photocritic.core.errors import ParamsError, TrainingError
from photocritic.core.files import atomic_dir, atomic_file
from photocritic.core.files import sha256 as sha256_of
from photocritic.images.decoding import Pixels
from photocritic.text import caption_tokens
from photocritic.vision.extraction import FeatureExtractor, decode_readable

CAPTIONER, NETWORK, NEIGHBOURS, SETTINGS = "captioner", "network", "neighbours", "pipeline.json"
BATCH = 64  # photographs decoded and captioned at once
_TOP, _TERMS = 3, 5  # topics of a photograph, and words of a topic


class Settings(Block):
    """What a pipeline's folder says beside its weights: `pipeline.json`.

    Attributes
    ----------
    variant, captions, features : str
        The captioner's name in params.yaml, what it learned from, and what it reads.
    seed : int
        Of what is drawn.
    decoding : Decoding
        How captions are decoded.
    topics : dict of int to str
        Words of each topic, where the network predicts topics.
    captioner, network : str
        The folders of the weights, relative to the pipeline's. `neighbours`, where captions are chosen by consensus,
        stands in the pipeline's own.
    network_sha256 : str
        Hash of the network's folder, whose features the captioner reads; empty: any network will do.
    """

    variant: str
    captions: str
    features: str
    seed: int
    decoding: Decoding
    topics: dict[int, str] = Field(default_factory=dict)
    captioner: str = CAPTIONER
    network: str = NETWORK
    network_sha256: str = ""

    @classmethod
    def of(cls, params: Params, variant: str, captioner: str = CAPTIONER, network: str = NETWORK) -> "Settings":
        """Return a variant's settings, decoded as the section predict says."""
        chosen = params.compared[variant]
        decoding = Decoding.model_validate(params.predict.model_dump(include=set(Decoding.model_fields)))
        return cls(
            variant=variant,
            captions=chosen.captions,
            features=chosen.features,
            seed=params.seed,
            decoding=decoding,
            captioner=captioner,
            network=network,
        )

    def save(self, folder: Path) -> None:
        """Write them into a pipeline's folder."""
        with atomic_file(folder / SETTINGS) as temporary:
            text = json.dumps(self.model_dump(mode="json"), indent=1, sort_keys=True, ensure_ascii=False)
            temporary.write_text(text + "\n", encoding="utf-8")


class CaptioningPipeline:
    """A captioner with all that it needs to caption photographs. Calls leave no trace: threads may share it.

    Parameters
    ----------
    predictor : Predictor
        The captioner.
    settings : Settings
        How captions are decoded.
    extractor : FeatureExtractor, optional
        The network whose features the captioner reads; without it, arrays of features can be captioned, and photographs
        only by a captioner that reads pixels.
    neighbours : Neighbours, optional
        Training photographs that captions are chosen by where `decoding.consensus` asks for it.
    """

    def __init__(
        self,
        predictor: Predictor,
        settings: Settings,
        extractor: FeatureExtractor | None = None,
        neighbours: Neighbours | None = None,
    ) -> None:
        self.predictor, self.settings, self.extractor, self.neighbours = predictor, settings, extractor, neighbours
        self._turn = Lock()  # one batch at a time: torch's switches are the whole process's, and so is its memory

    @classmethod
    def from_pretrained(cls, folder: Path) -> "CaptioningPipeline":
        """Load a pipeline, onto the accelerator where there is one.

        Parameters
        ----------
        folder : Path
            As `save_pretrained` wrote it, or data/predict/VARIANT, which refers to the weights of earlier stages.

        Raises
        ------
        TrainingError
            A file is missing, damaged, or does not fit the others.
        """
        try:
            settings = Settings.model_validate_json((folder / SETTINGS).read_text(encoding="utf-8"))
        except (OSError, ValidationError, ValueError) as error:
            reason = " ".join(str(error).split())
            raise TrainingError(f"{folder}: damaged pipeline ({reason}); run predict, or register it again") from None
        predictor = load_predictor(folder / settings.captioner)
        if predictor.view == "pixels":
            return cls(predictor, settings)
        neighbours = Neighbours.load(folder / NEIGHBOURS) if (folder / NEIGHBOURS).is_dir() else None
        network = folder / settings.network
        extractor = FeatureExtractor.load(network)
        if settings.network_sha256 not in {"", sha256_of(network)}:
            raise TrainingError(
                f"{network}: not the network that {folder} was made with; run predict or retrieve again"
            )
        return cls(predictor, settings, extractor, neighbours)

    def save_pretrained(self, folder: Path, topics: Mapping[int, str] | None = None) -> None:
        """Write the pipeline whole or not at all, as safetensors and JSON.

        Parameters
        ----------
        folder : Path
            Gets `captioner/`, `network/` unless the captioner reads pixels, and `pipeline.json`.
        topics : mapping of int to str, optional
            Words of each topic; by default those of its own settings.
        """
        changes: dict[str, Any] = {"captioner": CAPTIONER, "network": NETWORK}
        if topics is not None:
            changes["topics"] = dict(topics)
        with atomic_dir(folder) as temporary:
            self.predictor.save(temporary / CAPTIONER)
            if self.extractor is not None:
                self.extractor.save(temporary / NETWORK)
                changes["network_sha256"] = sha256_of(temporary / NETWORK)
            if self.neighbours is not None:
                self.neighbours.save(temporary / NEIGHBOURS)
            self.settings.model_copy(update=changes).save(temporary)

    def caption(
        self,
        images: Sequence[Path | bytes] | Floats | Pixels,
        style: str | None = None,
        *,
        names: Sequence[str] | None = None,
        decoding: Decoding | None = None,
        seed: int | None = None,
        batch_size: int = BATCH,
    ) -> list[Caption]:
        """Caption images.

        Parameters
        ----------
        images : sequence of Path or bytes, or ndarray
            Image files, or their contents; or what the captioner reads of them, as in `Predictor.predict`.
        style : str, optional
            A style that the captioner has learned; by default none.
        names : sequence of str, optional
            What is drawn for an image is a function of the seed and its name; by default the hash of its content, the
            path of its file, or its position in an array.
        decoding, seed
            By default as in the settings.
        batch_size : int
            Images decoded and captioned at once.

        Returns
        -------
        list of Caption
            In the order of the images; `problem` says why a file cannot be read.

        Raises
        ------
        ParamsError
            The captioner has not learned the style, or cannot be decoded in this way.
        TrainingError
            An array is not what the captioner was trained on, the network makes no such features, or there are no
            neighbours to choose captions by.
        """
        predict = partial(
            self._predict,
            decoding=decoding or self.settings.decoding,
            seed=self.settings.seed if seed is None else seed,
            style=style or FACTUAL,
            batch_size=batch_size,
        )
        if isinstance(images, np.ndarray):
            with self._turn:
                return predict(images, names)
        named = list(names) if names is not None else list(map(_name, images))
        captions: list[Caption] = []
        for begin in range(0, len(images), batch_size):
            rows = slice(begin, begin + batch_size)
            with self._turn:
                captions += self._of_photographs(images[rows], named[rows], predict)
        return captions

    def _of_photographs(
        self, photographs: Sequence[Path | bytes], names: list[str], predict: Callable[..., list[Caption]]
    ) -> list[Caption]:
        arrays: Floats | Pixels
        view = self.predictor.view
        if view == "pixels":
            squares = decode_readable(photographs, self.predictor.side)
            arrays, readable, unreadable, shares = squares.pixels, squares.readable, squares.unreadable, None
        elif self.extractor is not None:
            seen = self.extractor(photographs)
            arrays, readable, unreadable, shares = seen.view(view), seen.readable, seen.unreadable, seen.topics
        else:
            raise TrainingError("this pipeline has no network to read photographs with; load it from its folder")
        found = {place: Caption("", -np.inf, problem=problem) for place, problem in unreadable.items()}
        captions = predict(arrays, [names[place] for place in readable])
        for row, (place, caption) in enumerate(zip(readable, captions, strict=True)):
            found[place] = caption if shares is None else replace(caption, topics=self._likeliest(shares[row]))
        return [found[place] for place in range(len(photographs))]

    def _predict(
        self, arrays: Floats | Pixels, names: Sequence[str] | None, *, decoding: Decoding, style: str, **options: int
    ) -> list[Caption]:
        captions = self.predictor.predict(arrays, decoding, style=style, names=names, **options)
        if not decoding.consensus or style != FACTUAL or not any(one.others for one in captions):
            return captions
        if self.predictor.view == "pixels":
            raise ParamsError("predict.consensus: a captioner that reads pixels finds no neighbours; set it to 0")
        if self.neighbours is None:
            raise TrainingError("predict.consensus: this pipeline has no neighbours; run predict again")
        candidates = [list(map(caption_tokens, (one.text, *one.others))) for one in captions]
        chosen = self.neighbours.choose(np.asarray(arrays, np.float32), candidates, decoding.consensus)
        return [_with_first(one, place) for one, place in zip(captions, chosen, strict=True)]

    def _likeliest(self, shares: Floats) -> tuple[dict[str, Any], ...]:
        best = np.argsort(-shares, kind="stable")[:_TOP].tolist()
        terms = self.settings.topics
        return tuple(
            {"topic": topic, "share": round(float(shares[topic]), 4), "terms": terms.get(topic, "")} for topic in best
        )


def _with_first(caption: Caption, place: int) -> Caption:
    """Return a caption whose candidate at a place, 0 for itself, stands before its others."""
    if place == 0:
        return caption
    texts, logprobs = [caption.text, *caption.others], [caption.logprob, *caption.other_logprobs]
    text, logprob = texts.pop(place), logprobs.pop(place)
    return replace(
        caption,
        text=text,
        logprob=logprob,
        tokens=tuple(caption_tokens(text, punctuation=True)),
        others=tuple(texts),
        other_logprobs=tuple(logprobs),
    )


def _name(image: Path | bytes) -> str:
    return sha256(image).hexdigest() if isinstance(image, bytes) else str(image)


def read_topics(path: Path) -> dict[int, str]:
    """Load the words of each topic from a topic model's list.

    Raises
    ------
    TrainingError
        The file is no such list.
    """
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
        return {int(one["topic"]): ", ".join(term for term, _ in one["terms"][:_TERMS]) for one in listed}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"{path}: damaged list of topics ({error}); run the stage lda again") from None
