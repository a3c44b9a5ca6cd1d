"""A captioner with all that it needs to be asked about photographs, in one folder of safetensors and JSON."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from photocritic.captioning import Caption
from photocritic.captioning.critic import Critic
from photocritic.config import Block, Decoding, Params
from photocritic.core.errors import TrainingError

CAPTIONER, NETWORK, TOPICS, SETTINGS = "captioner", "network", "topics.json", "settings.json"
BATCH = 64  # photographs decoded and captioned at once
_TOP, _TERMS = 3, 5  # topics told of a photograph, and words told of a topic


class Settings(Block):
    """How the captioner speaks, as it was measured.

    Attributes
    ----------
    variant, captions, features : str
        Its name in params.yaml, what it learned from, and what it is shown.
    seed : int
        Of what is drawn.
    decoding : Decoding
        How captions are found.
    """

    variant: str
    captions: str
    features: str
    seed: int
    decoding: Decoding


@dataclass(frozen=True)
class Answer:
    """What is told of one photograph: a caption, or why there is none.

    Attributes
    ----------
    caption : Caption or None
        None where the photograph cannot be read.
    topics : list of dict
        Its likeliest topics, best first: `topic`, `share`, `terms`; empty where the network knows none.
    problem : str
        Why it cannot be read; else empty.
    """

    caption: Caption | None
    topics: list[dict[str, Any]]
    problem: str = ""


class Speaker:
    """A captioner that was read from such a folder.

    Parameters
    ----------
    critic : Critic
        The captioner and the network.
    settings : Settings
        How it speaks.
    terms : dict of int to str
        The words of each topic, where there are any.
    """

    def __init__(self, critic: Critic, settings: Settings, terms: dict[int, str]) -> None:
        self._critic, self.settings, self._terms = critic, settings, terms

    def ask(self, photographs: Sequence[bytes]) -> list[Answer]:
        """Tell of each photograph, given as an image file's content; the same content is told the same."""
        return [
            answer
            for begin in range(0, len(photographs), BATCH)
            for answer in self._answers(photographs[begin : begin + BATCH])
        ]

    def _answers(self, photographs: Sequence[bytes]) -> list[Answer]:
        names = [sha256(content).hexdigest() for content in photographs]
        said = self._critic(photographs, self.settings.decoding, seed=self.settings.seed, names=names)
        answers = {place: Answer(None, [], reason) for place, reason in said.unreadable.items()}
        for row, place in enumerate(said.readable):
            answers[place] = Answer(
                said.captions[row], self._topics(said.topics[row]) if said.topics is not None else []
            )
        return [answers[place] for place in range(len(photographs))]

    def _topics(self, shares: Any) -> list[dict[str, Any]]:
        best = np.argsort(-shares, kind="stable")[:_TOP]
        return [
            {"topic": int(topic), "share": round(float(shares[topic]), 4), "terms": self._terms.get(int(topic), "")}
            for topic in best
        ]


def pack(folder: Path, variant: str, params: Params, captioner: Path, network: Path, topics: Path | None) -> Path:
    """Put a captioner and what it needs into a folder.

    Parameters
    ----------
    folder : Path
        Folder to make.
    variant : str
        The captioner's name in params.yaml.
    params : Params
        Its parameters; `evaluate` tells how captions are found.
    captioner, network : Path
        What lstm_train and cnn_pretrain wrote. The network is left out for a captioner that is shown pixels.
    topics : Path, optional
        The topic model's list of topics; taken along where the network tells topics.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    TrainingError
        The captioner or its network is missing or damaged.
    """
    critic = Critic.load(captioner, network)
    folder.mkdir(parents=True)
    shutil.copytree(captioner, folder / CAPTIONER)
    if critic.captioner.view != "pixels":
        shutil.copytree(network, folder / NETWORK)
    if critic.topics and topics is not None and topics.exists():
        shutil.copyfile(topics, folder / TOPICS)
    chosen = params.variants[variant]
    settings = Settings(
        variant=variant,
        captions=chosen.captions,
        features=chosen.features,
        seed=params.seed,
        decoding=Decoding.model_validate(params.predict.model_dump(include=set(Decoding.model_fields))),
    )
    text = json.dumps(settings.model_dump(mode="json"), indent=1, sort_keys=True)
    (folder / SETTINGS).write_text(text + "\n", encoding="utf-8")
    return folder


def unpack(folder: Path) -> Speaker:
    """Read what `pack` wrote.

    Raises
    ------
    TrainingError
        A file is missing or damaged.
    """
    try:
        settings = Settings.model_validate_json((folder / SETTINGS).read_text(encoding="utf-8"))
        listed = json.loads((folder / TOPICS).read_text(encoding="utf-8")) if (folder / TOPICS).exists() else []
        terms = {int(one["topic"]): ", ".join(term for term, _ in one["terms"][:_TERMS]) for one in listed}
    except (OSError, ValidationError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(
            f"{folder}: damaged captioner ({' '.join(str(error).split())}); register it again"
        ) from None
    return Speaker(Critic.load(folder / CAPTIONER, folder / NETWORK), settings, terms)
