"""The whole of extract, retrieve, generate, accept."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from photocritic import tables
from photocritic.augmentation import augment
from photocritic.config import AugmentParams
from photocritic.core.errors import PhotocriticError
from photocritic.core.outcome import Outcome

# The corpus's words that stand in captions of one style alone.
STYLE_WORDS = {
    "humorous": {"hunting", "lost", "golden", "bones", "like", "clumsy", "penguin"},
    "romantic": {"dreaming", "true", "love", "waiting", "sweetheart"},
}

pytestmark = pytest.mark.xdist_group("augment")


def run(corpus: Path, out: Path, params: AugmentParams, on_epoch: Any = None) -> Outcome:
    paths = [corpus / f"{name}.parquet" for name in ("images", "captions", "features")]
    return augment(*paths, corpus / "judges", out / "augmented.parquet", params, 7, out / "checkpoint", on_epoch)


@pytest.fixture(scope="module")
def grown(corpus: Path, params: AugmentParams, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outcome]:
    out = tmp_path_factory.mktemp("grown")
    return out, run(corpus, out, params)


def rows(out: Path) -> Iterator[dict[str, Any]]:
    yield from tables.load("augmented", out / "augmented.parquet").to_pylist()


def test_captions_are_written_in_style_for_images_without_it(grown: tuple[Path, Outcome]) -> None:
    out, _ = grown
    accepted = [row for row in rows(out) if row["accepted"]]
    assert accepted
    told = [len(STYLE_WORDS[row["style"]] & set(row["caption"].split())) >= 2 for row in accepted]
    assert sum(told) > 0.8 * len(told)
    # 12 training images of 60 have no style; they come before images that have one.
    assert {int(row["image_id"][1:]) % 10 for row in rows(out)} <= {8, 9}


def test_every_candidate_is_in_the_table_and_the_counts_add_up(grown: tuple[Path, Outcome]) -> None:
    out, outcome = grown
    metrics, written = outcome.metrics, list(rows(out))
    assert metrics["generated"] == len(written)
    rejected = sum(value for name, value in metrics.items() if name.startswith("rejected_"))
    assert metrics["accepted"] + rejected == metrics["generated"]
    assert all(row["accepted"] == (row["reason"] == "") for row in written)
    assert {row["retrieval"] for row in written} <= {"i2i", "t2t", "i2t", "t2i"}
    assert outcome.plots["examples"]
    assert not list(out.glob("checkpoint*"))


def test_the_same_input_and_seed_give_the_same_bytes(
    grown: tuple[Path, Outcome], corpus: Path, params: AugmentParams, tmp_path: Path
) -> None:
    told: list[tuple[int, set[str]]] = []
    outcome = run(corpus, tmp_path, params, lambda epoch, metrics: told.append((epoch, set(metrics))))
    assert (tmp_path / "augmented.parquet").read_bytes() == (grown[0] / "augmented.parquet").read_bytes()
    assert outcome.metrics == grown[1].metrics
    assert [epoch for epoch, _ in told] == [*range(1, params.epochs // 2 + 1)]
    assert "val_loss" in told[-1][1]


def test_without_stylised_captions_the_table_is_empty_and_the_log_says_why(
    make_corpus: Callable[..., Path], params: AugmentParams, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    outcome = run(make_corpus(tmp_path / "corpus", 12, styled=False), tmp_path, params)
    assert not list(rows(tmp_path))
    assert outcome.metrics["generated"] == 0
    assert "no stylised captions" in caplog.text


def test_a_generator_that_is_not_there_is_told_in_one_line(corpus: Path, params: AugmentParams, tmp_path: Path) -> None:
    with pytest.raises(PhotocriticError, match=r"augment\.generator=.*nowhere") as error:
        run(corpus, tmp_path, params.model_copy(update={"generator": str(tmp_path / "nowhere")}))
    assert "\n" not in str(error.value)
