"""Make a study: one file that holds the photographs, the captions and, later, the answers."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from photocritic.core.errors import PhotocriticError
from photocritic.core.logs import progress
from photocritic.images.decoding import thumbnail
from photocritic.images.shards import read_images
from photocritic.studies import study_kinds
from photocritic.studies.caption_sources import Data, candidates, variants
from photocritic.studies.comment_selection import propose
from photocritic.studies.study_file import Terms, locate, write
from photocritic.studies.study_kinds import GRADED, RANDOM, UNCERTAIN
from photocritic.studies.trial_plan import Plan, plan
from photocritic.tables import UNSTYLED, of_split

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
    split: str | None = None,
    seed: int = 7,
) -> tuple[Path, Terms, int]:
    """Draw photographs and captions and write the study's file; what is not given is as in the kind's paper.

    Parameters
    ----------
    name : str
        Of the study, which becomes studies/NAME.db; or the path of a .db file.
    kind : str
        Of `study_kinds.KINDS`; `informative` with the source `uncertain` is `grades`.
    data : Path
        The project's folder of tables, with evaluate/, ingest/ and filter/; for grades also a captions table alone.
    sources : sequence of str, optional
        Variants, `human`, `accepted`, `discarded`; for grades `uncertain` or `random`.
    images, training, raters : int, optional
        Photographs (for grades, comments) drawn, training trials, and raters of each trial (0: everybody rates
        everything).
    split : str, optional
        Of the images table; `test` by default, and all of them for grades.
    seed : int
        The same seed and tables give the same study.

    Returns
    -------
    Path, Terms, int
        The file, what was agreed, and the number of trials that count.

    Raises
    ------
    PhotocriticError
        The file exists, or there is too little to draw from.
    """
    wanted = "grades" if kind == "informative" and UNCERTAIN in sources else kind
    path, chosen, tables = locate(name), study_kinds.find(wanted), Data(data)
    if path.exists():
        raise PhotocriticError(f"{path}: exists already and may hold answers; choose another name or remove it")
    asked = list(dict.fromkeys(sources)) or list(chosen.sources) or variants(tables)
    if len(asked) < chosen.captions:
        raise PhotocriticError(f"a study of kind '{kind}' compares two sources; --sources names {', '.join(asked)}")
    terms = Terms(
        kind=chosen.name,
        sources=tuple(asked) if chosen.photograph else GRADED,
        training=chosen.training if training is None else training,
        raters=chosen.raters if raters is None else raters,
        seed=seed,
    )
    count = chosen.images if images is None else images
    if chosen.photograph:
        some = candidates(tables, asked, split or "test")
        drawn = plan(chosen, some, images=count, training=terms.training, seed=seed)
        write(path, terms, drawn, _photographs(drawn, tables))
    else:
        drawn = _comments(data, asked, split, count, terms)
        write(path, terms, drawn, [b""] * len(drawn.photographs))
    return path, terms, sum(not trial.training for trial in drawn.trials)


def _photographs(drawn: Plan, tables: Data) -> Iterator[bytes]:
    paths, hashes = [one.path for one in drawn.photographs], [one.sha256 for one in drawn.photographs]
    stored = read_images(paths, tables.shards, hashes)
    return (thumbnail(data, SIDE, _QUALITY) for data in progress(stored, "photographs", len(drawn.photographs)))


def _comments(data: Path, asked: list[str], split: str | None, count: int, terms: Terms) -> Plan:
    if asked not in ([UNCERTAIN], [RANDOM]):
        raise PhotocriticError(
            f"a study of kind '{terms.kind}' takes one source, {UNCERTAIN} or {RANDOM}; --sources names "
            f"{', '.join(asked)}"
        )
    if split and data.is_file():
        raise PhotocriticError(
            f"{data}: a captions table alone does not say which image is of which split; omit --split"
        )
    tables = Data(data)
    view = UNSTYLED & of_split(split, tables.images) if split else UNSTYLED
    captions = data if data.is_file() else tables.captions
    return propose(captions, view, asked[0], comments=count, training=terms.training, seed=terms.seed)
