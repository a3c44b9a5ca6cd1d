"""What each score is worth: how well it tells judged comments apart, by comment and by sentence.

Usage: python -m bench.curation [--toy] [JUDGED.csv COMMENTS.jsonl]

JUDGED.csv is as for `photocritic filter train`, COMMENTS.jsonl as for `photocritic filter`, with the judged comments
among its own. A comment's score is that of its best sentence. The learned score is cross-validated: no model has seen a
comment of the photograph that it judges. Without files a made community is judged, which is far too easy.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from bench.measuring import Row, Size, table
from photocritic.config import FilterFileParams, presets
from photocritic.filtering.critique.critique_fit import FOLDS, fit_critique_model
from photocritic.filtering.critique.critique_inputs import InputExtractor
from photocritic.filtering.critique.critique_model import in_context, load_critique_model
from photocritic.filtering.critique.critique_quality import SHORT, area_under_curve
from photocritic.filtering.critique.judged_comments import JudgedComments, read_judged
from photocritic.filtering.filter_file import filter_file
from photocritic.filtering.score_threshold import probability_threshold, valley
from photocritic.text import split_sentences, tagger

Floats = NDArray[np.float64]
SCORES = ("informativeness", "agreement", "specificity")
_RESAMPLED = 1000  # draws of photographs for an interval
_THINGS = ("boat", "dog", "tree", "church", "bridge", "lamp")
_PLACES = ("in the corner", "behind the wall", "near the left edge", "on the water")
_PRAISE = ("Great shot!", "I really like your work.", "Nice photo, good luck.", "Lovely idea, well done.")


def run(size: Size) -> list[Row]:
    """Judge a made community, small or smaller: real ones are named on the command line."""
    with TemporaryDirectory() as folder:
        if size == "toy":
            return compare(*_made(Path(folder), 12), units=("sentence",))
        return compare(*_made(Path(folder), 200))


def compare(judged: Path, comments: Path, units: tuple[str, ...] = ("comment", "sentence")) -> list[Row]:
    """Measure each score by comment and by sentence: the area under the ROC curve, and F1 at the threshold `auto`."""
    found = read_judged(judged)
    rows = [_row("words", "comment", found, np.array([float(len(text.split())) for text in found.texts]), valley)]
    for unit in units:
        rows += [_row(name, unit, found, _scored(comments, found, name, unit), valley) for name in SCORES]
        learned = _learned(found, unit == "sentence")
        rows.append(_row("learned", unit, found, learned, lambda scores: probability_threshold("auto", scores)))
    return rows


def _scored(comments: Path, found: JudgedComments, name: str, unit: str) -> Floats:
    """Return the score of each judged comment by the whole filter, in its community."""
    document = presets.for_filter("critique", name, "auto", unit)
    params = FilterFileParams.model_validate(document.model_dump() | {"seed": 7})
    with TemporaryDirectory() as folder:
        out = Path(folder) / "rows.parquet"
        filter_file(comments, out, params)
        rows = pq.read_table(out, columns=["comment_id", "image_id", "score"]).to_pylist()
    with comments.open(encoding="utf-8") as stream:
        texts = {row["comment_id"]: row["text"] for row in map(json.loads, stream)}
    best: dict[tuple[str, str], float] = {}
    for row in rows:
        key = (row["image_id"], texts[row["comment_id"]])
        best[key] = max(best.get(key, 0.0), row["score"])
    return np.array([best[key] for key in zip(found.images, found.texts, strict=True)])


def _learned(found: JudgedComments, by_sentence: bool) -> Floats:
    """Return the probability of each judged comment, or of its best sentence, by models that were kept from it."""
    from sklearn.model_selection import StratifiedGroupKFold

    table_, tag = load_critique_model().table, tagger().tag
    inputs = InputExtractor(table_).extract(tag(found.texts))
    parts = split_sentences(found.texts, tag) if by_sentence else [[text] for text in found.texts]
    owner = np.repeat(np.arange(len(parts)), [len(own) for own in parts])
    sentences = InputExtractor(table_).extract(tag([part for own in parts for part in own]))
    best = np.zeros(len(parts))
    groups = np.unique(found.images, return_inverse=True)[1]
    folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=7)
    for learned, left in folds.split(found.worth, found.informative, groups):
        model = fit_critique_model(table_, inputs.rows(learned), found.worth[learned], 7)
        own = np.flatnonzero(np.isin(owner, left))
        wholes = np.zeros(len(parts))
        wholes[left] = model.log_odds(inputs.rows(left))
        odds = in_context(model.log_odds(sentences.rows(own)), wholes[owner[own]])
        np.maximum.at(best, owner[own], 1 / (1 + np.exp(-odds)))
    return best


def _row(name: str, unit: str, found: JudgedComments, scores: Floats, cut: Callable[[Floats], float]) -> Row:
    kept, informs = scores >= cut(scores), found.informative
    short = np.array([len(text.split()) <= SHORT for text in found.texts])
    groups = np.unique(found.images, return_inverse=True)[1]
    rng = np.random.default_rng(0)
    members = [np.flatnonzero(groups == group) for group in range(groups.max() + 1)]
    areas, measures = [], []
    for _ in range(_RESAMPLED):
        of = np.concatenate([members[one] for one in rng.integers(0, len(members), len(members))])
        areas.append(area_under_curve(informs[of], scores[of]))
        measures.append(_f1(informs[of], kept[of]))
    area, measure = (np.nanpercentile(values, (2.5, 97.5)) for values in (areas, measures))
    right = (kept & informs).sum()
    note = (
        f"{area[0]:.3f} to {area[1]:.3f}; at most {SHORT} words {area_under_curve(informs[short], scores[short]):.3f}; "
        f"F1 at auto {_f1(informs, kept):.3f} ({measure[0]:.3f} to {measure[1]:.3f}), "
        f"precision {right / max(kept.sum(), 1):.3f}, recall {right / informs.sum():.3f}; "
        + _mistakes(found, kept, short)
    )
    return Row(f"{name} of a {unit}", area_under_curve(informs, scores), "AUC", note)


def _mistakes(found: JudgedComments, kept: NDArray[np.bool_], short: NDArray[np.bool_]) -> str:
    """Count what is wrongly kept and lost by grade; half-way between two grades counts as the lower one."""
    grade = np.searchsorted([0.05, 0.5, 0.95], found.worth)  # the worth of mean grades of .5, 1.5 and 2.5
    counts = [int(((grade == of) & (kept == (of < 2))).sum()) for of in range(4)]
    few = int((found.informative & ~kept & short).sum())
    return (
        f"kept {counts[0]} that are not about the photograph and {counts[1]} that would fit others, lost {counts[2]} "
        f"particular ones and {counts[3]} rich ones, {few} of these {sum(counts[2:])} of at most {SHORT} words"
    )


def _f1(informs: NDArray[np.bool_], kept: NDArray[np.bool_]) -> float:
    return 2 * float((informs & kept).sum()) / max(float(informs.sum() + kept.sum()), 1.0)


def _made(folder: Path, images: int) -> tuple[Path, Path]:
    """Write a community that praises and names things, with its judgement."""
    rng = np.random.default_rng(7)
    judged, comments = ["image,text,keep"], []
    for image in range(images):
        for place in range(4):
            telling = f"The {rng.choice(_THINGS)} {rng.choice(_PLACES)} is too {rng.choice(('dark', 'soft'))} {image}."
            text = telling if place % 2 else f"{rng.choice(_PRAISE)} {image}"
            comments.append(json.dumps({"image": f"i{image}", "comment_id": f"{image}-{place}", "text": text}))
            judged.append(f'i{image},"{text}",{place % 2}')
    (folder / "judged.csv").write_text("\n".join([*judged, ""]), encoding="utf-8")
    (folder / "comments.jsonl").write_text("\n".join([*comments, ""]), encoding="utf-8")
    return folder / "judged.csv", folder / "comments.jsonl"


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--toy", action="store_true", help="on as little as shows that it works")
    parser.add_argument("files", nargs="*", type=Path, help="JUDGED.csv and COMMENTS.jsonl")
    given = parser.parse_args()
    sys.stdout.write(table(compare(*given.files) if given.files else run("toy" if given.toy else "full")))


if __name__ == "__main__":
    main()
