"""Judges of a caption's style and of how well it is written: a classifier and a language model of each style."""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from photocritic.config import StyleJudgesParams
from photocritic.core.declaration import require_declared
from photocritic.core.errors import TrainingError
from photocritic.core.files import atomic_dir, sha256
from photocritic.core.outcome import Outcome
from photocritic.styles.classifier import StyleClassifier
from photocritic.styles.language_model import TrigramModel
from photocritic.styles.styled_captions import Labelled, SplitCaptions, read_styled_captions
from photocritic.styles.train_classifier import language_recipe, train_classifier
from photocritic.styles.word_tokenizer import Words
from photocritic.training.checkpoint import clear
from photocritic.training.loop import OnEpoch
from photocritic.training.recipe import TrainingRun

_FILE = "judges.json"

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Quality:
    """What the judges are worth, on captions that they have not learned from.

    Attributes
    ----------
    accuracy : float
        Mean of `by_style`.
    by_style : dict of str to float
        Share of the style's captions, and of as many factual ones, that the style's classifier puts into their class.
    perplexity : dict of str to float
        Of each style's language model, over the style's captions.
    learned, tried : dict of str to int
        By style: captions that its classifier learned from, and that it was measured on, factual ones among them.
    """

    accuracy: float
    by_style: dict[str, float]
    perplexity: dict[str, float]
    learned: dict[str, int]
    tried: dict[str, int]


@dataclass(frozen=True)
class Judges:
    """A classifier and a language model for each style.

    Attributes
    ----------
    classifiers : dict of str to StyleClassifier
        By style: each classifies captions as factual or in its style, and is not trained on the other styles.
    models : dict of str to TrigramModel
        By style.
    curves : dict of str to list of dict
        The classifiers' learning curves, by style.
    learned : dict of str to int
        By style: captions that its classifier learned from, factual ones among them.
    """

    classifiers: dict[str, StyleClassifier]
    models: dict[str, TrigramModel]
    curves: dict[str, list[dict[str, float]]]
    learned: dict[str, int]

    def save(self, out: Path) -> None:
        """Write a folder: a folder of each classifier, a file of each language model, and judges.json."""
        with atomic_dir(out) as folder:
            for style, classifier in self.classifiers.items():
                classifier.save(folder / "classifiers" / style)
                self.models[style].save(folder / "language_models" / f"{style}.json")
            _dump(folder, {"styles": [*self.classifiers], "learned": self.learned, "curves": self.curves})

    @classmethod
    def load(cls, folder: Path) -> "Judges | None":
        """Read what `train_judges` wrote; None where there was nothing to learn from.

        Raises
        ------
        TrainingError
            A file is missing or damaged.
        """
        require_declared(folder)
        try:
            content = json.loads((folder / _FILE).read_text(encoding="utf-8"))
            styles, learned, curves = (content[key] for key in ("styles", "learned", "curves"))
        except (OSError, ValueError, KeyError) as error:
            raise TrainingError(f"{folder}: damaged judges of styles ({error}); run style_judges again") from None
        if not styles:
            return None
        classifiers = {style: StyleClassifier.load(folder / "classifiers" / style) for style in styles}
        models = {style: TrigramModel.load(folder / "language_models" / f"{style}.json") for style in styles}
        return cls(classifiers, models, curves, learned)

    def accuracy(self, captions: Sequence[Words], style: str) -> float:
        """Compute the share of captions that a style's classifier takes for the style: `cls.` of ERG section 4.4."""
        return self.classifiers[style].accuracy(Labelled([*captions], [True] * len(captions)))

    def perplexity(self, captions: Sequence[Words], style: str) -> float:
        """Compute the perplexity of all captions together in a style's language model: `ppl.` of ERG section 4.4."""
        return self.models[style].perplexity(*captions)

    def quality(self, captions: SplitCaptions, seed: int) -> Quality:
        """Measure the judges themselves.

        Parameters
        ----------
        captions : SplitCaptions
            What they have not learned from; of the styles they know there is at least one.
        seed : int
            Of the choice among factual captions; see `SplitCaptions.labelled`.

        Returns
        -------
        Quality
            Of the styles that there are captions in.
        """
        tried = {style: captions.labelled(style, seed) for style in captions.styles() if style in self.classifiers}
        by_style = {style: self.classifiers[style].accuracy(labelled) for style, labelled in tried.items()}
        return Quality(
            accuracy=float(np.mean([*by_style.values()])),
            by_style=by_style,
            perplexity={style: self.perplexity(captions.words(style), style) for style in tried},
            learned=self.learned,
            tried={style: len(labelled.sentences) for style, labelled in tried.items()},
        )


