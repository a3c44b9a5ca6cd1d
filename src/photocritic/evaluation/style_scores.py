"""Captions in styles, measured against the held-back images' captions in that style and by judges of styles."""

from collections.abc import Mapping, Sequence

from photocritic import metrics
from photocritic.config import Params
from photocritic.evaluation.comparison import compared
from photocritic.evaluation.predictions import Prediction, styled
from photocritic.evaluation.styles import OVERLAP, StyledCaptions, StyleFindings, Target
from photocritic.styles.judges import Judges
from photocritic.styles.styled_captions import FACTUAL, SplitCaptions

_METRICS = ("bleu", "meteor", "cider_d")  # that give OVERLAP


def measure_styles(
    params: Params,
    judges: Judges,
    captions: SplitCaptions,
    targets: Mapping[str, Target],
    predictions: Mapping[str, Sequence[Prediction]],
    factual: Mapping[str, Sequence[Prediction]],
    names: Sequence[str],
) -> StyleFindings | None:
    """Measure captions in styles.

    Parameters
    ----------
    params : Params
        The section `evaluate`.
    judges : Judges
        The classifiers and language models of styles.
    captions : SplitCaptions
        Of the held-back images: what the judges are tried on.
    targets : mapping of str to Target
        The images captioned in each style.
    predictions : mapping of str to sequence of Prediction
        By `styled(variant, style)`, for each image of the style's target.
    factual : mapping of str to sequence of Prediction
        By variant, for each held-back image.
    names : sequence of str
        The overlap metrics of the evaluation; of them those of ERG Table 2 are taken.

    Returns
    -------
    StyleFindings or None
        None where the judges know none of the styles.
    """
    known = {style: target for style, target in targets.items() if style in judges.models and captions.words(style)}
    if not known:
        return None
    scored = _score(params, known, predictions, factual, judges, names)
    count = len(next(iter(factual.values())))
    return StyleFindings(known, scored, judges.quality(captions, params.seed), count)


def _score(
    params: Params,
    targets: Mapping[str, Target],
    in_styles: Mapping[str, Sequence[Prediction]],
    factual: Mapping[str, Sequence[Prediction]],
    judges: Judges,
    names: Sequence[str],
) -> dict[str, list[StyledCaptions]]:
    result = {}
    with metrics.Suite([name for name in names if name in _METRICS]) as suite:
        for style, target in targets.items():
            variants = [name for name in factual if styled(name, style) in in_styles]
            captions = {styled(name, style): list(in_styles[styled(name, style)]) for name in variants}
            captions |= {
                styled(name, FACTUAL): [some[place] for place in target.places] for name, some in factual.items()
            }
            references, candidates = compared(target.examples, captions, params.evaluate.tokenizer)
            result[style] = [
                _measured(name, captions[name], suite.score(candidates[name], references), judges, style)
                for name in captions
            ]
    return result


def _measured(
    name: str, captions: list[Prediction], scores: metrics.Scores, judges: Judges, style: str
) -> StyledCaptions:
    variant, _, style_of = name.partition(".")
    words = [one.tokens for one in captions]
    corpus = {key: scores.corpus[key] for key in OVERLAP if key in scores.corpus}
    corpus |= {"cls": judges.accuracy(words, style), "ppl": judges.perplexity(words, style)}
    per_image = {key: scores.per_image[key] for key in corpus if key in scores.per_image}
    return StyledCaptions(variant, style_of, captions, corpus, per_image)
