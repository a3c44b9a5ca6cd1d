"""What a study can draw from: the photographs with captions of every source asked for."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from photocritic import tables
from photocritic.core.errors import PhotocriticError
from photocritic.evaluation.evaluation_set import load_evaluation_set
from photocritic.evaluation.predictions import is_styled
from photocritic.studies.study_kinds import ACCEPTED, DISCARDED, HUMAN
from photocritic.studies.trial_plan import Candidate

Texts = dict[str, list[str]]  # by image_id


@dataclass(frozen=True)
class Data:
    """A project's folder of tables."""

    folder: Path

    @property
    def predictions(self) -> Path:
        """The variants' captions."""
        return self.folder / "predictions" / "predictions.parquet"

    @property
    def images(self) -> Path:
        """The images table."""
        return self.folder / "ingest" / "images.parquet"

    @property
    def shards(self) -> Path:
        """The images' bytes."""
        return self.folder / "ingest" / "shards"

    @property
    def references(self) -> Path:
        """The corpus's own captions."""
        return self.folder / "ingest" / "references.parquet"

    @property
    def captions(self) -> Path:
        """The comments as the filter judged them."""
        return self.folder / "filter" / "captions.parquet"


def variants(data: Data) -> list[str]:
    """Return the names of the variants that have predictions, in the table's order; not of those in styles."""
    names: dict[str, None] = {}
    for batch in tables.scan("predictions", data.predictions, ["variant"]):
        names.update(dict.fromkeys(batch["variant"].to_pylist()))
    return [name for name in names if not is_styled(name)]


def candidates(data: Data, sources: Sequence[str], split: str) -> list[Candidate]:
    """Load the photographs of a split that have captions of every source.

    Parameters
    ----------
    data : Data
        The tables.
    sources : sequence of str
        Names of variants, or of their captions in a style; `human`: references, or the kept comments where the corpus
        has none, as lower-case words like the variants' captions, so that capitals and full stops do not show who
        wrote them; `accepted` and `discarded`: comments as they were written, by the filter's verdict.
    split : str
        Of the images table.

    Returns
    -------
    list of Candidate
        Sorted by image_id.

    Raises
    ------
    PhotocriticError
        A source has no caption of any photograph of the split.
    """
    places = _places(data.images, split)
    found: dict[str, Texts] = {}
    if named := [name for name in sources if name not in (HUMAN, ACCEPTED, DISCARDED)]:
        found |= _predicted(data.predictions, named)
    if HUMAN in sources:
        examples = load_evaluation_set(data.images, data.captions, data.references, split).examples
        found[HUMAN] = {one.image_id: _different(" ".join(words) for words in one.tokens) for one in examples}
    if ACCEPTED in sources or DISCARDED in sources:
        found |= _judged(data.captions, places)
    for name in sources:
        if not found[name].keys() & places.keys():
            raise PhotocriticError(
                f"no photograph of split '{split}' has a caption of '{name}'; see --split and --sources"
            )
    shared = set(places).intersection(*(found[name] for name in sources))
    return [
        Candidate(image_id, path, {name: found[name][image_id] for name in sources}, sha256)
        for image_id, (path, sha256) in ((one, places[one]) for one in sorted(shared))
    ]


def _places(images: Path, split: str) -> dict[str, tuple[str, str]]:
    return {
        row["image_id"]: (row["path"], row["sha256"])
        for batch in tables.scan("images", images, ["image_id", "path", "sha256", "split"])
        for row in batch.to_pylist()
        if row["split"] == split
    }


def _predicted(predictions: Path, wanted: Sequence[str]) -> dict[str, Texts]:
    found: dict[str, Texts] = {name: {} for name in wanted}
    known: set[str] = set()
    for batch in tables.scan("predictions", predictions, ["image_id", "variant", "caption"]):
        for row in batch.to_pylist():
            known.add(row["variant"])
            if row["variant"] in found:
                found[row["variant"]].setdefault(row["image_id"], []).append(row["caption"])
    if missing := [name for name in wanted if name not in known]:
        raise PhotocriticError(
            f"{predictions}: no variant is called '{missing[0]}'; known are {', '.join(sorted(known))}, "
            f"and the sources {HUMAN}, {ACCEPTED} and {DISCARDED}"
        )
    return found


def _judged(captions: Path, wanted: Container[str]) -> dict[str, Texts]:
    found: dict[str, dict[str, dict[str, None]]] = {ACCEPTED: {}, DISCARDED: {}}
    for source, view in ((ACCEPTED, tables.KEPT), (DISCARDED, tables.REJECTED)):
        for batch in tables.scan("captions", captions, ["image_id", "text"], view & tables.UNSTYLED):
            for row in batch.to_pylist():
                if row["image_id"] in wanted and (text := " ".join(row["text"].split())):
                    found[source].setdefault(row["image_id"], {})[text] = None
    return {name: {image_id: list(texts) for image_id, texts in some.items()} for name, some in found.items()}


def _different(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))
