"""Make a study: one file that holds the photographs, the captions and, later, the answers."""

from collections.abc import Sequence
from pathlib import Path

from photocritic.core.errors import PhotocriticError
from photocritic.core.logs import progress
from photocritic.images.decoding import thumbnail
from photocritic.images.shards import read_images
from photocritic.studies import study_kinds
from photocritic.studies.caption_sources import Data, candidates, variants
from photocritic.studies.study_file import Terms, locate, write
from photocritic.studies.trial_plan import plan

SIDE = 1600  # pixels of a photograph's longer side, at most: fills a large screen
_QUALITY = 92  # of its JPEG


def create(
    name: str,
    kind: str,
    data: Path,
    *,
    sources: Sequence[str] = (),
    images: int | None = None,
    training: int | None = None,
    raters: int | None = None,
    split: str = "test",
    seed: int = 7,
) -> tuple[Path, Terms, int]:
    """Draw photographs and captions and write the study's file; what is not given is as in the kind's paper.

    Parameters
    ----------
    name : str
        Of the study, which becomes studies/NAME.db; or the path of a .db file.
    kind : str
        Of `study_kinds.KINDS`.
    data : Path
        The project's folder of tables, with evaluate/, ingest/ and filter/.
    sources : sequence of str, optional
        Variants, `human`, `accepted`, `discarded`.
    images, training, raters : int, optional
        Photographs drawn, training trials, and raters of each trial (0: everybody rates everything).
    split, seed : optional
        As in `candidates` and `plan`.

    Returns
    -------
    Path, Terms, int
        The file, what was agreed, and the number of trials that count.

    Raises
    ------
    PhotocriticError
        The file exists, or there is too little to draw from.
    """
    path, chosen, tables = locate(name), study_kinds.find(kind), Data(data)
    if path.exists():
        raise PhotocriticError(f"{path}: exists already and may hold answers; choose another name or remove it")
    asked = list(dict.fromkeys(sources)) or list(chosen.sources) or variants(tables)
    if len(asked) < chosen.captions:
        raise PhotocriticError(f"a study of kind '{kind}' compares two sources; --sources names {', '.join(asked)}")
    terms = Terms(
        kind=chosen.name,
        sources=tuple(asked),
        training=chosen.training if training is None else training,
        raters=chosen.raters if raters is None else raters,
        seed=seed,
    )
    count = chosen.images if images is None else images
    drawn = plan(chosen, candidates(tables, asked, split), images=count, training=terms.training, seed=seed)
    paths, hashes = [one.path for one in drawn.photographs], [one.sha256 for one in drawn.photographs]
    stored = read_images(paths, tables.shards, hashes)
    shown = (thumbnail(data, SIDE, _QUALITY) for data in progress(stored, "photographs", len(drawn.photographs)))
    write(path, terms, drawn, shown)
    return path, terms, sum(not trial.training for trial in drawn.trials)
