"""The model card of a registered captioner: what it is, what it learned from, and how it was measured.

The sections are those of Mitchell et al. 2019, "Model Cards for Model Reporting"; every number is the run's own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from photocritic import tables
from photocritic.config import Params
from photocritic.core.files import sha256
from photocritic.evaluation.champion import Choice
from photocritic.evaluation.evaluation_set import EvaluationSet
from photocritic.metrics.columns import column, headline, label

FILE = "model_card.md"
_MORE = ("distinct_2", "self_bleu_4", "most_frequent_share", "novel_share", "words")  # beside the headline numbers
_SAMPLE = "rendered by photocritic itself; Apache-2.0, as photocritic"
_UNKNOWN = "the corpus's own terms, which photocritic does not know: look them up before you pass the model on"

_PAPERS = {  # by whether the captioner finds its captions
    False: "Ghosal et al. 2019, Aesthetic Image Captioning From Weakly-Labelled Photographs",
    True: "Chen et al. 2015, Déjà Image-Captions: A Corpus of Expressive Descriptions in Repetition",
}
_REVISION = ("preset", "git_commit", "dvc_revision", "dvc_lock", "corpus_digest")  # of a run's tags

_USE = """\
Meant for research into image captioning, and for suggesting a first critique of a photograph that a person then reads
and judges. Its users are people who build captioners and datasets of captions.

Not meant for describing photographs to people who cannot see them, for judging the people in a photograph, or for
ranking photographs or photographers without a person's judgement."""

_FACTORS = """\
What the captioner can say is what people wrote about the corpus's photographs; subjects that the corpus hardly has get
captions of those that it has. The tagger, the filters and the metrics are made for English. How the numbers differ
between groups of people was not measured: the corpus's tables do not tell who is in a photograph. How they differ
between topics stands in the run's report."""

_ETHICS = """\
The captions are learned from what people wrote under photographs, and may repeat these people's taste, prejudice and
manner; the filter removes what says little, but nobody has read all that is left. Nobody has examined whether people in
the photographs agreed to this use. The captioner is not told who wrote a comment."""


@dataclass(frozen=True)
class Facts:
    """What a card is written from.

    Attributes
    ----------
    params : Params
        The pipeline's.
    choice : Choice
        What the rule says of the variants.
    winner : str
        Whom the card is about.
    numbers : mapping of str to float
        As in the outcome of `evaluate`.
    truth : EvaluationSet
        What the numbers were measured on.
    images, captions, references : Path
        The tables.
    packed : Path
        The folder that is registered.
    origin : mapping of str to str
        The run's tags: commit, DVC's revision, corpus.
    """

    params: Params
    choice: Choice
    winner: str
    numbers: Mapping[str, float]
    truth: EvaluationSet
    images: Path
    captions: Path
    references: Path
    packed: Path
    origin: Mapping[str, str]


def write(facts: Facts) -> str:
    """Write a card as Markdown.

    Parameters
    ----------
    facts : Facts
        What it tells.

    Returns
    -------
    str
        The text, in the sections of Mitchell et al. 2019, Figure 1.
    """
    sections = {
        "Model details": _details(facts),
        "Intended use": _USE,
        "Factors": _FACTORS,
        "Metrics": _metrics(facts),
        "Evaluation data": _evaluation(facts),
        "Training data": _training(facts),
        "Quantitative analyses": _analyses(facts),
        "Ethical considerations": _ETHICS,
        "Caveats and recommendations": _caveats(facts),
    }
    parts = "\n\n".join(f"## {name}\n\n{text}" for name, text in sections.items())
    return f"# photocritic: the captioner `{facts.winner}`\n\n{parts}\n"


def short(facts: Facts) -> str:
    """Describe a version in the few lines that the registry's page has room for."""
    corpus = f"{facts.origin.get('corpus', facts.params.ingest.reader)}, {facts.truth.images:,} images"
    return (
        f"{facts.choice.message()}. Learned from {_learned(facts)} of the corpus {corpus}; measured on "
        f"{len(facts.truth.examples):,} held-back images with {facts.truth.references:,} references. "
        f"The model card is {FILE} among the artifacts of the model and of its run."
    )


def _details(facts: Facts) -> str:
    params = facts.params
    size = sum(path.stat().st_size for path in facts.packed.rglob("*") if path.is_file())
    rows = {
        "what it does": "says a caption about a photograph, and the topics that it seems to be about",
        **_captioner(params, facts.winner),
        "features": _features(params, params.compared[facts.winner].features),
        "size": f"{size / 1e6:.1f} MB, sha256 {sha256(facts.packed)[:16]}",
        "made by": f"photocritic {version('photocritic')}, {datetime.now(UTC):%Y-%m-%d}, seed {params.seed}",
        **{name.replace("_", " "): f"`{facts.origin[name]}`" for name in _REVISION if name in facts.origin},
        "licence": "Apache-2.0 for the code; for the weights see the training data",
        "paper": _PAPERS[facts.winner in params.retrievers],
    }
    return _table(("", ""), list(rows.items()))


