"""All numbers of an evaluation, and their files: what the report draws and what chooses the champion."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from photocritic import tables
from photocritic.core.declaration import require_declared
from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_dir
from photocritic.evaluation.attributes import Tally
from photocritic.evaluation.bootstrap import Interval
from photocritic.evaluation.measure import Floats, Measures
from photocritic.evaluation.predictions import ELSEWHERE, Prediction
from photocritic.evaluation.significance import Difference
from photocritic.evaluation.styles import StyledCaptions, StyleFindings, Target
from photocritic.evaluation.transfer import Aspect, Transfer
from photocritic.styles.styled_captions import FACTUAL

FILE = "findings.json"
SCORES = "scores.parquet"


@dataclass(frozen=True)
class Findings:
    """All numbers of an evaluation.

    Attributes
    ----------
    measures : dict of str to Measures
        By variant.
    differences : list of Difference
        Between variants.
    validation : dict of str to dict of str to float
        On validation images, by variant: what the rule `promote` looks at. Empty where there are none.
    transfer : Transfer, optional
        Of another corpus.
    styles : StyleFindings, optional
        Of captions in styles.
    """

    measures: dict[str, Measures]
    differences: list[Difference]
    validation: dict[str, dict[str, float]] = field(default_factory=dict)
    transfer: Transfer | None = None
    styles: StyleFindings | None = None

    def numbers(self) -> dict[str, float]:
        """Return the numbers by `<variant>.<metric>`, and those on validation images by `val.<variant>.<metric>`."""
        found = {f"{name}.{key}": value for name, one in self.measures.items() for key, value in one.corpus.items()}
        return found | {
            f"val.{name}.{key}": value for name, one in self.validation.items() for key, value in one.items()
        }

    def save(self, out: Path, ids: Sequence[str], ids_elsewhere: Sequence[str] = ()) -> None:
        """Write a folder: findings.json, the scores of single images, and those of another corpus.

        Parameters
        ----------
        out : Path
            The folder.
        ids, ids_elsewhere : sequence of str
            The images, in the order of `Measures.per_image`.
        """
        with atomic_dir(out) as folder:
            rows = _score_rows(self.measures, ids) + (self.styles.scores() if self.styles else [])
            _save_scores(folder / SCORES, rows)
            if self.transfer is not None:
                (folder / ELSEWHERE).mkdir()
                _save_scores(folder / ELSEWHERE / SCORES, _score_rows(self.transfer.measures, ids_elsewhere))
            content = json.dumps(self._content(), indent=1, ensure_ascii=False)
            (folder / FILE).write_text(content + "\n", encoding="utf-8")

    def _content(self) -> dict[str, Any]:
        transfer, styles = self.transfer, self.styles
        return {
            "measures": _measures_content(self.measures),
            "differences": [asdict(one) for one in self.differences],
            "validation": self.validation,
            "transfer": None
            if transfer is None
            else {
                **{key: value for key, value in vars(transfer).items() if key not in {"measures", "aspects"}},
                "measures": _measures_content(transfer.measures),
                "aspects": {
                    name: {"images": one.images, "measures": _measures_content(one.measures)}
                    for name, one in transfer.aspects.items()
                },
            },
            "styles": None
            if styles is None
            else {
                "spoken": {
                    style: [{"variant": one.variant, "style": one.style, "corpus": one.corpus} for one in some]
                    for style, some in styles.captions.items()
                },
                "quality": asdict(styles.quality),
                "images": styles.images,
            },
        }


def load_findings(
    folder: Path,
    targets: Mapping[str, Target] | None = None,
    factual: Mapping[str, Sequence[Prediction]] | None = None,
    in_styles: Mapping[str, Sequence[Prediction]] | None = None,
) -> Findings:
    """Read what `Findings.save` wrote.

    Parameters
    ----------
    folder : Path
        The folder.
    targets : mapping of str to Target, optional
        The images captioned in each style; without them `styles` is None.
    factual, in_styles : mapping of str to sequence of Prediction, optional
        The factual captions by variant, of each held-back image; and those in styles by `styled(variant, style)`.

    Raises
    ------
    PhotocriticError
        A file is missing or damaged.
    """
    require_declared(folder)
    try:
        content = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PhotocriticError(f"{folder / FILE}: cannot be read ({error}); run evaluate again") from None
    return Findings(
        _measures(content["measures"], _scores(folder / SCORES)),
        [Difference(**one) for one in content["differences"]],
        content.get("validation", {}),
        _transfer(content["transfer"], folder),
        _styles(content["styles"], targets, factual or {}, in_styles or {}),
    )


def _transfer(content: dict[str, Any] | None, folder: Path) -> Transfer | None:
    if content is None:
        return None
    measures = _measures(content.pop("measures"), _scores(folder / ELSEWHERE / SCORES))
    aspects = {
        name: Aspect(one["images"], _measures(one["measures"], {})) for name, one in content.pop("aspects").items()
    }
    return Transfer(**content, measures=measures, aspects=aspects)


def _styles(
    content: dict[str, Any] | None,
    targets: Mapping[str, Target] | None,
    factual: Mapping[str, Sequence[Prediction]],
    in_styles: Mapping[str, Sequence[Prediction]],
) -> StyleFindings | None:
    if content is None or targets is None:
        return None
    from photocritic.styles.judges import Quality

    def styled_captions(one: dict[str, Any], target: Target) -> StyledCaptions:
        if one["style"] == FACTUAL:
            captions = [factual[one["variant"]][place] for place in target.places]
        else:
            captions = list(in_styles[f"{one['variant']}.{one['style']}"])
        return StyledCaptions(one["variant"], one["style"], captions, one["corpus"], {})

    found = {style: [styled_captions(one, targets[style]) for one in some] for style, some in content["spoken"].items()}
    known = {style: targets[style] for style in found}
    return StyleFindings(known, found, Quality(**content["quality"]), content["images"])


def _measures_content(measures: Mapping[str, Measures]) -> dict[str, Any]:
    return {
        name: {
            "corpus": one.corpus,
            "interval": asdict(one.interval),
            "positions": one.positions,
            "attributes": vars(one.attributes) if one.attributes is not None else None,
        }
        for name, one in measures.items()
    }


def _measures(content: dict[str, Any], scores: Mapping[str, dict[str, Floats]]) -> dict[str, Measures]:
    return {
        name: Measures(
            one["corpus"],
            scores.get(name, {}),
            Interval(**one["interval"]),
            {int(order): counts for order, counts in one["positions"].items()},
            Tally(**{key: Counter(counts) for key, counts in one["attributes"].items()}) if one["attributes"] else None,
        )
        for name, one in content.items()
    }


def _score_rows(measures: Mapping[str, Measures], ids: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {"image_id": image_id, "variant": name, "metric": key, "score": float(value)}
        for name, one in measures.items()
        for key, values in one.per_image.items()
        for image_id, value in zip(ids, values, strict=True)
    ]


def _save_scores(path: Path, rows: list[dict[str, Any]]) -> None:
    tables.save("scores", path, tables.from_rows("scores", rows), rows=len(rows))


def _scores(path: Path) -> dict[str, dict[str, Floats]]:
    """Read the scores of single images, by variant and metric, in the table's order."""
    found: dict[str, dict[str, list[float]]] = {}
    for batch in tables.scan("scores", path):
        for row in batch.to_pylist():
            found.setdefault(row["variant"], {}).setdefault(row["metric"], []).append(row["score"])
    return {name: {key: np.array(values) for key, values in some.items()} for name, some in found.items()}
