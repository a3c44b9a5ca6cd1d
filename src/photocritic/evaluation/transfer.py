"""What captioners say about another corpus's photographs: how far they generalise (AIC 6.3.3, Table 1 b)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa

from photocritic import tables
from photocritic.config import Params
from photocritic.core import logs
from photocritic.core.errors import PhotocriticError
from photocritic.evaluation.decode import Prediction, predict
from photocritic.evaluation.measure import Measures, measure
from photocritic.evaluation.truth import Subject, Truth, gather_elsewhere
from photocritic.ingest.shards import read_images

MOST_ASPECTS = 20  # references of more sources than these are not aspects of a critique
_BATCH = 64  # photographs decoded and described at once


@dataclass(frozen=True)
class Transfer:
    """The findings on another corpus.

    Attributes
    ----------
    corpus : Path
        The folder of the ingested corpus.
    truth : Truth
        Its held-back images and their references.
    said : dict of str to list of Prediction
        For each variant one an image.
    found : dict of str to Measures
        By variant, against all references.
    aspects : dict of str to (int, dict of str to Measures)
        For each source of references, the number of images that have some and the measures by variant against these
        alone: for PCCD the seven fields of a critique. Empty where all references have one source.
    """

    corpus: Path
    truth: Truth
    said: Mapping[str, Sequence[Prediction]]
    found: Mapping[str, Measures]
    aspects: Mapping[str, tuple[int, Mapping[str, Measures]]]


def transfer(
    params: Params, trained_on: Path, captioners: Path, networks: Path, names: Sequence[str], scratch: Path
) -> Transfer:
    """Caption the held-back images of the corpus `evaluate.on` and score the captions.

    Parameters
    ----------
    params : Params
        The variants, and the section `evaluate`.
    trained_on : Path
        The images table of the corpus that was trained on.
    captioners, networks : Path
        Folders of the trained <variant>/ and of the <feature>/ networks.
    names : sequence of str
        The overlap metrics.
    scratch : Path
        An existing folder, for features while they are needed.

    Returns
    -------
    Transfer
        What was said and found.

    Raises
    ------
    PhotocriticError
        The corpus cannot be used, or a network or captioner cannot be read.
    """
    corpus = params.evaluate.on
    truth = gather_elsewhere(corpus, params.evaluate.split, trained_on)
    ids = [subject.image_id for subject in truth.subjects]
    with TemporaryDirectory(dir=scratch) as folder:
        features = Path(folder)
        for name in dict.fromkeys(variant.features for variant in params.variants.values()):
            _describe(networks / name, truth.subjects, corpus / "shards", features / f"{name}.parquet")
        said = predict(params, ids, features, captioners, corpus / "images.parquet", corpus / "shards", scratch)

    def score(subjects: Sequence[Subject], captions: Mapping[str, Sequence[Prediction]]) -> dict[str, Measures]:
        options = params.evaluate
        return measure(
            subjects,
            captions,
            {},
            names=names,
            tokenizer=options.tokenizer,
            positions=options.positions,
            seed=params.seed,
        )

    aspects = {}
    for aspect in _aspects(truth.subjects):
        places = [place for place, subject in enumerate(truth.subjects) if aspect in subject.sources]
        captions = {name: [some[place] for place in places] for name, some in said.items()}
        aspects[aspect] = len(places), score([_of_aspect(truth.subjects[place], aspect) for place in places], captions)
    return Transfer(corpus, truth, said, score(truth.subjects, said), aspects)


def _aspects(subjects: Sequence[Subject]) -> list[str]:
    sources = sorted({source for subject in subjects for source in subject.sources})
    return sources if 1 < len(sources) <= MOST_ASPECTS else []


def _of_aspect(subject: Subject, aspect: str) -> Subject:
    """Keep of an image's references those of one source."""
    places = [place for place, source in enumerate(subject.sources) if source == aspect]
    return replace(
        subject,
        texts=tuple(subject.texts[place] for place in places),
        tokens=tuple(subject.tokens[place] for place in places),
        sources=(aspect,) * len(places),
    )


def _describe(network: Path, subjects: Sequence[Subject], shards: Path, out: Path) -> None:
    """Write the features that a trained network gives photographs it has never seen, as in its own corpus's table."""
    from photocritic.vision import FeatureExtractor
    from photocritic.vision.targets import features_batch

    extractor = FeatureExtractor.load(network)

    def described() -> Iterator[pa.Table]:
        batches = [subjects[start : start + _BATCH] for start in range(0, len(subjects), _BATCH)]
        for batch in logs.progress(batches, f"describing {len(subjects)} photographs with {network.name}"):
            seen = extractor(list(read_images([one.path for one in batch], shards, [one.sha256 for one in batch])))
            for place, reason in seen.unreadable.items():
                raise PhotocriticError(f"{shards}: image '{batch[place].image_id}' cannot be read ({reason})")
            yield features_batch([subject.image_id for subject in batch], seen.features, seen.grid)

    tables.save("features", out, described(), rows=len(subjects))
