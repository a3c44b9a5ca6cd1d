"""What is said in a style, against the held-back images' captions in that style and by judges of styles."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from photocritic import metrics
from photocritic.config import Params
from photocritic.core.files import sha256
from photocritic.evaluation.decode import Prediction, styled
from photocritic.evaluation.styles import OVERLAP, Aims, Speech, StyleFindings, Target
from photocritic.evaluation.words import compared
from photocritic.styles import captions as stylised
from photocritic.styles.captions import FACTUAL, SplitCaptions

if TYPE_CHECKING:
    from photocritic.styles.judges import Judges

log = logging.getLogger(__name__)

_METRICS = ("bleu", "meteor", "cider_d")  # that give OVERLAP


def assess(
    params: Params,
    aims: Aims,
    in_styles: Mapping[str, Sequence[Prediction]],
    factual: Mapping[str, Sequence[Prediction]],
    *,
    images: Path,
    captions: Path,
    names: Sequence[str],
    checkpoint: Path,
) -> StyleFindings | None:
    """Train judges of styles on the training images' captions, and measure what is said in styles.

    Parameters
    ----------
    params : Params
        `evaluate`, and of `augment` what `style.judges.learn` reads.
    aims : Aims
        The images captioned in styles.
    in_styles : mapping of str to sequence of Prediction
        By `styled(variant, style)`, for each image of the style's target.
    factual : mapping of str to sequence of Prediction
        By variant, for each held-back image.
    images, captions : Path
        The tables that the judges learn from.
    names : sequence of str
        The overlap metrics of the evaluation; of them those of ERG Table 2 are taken.
    checkpoint : Path
        Of the classifier's training; gone when this returns.

    Returns
    -------
    StyleFindings or None
        None where nobody has said anything in a style, and nothing is trained then; also where there are no captions to
        train judges on.
    """
    if not in_styles:
        return None
    from photocritic.styles.judges import learn
    from photocritic.training.checkpoint import clear

    split, found = params.evaluate.split, stylised.read(images, captions)
    train, held_out = found["train"], found["val"] if split != "val" else SplitCaptions([], [])
    known = [style for style in aims.targets if train.words(style) and found[split].words(style)]
    if not known or not train.factual:
        log.warning("%s: too few kept captions of training images to learn to judge styles from", captions)
        return None
    read = params.augment.model_dump(include={"classifier", "classifier_epochs", "classifier_learning_rate"})
    key = f"{read} {params.augment.batch_size} {split} {sha256(images)} {sha256(captions)}"
    judges = learn(train, held_out, params.augment, params.seed, checkpoint, key=key)
    targets = {style: aims.targets[style] for style in known}
    scored = _score(params, targets, in_styles, factual, judges, names)
    quality = judges.quality(found[split], params.seed)
    clear(checkpoint)
    count = len(next(iter(factual.values())))
    return StyleFindings(targets, scored, quality, judges.history.rows(), count)


def _score(
    params: Params,
    targets: Mapping[str, Target],
    in_styles: Mapping[str, Sequence[Prediction]],
    factual: Mapping[str, Sequence[Prediction]],
    judges: "Judges",
    names: Sequence[str],
) -> dict[str, list[Speech]]:
    result = {}
    with metrics.Suite([name for name in names if name in _METRICS]) as suite:
        for style, target in targets.items():
            speakers = [name for name in factual if styled(name, style) in in_styles]
            said = {styled(name, style): list(in_styles[styled(name, style)]) for name in speakers}
            said |= {styled(name, FACTUAL): [some[place] for place in target.places] for name, some in factual.items()}
            references, candidates = compared(target.subjects, said, params.evaluate.tokenizer)
            result[style] = [
                _speech(name, said[name], suite.score(candidates[name], references), judges, style) for name in said
            ]
    return result


def _speech(name: str, said: list[Prediction], scores: metrics.Scores, judges: "Judges", style: str) -> Speech:
    variant, _, spoken = name.partition(".")
    words = [one.tokens for one in said]
    corpus = {key: scores.corpus[key] for key in OVERLAP if key in scores.corpus}
    corpus |= {"cls": judges.accuracy(words, style), "ppl": judges.perplexity(words, style)}
    per_image = {key: scores.per_image[key] for key in corpus if key in scores.per_image}
    return Speech(variant, spoken, said, corpus, per_image)