def _captioner(params: Params, winner: str) -> dict[str, str]:
    """Describe how the captioner comes to its captions."""
    if winner in params.retrievers:
        found = params.retrievers[winner]
        ranked = f", of those of the {params.retrieval(winner).candidates} nearest" if found.method == "assoc" else ""
        return {"captioner": f"by retrieval, method `{found.method}`: captions of similar training photographs{ranked}"}
    captioner, decoding = params.captioner(winner), params.predict
    consensus = f", chosen by consensus with {decoding.consensus} similar photographs" if decoding.consensus else ""
    return {
        "captioner": f"`{captioner.model}`, which sees `{captioner.view}` features",
        "decoding": f"{decoding.strategy}, at most {decoding.max_length} words{consensus}",
    }


def _features(params: Params, name: str) -> str:
    """Describe features by their name and the network that computes them."""
    if name in params.fused_features:
        fused = params.fused_features[name]
        return f"`{name}`: {_features(params, fused.first)}, then {_features(params, fused.second)}"
    made = params.cnn_pretrain
    makers = {
        "fisher": f"Fisher vectors of {made.fisher_components} Gaussians at {made.fisher_size} pixels",
        "gist": f"GIST at {made.gist_size} pixels",
        "tinyimage": "Tinyimage",
        "regions": f"{made.detector} at {made.detector_size} pixels",
    }
    return f"`{name}`, by {makers.get(name, f'{made.backbone} at {made.image_size} pixels')}"


def _metrics(facts: Facts) -> str:
    names = [name for name in (*headline(), *_MORE) if f"{facts.winner}.{name}" in facts.numbers]
    lines = [f"- {label(name)}: {column(name).hint}" for name in names]
    return "\n".join([f"The rule that chose it: {facts.choice.message()}.", "", *lines])


def _evaluation(facts: Facts) -> str:
    truth, split = facts.truth, facts.params.predict.split
    own = truth.source == "references"
    unseen = "" if facts.choice.split == split else " and from the choice"
    wrote = "the corpus's own" if own else "the kept comments on them"
    return (
        f"{len(truth.examples):,} images of the split `{split}`, held back from training{unseen}, with "
        f"{truth.references:,} references ({wrote}). Left out for want of any: {truth.without_references:,}.\n\n"
        + _digests(facts.images, facts.references if own else facts.captions)
    )


def _training(facts: Facts) -> str:
    ingest = facts.params.ingest
    splits = dict.fromkeys(("train", "val"), 0)
    for batch in tables.scan("images", facts.images, ["split"]):
        for name in splits:
            splits[name] += batch.column(0).to_pylist().count(name)
    judged = tables.count(facts.captions)
    kept = sum(batch.num_rows for batch in tables.scan("captions", facts.captions, ["image_id"], tables.KEPT))
    return (
        f"The corpus `{ingest.source}`, read by `{ingest.reader}`: {splits['train']:,} images to train on and "
        f"{splits['val']:,} to choose the best epoch and captioner. Of {judged:,} comments on all images the filter "
        f"keeps {kept:,}; this captioner learned from {_learned(facts)}.\n\n"
        f"Licence: {_SAMPLE if ingest.reader == 'sample' else _UNKNOWN}.\n\n" + _digests(facts.images, facts.captions)
    )


def _analyses(facts: Facts) -> str:
    variants = facts.params.compared
    names = [
        name for name in (*headline(), *_MORE) if all(f"{variant}.{name}" in facts.numbers for variant in variants)
    ]
    rows = [
        (
            f"**{variant}**" if variant == facts.winner else variant,
            f"{chosen.captions}, {chosen.features}",
            *(f"{facts.numbers[f'{variant}.{name}']:.3f}" for name in names),
        )
        for variant, chosen in variants.items()
    ]
    ends = [facts.numbers.get(f"{facts.winner}.cider_d_{end}") for end in ("low", "high")]
    span = f"\n\n95% bootstrap interval of its CIDEr-D: {ends[0]:.3f} to {ends[1]:.3f}." if None not in ends else ""
    head = ("variant", "captions, features", *(label(name) for name in names))
    return _table(head, rows) + span


def _caveats(facts: Facts) -> str:
    few = len(facts.truth.examples)
    rendered = " The images are rendered scenes: nothing is known of photographs." if _is_sample(facts) else ""
    return (
        f"- The numbers hold for {few:,} images of one corpus.{rendered} On other photographs measure anew "
        "(`predict.on`).\n"
        "- Overlap with references is not quality: let people judge before you rely on the captions "
        "(`photocritic study`).\n"
        "- `logprob` compares captions of one image; it is no probability that a caption is right."
    )


def _learned(facts: Facts) -> str:
    return f"`{facts.params.compared[facts.winner].captions}` comments"


def _is_sample(facts: Facts) -> bool:
    return facts.params.ingest.reader == "sample"


def _digests(*paths: Path) -> str:
    rows = [(f"`{path.as_posix()}`", f"{tables.count(path):,}", f"`{sha256(path)[:16]}`") for path in paths]
    return _table(("table", "rows", "sha256"), rows)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