def train_judges(
    images: Path,
    captions: Path,
    out: Path,
    params: StyleJudgesParams,
    seed: int,
    checkpoint: Path,
    on_epoch: OnEpoch | None = None,
) -> Outcome:
    """Train a classifier and a language model of each style on the training images' kept captions.

    Parameters
    ----------
    images, captions : Path
        The tables.
    out : Path
        Folder to write; without captions to learn from it holds no style, and `Judges.load` returns None.
    params : StyleJudgesParams
        The section `style_judges`.
    seed : int
        Of the classifiers' training and of the choice among factual captions.
    checkpoint : Path
        Beginning of the names of the classifiers' checkpoints; they are gone when this returns.
    on_epoch : callable, optional
        As in `training.loop.fit`; the epochs of the classifiers are counted on.

    Returns
    -------
    Outcome
        Captions that the classifiers learned from, a factual one counting for each; the classifiers' accuracies and
        their mean, and the language models' perplexities, on the validation images' captions; the learning curves.

    Raises
    ------
    PhotocriticError
        The pretrained classifier cannot be loaded.

    References
    ----------
    ERG section 4.4.
    """
    found = read_styled_captions(images, captions)
    train, held_out = found["train"], found["val"]
    if not train.styled or not train.factual:
        missing = "stylised" if not train.styled else "kept factual"
        log.warning("no %s captions of training images in %s: no style can be learned", missing, captions)
        with atomic_dir(out) as folder:
            _dump(folder, {"styles": [], "learned": {}, "curves": {}})
        return Outcome({"captions": 0.0})
    key = f"{params.model_dump_json()} {sha256(images)} {sha256(captions)}"
    run = TrainingRun(seed, checkpoint, key, on_epoch)
    judges = fit_judges(train, held_out, params, run)
    judges.save(out)
    for style in judges.classifiers:
        clear(run.phase(style).checkpoint)
    return _outcome(judges, held_out)


def fit_judges(train: SplitCaptions, held_out: SplitCaptions, params: StyleJudgesParams, run: TrainingRun) -> Judges:
    """Train the judges on captions at hand.

    Parameters
    ----------
    train : SplitCaptions
        Stylised and factual captions to learn from.
    held_out : SplitCaptions
        What chooses each classifier's best epoch; without captions in the style the last epoch stays.
    params : StyleJudgesParams
        The section `style_judges`.
    run : TrainingRun
        Seed, checkpoint and tracking of the classifiers' training; each style is a phase of it.

    Returns
    -------
    Judges
        A classifier and a language model for each style of `train`.
    """
    judges = Judges({}, {}, {}, {})
    for place, style in enumerate(train.styles()):
        examples, held = (captions.labelled(style, run.seed) for captions in (train, held_out))
        recipe = language_recipe(
            f"{style} style classifier", params.epochs, params.batch_size, params.learning_rate, run.seed
        )
        phase = run.phase(style, place * params.epochs)
        judges.classifiers[style], history = train_classifier(params.classifier, style, examples, held, recipe, phase)
        judges.models[style] = TrigramModel(train.words(style))
        judges.curves[style] = history.rows()
        judges.learned[style] = len(examples.sentences)
    return judges


def _outcome(judges: Judges, held_out: SplitCaptions) -> Outcome:
    metrics = {"captions": float(sum(judges.learned.values()))}
    accuracies = {
        f"{style}_accuracy": max(row["accuracy"] for row in curve)
        for style, curve in judges.curves.items()
        if "accuracy" in curve[-1]
    }
    if accuracies:
        metrics |= {"accuracy": float(np.mean([*accuracies.values()]))} | accuracies
    for style in judges.models:
        if kept := held_out.words(style):
            metrics[f"{style}_perplexity"] = judges.perplexity(kept, style)
    curve = [{"style": style, **row} for style, rows in judges.curves.items() for row in rows]
    return Outcome(metrics, {"learning_curve": curve})


def _dump(folder: Path, content: dict[str, Any]) -> None:
    (folder / _FILE).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
