"""Judges of a caption's style and of how well it is written: a classifier of all styles, a language model of each."""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from photocritic.config import StyleJudgesParams
from photocritic.core.declaration import require_declared
from photocritic.core.errors import TrainingError
from photocritic.core.files import atomic_dir, sha256
from photocritic.core.outcome import Outcome
from photocritic.styles.classifier import StyleClassifier
from photocritic.styles.language_model import TrigramModel
from photocritic.styles.styled_captions import FACTUAL, SplitCaptions, read_styled_captions
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
        Share of the captions that the classifier puts into their own class, over all classes together.
    by_class : dict of str to float
        The same by class: the styles, and `factual`.
    perplexity : dict of str to float
        Of each style's language model, over the style's captions.
    learned, tried : dict of str to int
        Captions of each class that were learned from, and that this was measured on.
    """

    accuracy: float
    by_class: dict[str, float]
    perplexity: dict[str, float]
    learned: dict[str, int]
    tried: dict[str, int]


@dataclass(frozen=True)
class Judges:
    """A classifier of all styles and of factual captions, and a language model for each style.

    Attributes
    ----------
    classifier : StyleClassifier
        Its classes are the styles and `factual`.
    models : dict of str to TrigramModel
        By style.
    curve : list of dict
        The classifier's learning curve.
    learned : dict of str to int
        Captions of each class that the classifier learned from.
    """

    classifier: StyleClassifier
    models: dict[str, TrigramModel]
    curve: list[dict[str, float]]
    learned: dict[str, int]

    def save(self, out: Path) -> None:
        """Write a folder: the classifier, a file of each language model, and judges.json."""
        with atomic_dir(out) as folder:
            self.classifier.save(folder / "classifier")
            for style, model in self.models.items():
                model.save(folder / "language_models" / f"{style}.json")
            _dump(folder, {"classes": self.classifier.classes, "learned": self.learned, "curve": self.curve})

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
        except (OSError, ValueError) as error:
            raise TrainingError(f"{folder}: damaged judges of styles ({error}); run style_judges again") from None
        if not content["classes"]:
            return None
        styles = [name for name in content["classes"] if name != FACTUAL]
        models = {style: TrigramModel.load(folder / "language_models" / f"{style}.json") for style in styles}
        return cls(StyleClassifier.load(folder / "classifier"), models, content["curve"], content["learned"])

    def accuracy(self, captions: Sequence[Words], style: str) -> float:
        """Compute the share of captions that the classifier takes for a style: `cls.` of ERG section 4.4."""
        return float(np.mean(self._classes(captions) == self.classifier.classes.index(style)))

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
            On the stylised captions, and as many factual ones as the commonest style has.
        """
        labelled = captions.labelled(seed, self.classifier.classes)
        true = np.array(labelled.labels)
        right = np.array(self.classifier.classes)[self._classes(labelled.sentences)] == true
        tried = [name for name in self.classifier.classes if name in labelled.labels]
        return Quality(
            accuracy=float(right.mean()),
            by_class={name: float(right[true == name].mean()) for name in tried},
            perplexity={one: self.perplexity(captions.words(one), one) for one in self.models if one in tried},
            learned=self.learned,
            tried={name: labelled.labels.count(name) for name in tried},
        )

    def _classes(self, captions: Sequence[Words]) -> NDArray[np.int64]:
        likeliest: NDArray[np.int64] = self.classifier.probabilities(captions).argmax(axis=1)
        return likeliest


def train_judges(
    images: Path,
    captions: Path,
    out: Path,
    params: StyleJudgesParams,
    seed: int,
    checkpoint: Path,
    on_epoch: OnEpoch | None = None,
) -> Outcome:
    """Train a classifier of all styles and a language model of each on the training images' kept captions.

    Parameters
    ----------
    images, captions : Path
        The tables.
    out : Path
        Folder to write; without captions to learn from it holds no class, and `Judges.load` returns None.
    params : StyleJudgesParams
        The section `style_judges`.
    seed : int
        Of the classifier's training and of the choice among factual captions.
    checkpoint : Path
        Of the classifier's training; gone when this returns.
    on_epoch : callable, optional
        As in `training.loop.fit`.

    Returns
    -------
    Outcome
        Captions learned from; accuracy and perplexity on the validation images' captions; the learning curve.

    Raises
    ------
    PhotocriticError
        The pretrained classifier cannot be loaded.

    References
    ----------
    ERG section 4.4. There each style has a classifier of its own against factual captions; here one classifier has all
    styles as its classes, so that it also separates the styles from each other.
    """
    found = read_styled_captions(images, captions)
    train, held_out = found["train"], found["val"]
    if not train.styled or not train.factual:
        missing = "stylised" if not train.styled else "kept factual"
        log.warning("no %s captions of training images in %s: no style can be learned", missing, captions)
        with atomic_dir(out) as folder:
            _dump(folder, {"classes": [], "learned": {}, "curve": []})
        return Outcome({"captions": 0.0})
    key = f"{params.model_dump_json()} {sha256(images)} {sha256(captions)}"
    judges = fit_judges(train, held_out, params, TrainingRun(seed, checkpoint, key, on_epoch))
    judges.save(out)
    clear(checkpoint)
    return _outcome(judges, held_out)


def fit_judges(train: SplitCaptions, held_out: SplitCaptions, params: StyleJudgesParams, run: TrainingRun) -> Judges:
    """Train the judges on captions at hand.

    Parameters
    ----------
    train : SplitCaptions
        Stylised and factual captions to learn from.
    held_out : SplitCaptions
        What chooses the classifier's best epoch; without captions the last epoch stays.
    params : StyleJudgesParams
        The section `style_judges`.
    run : TrainingRun
        Seed, checkpoint and tracking of the classifier's training.

    Returns
    -------
    Judges
        The classifier, and a language model for each style of `train`.
    """
    examples = train.labelled(run.seed)
    held = held_out.labelled(run.seed, set(examples.labels))
    recipe = language_recipe("style classifier", params.epochs, params.batch_size, params.learning_rate, run.seed)
    classifier, history = train_classifier(params.classifier, examples, held, recipe, run)
    models = {style: TrigramModel(train.words(style)) for style in train.styles()}
    learned = {name: examples.labels.count(name) for name in classifier.classes}
    return Judges(classifier, models, history.rows(), learned)


def _outcome(judges: Judges, held_out: SplitCaptions) -> Outcome:
    best = [row["accuracy"] for row in judges.curve if "accuracy" in row]
    metrics = {"captions": float(sum(judges.learned.values()))} | ({"accuracy": max(best)} if best else {})
    for style in judges.models:
        if kept := held_out.words(style):
            metrics[f"{style}_perplexity"] = judges.perplexity(kept, style)
    return Outcome(metrics, {"learning_curve": judges.curve})


def _dump(folder: Path, content: dict[str, Any]) -> None:
    (folder / _FILE).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
