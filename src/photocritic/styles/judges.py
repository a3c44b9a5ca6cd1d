"""What tells a caption's style and how well it is said: a classifier of all styles, and a language model for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from photocritic.config import AugmentParams
from photocritic.styles import learning
from photocritic.styles.captions import SplitCaptions
from photocritic.styles.classifier import StyleClassifier
from photocritic.styles.language_model import TrigramModel
from photocritic.styles.tokens import Words
from photocritic.training.loop import History, OnEpoch, Plan


@dataclass(frozen=True)
class Quality:
    """What the judges are worth, on captions that they have not learned from.

    Attributes
    ----------
    accuracy : float
        Share of the captions that the classifier gives the class that they are in, over all classes together.
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
    history : History
        The classifier's learning curve.
    learned : dict of str to int
        Captions of each class that the classifier learned from.
    """

    classifier: StyleClassifier
    models: dict[str, TrigramModel]
    history: History
    learned: dict[str, int]

    def accuracy(self, captions: Sequence[Words], style: str) -> float:
        """Give the share of captions that the classifier takes for a style: `cls.` of ERG section 4.4."""
        return float(np.mean(self._classes(captions) == self.classifier.classes.index(style)))

    def perplexity(self, captions: Sequence[Words], style: str) -> float:
        """Give the perplexity of all captions together in a style's language model: `ppl.` of ERG section 4.4."""
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


def learn(
    train: SplitCaptions,
    held_out: SplitCaptions,
    params: AugmentParams,
    seed: int,
    checkpoint: Path,
    *,
    key: str = "",
    on_epoch: OnEpoch | None = None,
) -> Judges:
    """Train the judges.

    Parameters
    ----------
    train : SplitCaptions
        Stylised and factual captions to learn from.
    held_out : SplitCaptions
        What chooses the classifier's best epoch; without captions the last epoch stays.
    params : AugmentParams
        `classifier`, `classifier_epochs`, `classifier_learning_rate` and `batch_size` are read.
    seed : int
        Of the classifier's training and of the choice among factual captions.
    checkpoint, key, on_epoch
        As in `training.loop.fit`.

    Returns
    -------
    Judges
        The classifier, and a language model for each style of `train`.

    Raises
    ------
    PhotocriticError
        The pretrained classifier cannot be loaded.

    References
    ----------
    ERG section 4.4. There each style has a classifier of its own against factual captions; here one classifier has all
    styles as its classes, so that it also tells the styles from each other.
    """
    plan = Plan("style classifier", params.classifier_epochs, params.batch_size, seed, grad_clip=learning.GRAD_CLIP)
    examples = train.labelled(seed)
    held = held_out.labelled(seed, set(examples.labels))
    rate = params.classifier_learning_rate
    classifier, history = learning.train(
        params.classifier, examples, held, plan, rate, checkpoint, key=key, on_epoch=on_epoch
    )
    models = {style: TrigramModel(train.words(style)) for style in train.styles()}
    return Judges(classifier, models, history, {name: examples.labels.count(name) for name in classifier.classes})
