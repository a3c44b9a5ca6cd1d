import numpy as np
import pytest
import torch

from photocritic import tables
from photocritic.captioning.caption_loading import load_dataset
from photocritic.captioning.captioner import ModelConfig, build
from photocritic.captioning.objective import cross_entropy
from photocritic.captioning.vocabulary import BOS, EOS, PAD, UNK
from photocritic.core.errors import GateFailed, TableError, TrainingError
from photocritic.vision.targets import features_batch


def load(world, tmp_path, kind="raw", min_count=1, max_length=10, **changed):
    given = {"captions": world.captions, "images": world.images, "features": world.features} | changed
    return load_dataset(**given, kind=kind, min_count=min_count, size=100, max_length=max_length, scratch=tmp_path)


def texts(dataset, pairs):
    features, _, targets = pairs.batch(np.arange(len(pairs)))
    assert features.shape == (len(pairs), *pairs.features.shape[1:])
    return [" ".join(dataset.vocabulary.decode(row)) for row in targets]


def write_captions(make_caption, path, *rows):
    tables.save("captions", path, tables.from_rows("captions", [make_caption(*row[:3], **row[3]) for row in rows]))
    return path


def of_split(world, split, count=1):
    table = tables.load("images", world.images).to_pylist()
    return [row["image_id"] for row in table if row["split"] == split][:count]


def test_captions_meet_the_features_of_their_image(world, tmp_path):
    dataset = load(world, tmp_path)
    owners = {vector.astype(np.float32).tobytes(): image for image, vector in world.vectors.items()}
    for said, row in zip(texts(dataset, dataset.train), dataset.train.images, strict=True):
        image = owners[np.asarray(dataset.train.features[row]).tobytes()]
        assert said == "a {} {} on the {}".format(*world.shown[image])


def test_splits_are_kept_apart_and_the_test_split_is_not_read(world, tmp_path):
    dataset = load(world, tmp_path)
    counts = {split: 2 * len(of_split(world, split, 10_000)) for split in ("train", "val", "test")}
    assert (len(dataset.train), len(dataset.val)) == (counts["train"], counts["val"])
    assert counts["test"] > 0
    assert dataset.empty == 0


def test_captions_of_an_aspect_are_learned_alone(world, tmp_path, make_caption):
    image, styled = of_split(world, "train")[0], {"style": "humorous", "source": "humorous.csv"}
    rows = [
        (image, 0, ["good", "light"], {"source": "x:light"}),
        (image, 1, ["soft", "light"], {"source": "x:light", "kept": False, "reason": "generic"}),
        (image, 2, ["low", "horizon"], {"source": "x:composition"}),
        (image, 3, ["good", "dog"], {"source": "x"}),
        (image, 4, ["funny", "dog"], styled),
        (of_split(world, "test")[0], 0, ["sharp"], {"source": "x:focus"}),
    ]
    path = write_captions(make_caption, tmp_path / "c.parquet", *rows)
    raw, filtered = (
        load(world, tmp_path, kind, captions=path, aspect="light", styles=["humorous"]) for kind in ("raw", "filtered")
    )
    assert texts(raw, raw.train) == ["good light", "soft light"]
    assert texts(filtered, filtered.train) == ["good light"]
    assert texts(filtered, filtered.styled["humorous"]) == ["funny dog"]
    with pytest.raises(
        TrainingError, match=r"of the aspect 'focus' \(its aspects: composition, focus, light\); change"
    ):
        load(world, tmp_path, captions=path, aspect="focus")


def test_filtered_keeps_only_what_was_kept_and_styled_comments_are_in_neither(world, tmp_path, make_caption):
    image = of_split(world, "train")[0]
    rows = [
        (image, 0, ["good", "dog"], {}),
        (image, 1, ["nice"], {"kept": False, "reason": "generic"}),
        (image, 2, ["funny", "dog"], {"style": "humorous"}),
    ]
    path = write_captions(make_caption, tmp_path / "c.parquet", *rows)
    raw, filtered = (load(world, tmp_path, kind, captions=path) for kind in ("raw", "filtered"))
    assert texts(raw, raw.train) == ["good dog", "nice"]
    assert texts(filtered, filtered.train) == ["good dog"]
    assert "nice" not in filtered.vocabulary.words


def test_only_a_caption_that_was_not_cut_teaches_where_to_end(world, tmp_path, make_caption):
    image = of_split(world, "train")[0]
    rows = [(image, 0, ["a", "b", "c", "d"], {}), (image, 1, ["a", "b", "c"], {}), (image, 2, ["a"], {})]
    dataset = load(world, tmp_path, max_length=3, captions=write_captions(make_caption, tmp_path / "c.parquet", *rows))
    _, inputs, targets = dataset.train.batch(np.arange(3))
    a, b, c = dataset.vocabulary.encode("abc")
    assert targets.tolist() == [[a, b, c, PAD], [a, b, c, EOS], [a, EOS, PAD, PAD]]
    assert inputs.tolist() == [[BOS, a, b, PAD], [BOS, a, b, c], [BOS, a, PAD, PAD]]
    assert dataset.train.cut_share == pytest.approx(1 / 3)


def test_rare_words_become_unknown_and_validation_words_do_not_count(world, tmp_path, make_caption):
    train, val = of_split(world, "train")[0], of_split(world, "val")[0]
    rows = [
        (train, 0, ["dog", "dog", "once"], {}),
        (val, 1, ["dog", "new", "new"], {}),
    ]
    path = write_captions(make_caption, tmp_path / "c.parquet", *rows)
    dataset = load(world, tmp_path, min_count=2, captions=path)
    assert dataset.vocabulary.words == ("dog",)
    assert dataset.val.batch(np.array([0]))[2].tolist() == [[4, UNK, UNK, EOS]]
    assert dataset.train.unknown_share == pytest.approx(1 / 3)


def test_captions_without_words_are_counted(world, tmp_path, make_caption):
    image = of_split(world, "train")[0]
    captions = write_captions(make_caption, tmp_path / "c.parquet", (image, 0, ["dog"], {}), (image, 1, [], {}))
    dataset = load(world, tmp_path, captions=captions)
    assert dataset.empty == 1
    assert texts(dataset, dataset.train) == ["dog"]


def test_no_kept_caption_is_an_error_that_says_what_to_do(world, tmp_path, make_caption):
    image = of_split(world, "train")[0]
    path = write_captions(make_caption, tmp_path / "c.parquet", (image, 0, ["x"], {"kept": False, "reason": "short"}))
    with pytest.raises(TrainingError, match=r"no filtered caption.*threshold"):
        load(world, tmp_path, "filtered", captions=path)


def test_features_that_do_not_match_the_images_are_refused_by_the_gate(world, tmp_path, make_features):
    path = tmp_path / "other.parquet"
    one = of_split(world, "test")[0]
    for vectors, told in (
        ({i: v for i, v in world.vectors.items() if i != one}, rf"every image.*\n    {one}"),
        (world.vectors | {"stranger": np.ones(11)}, r"an image of .* in every row.*\n    stranger"),
    ):
        tables.save("features", path, make_features(vectors))
        with pytest.raises(GateFailed, match=told):
            load(world, tmp_path, features=path)


def test_a_view_is_drawn_for_each_caption_that_is_learned_from(world, tmp_path):
    path = tmp_path / "views.parquet"
    vectors = np.stack(list(world.vectors.values())).astype(np.float32)
    views = np.stack([vectors + 1, vectors + 2, vectors + 3], axis=1)
    tables.save("features", path, features_batch(list(world.vectors), vectors, None, views))
    dataset = load(world, tmp_path, features=path)
    rows = np.arange(len(dataset.train))
    own, *words = dataset.train.batch(rows)
    torch.manual_seed(0)
    varied, *same = dataset.train.batch(rows, varied=True)
    shifts = (varied - own).mean(axis=(1, 2)).round().astype(int)
    assert set(shifts) == {1, 2, 3}
    assert np.bincount(shifts)[1:].min() > len(rows) / 5
    np.testing.assert_allclose(varied, own + shifts[:, None, None], atol=4e-3)
    assert all(np.array_equal(one, other) for one, other in zip(words, same, strict=True))
    assert dataset.val.views is None
    model = build("show_tell", ModelConfig(11, len(dataset.vocabulary), 8, 8, dropout=0.0))
    losses = [cross_entropy(model.train(mode), dataset.train, rows, 0.0).item() for mode in (True, False, False)]
    assert losses[0] != losses[1] == losses[2]  # what is validated is seen as it is


def test_a_grid_is_read_cell_by_cell(world, tmp_path):
    path = tmp_path / "grid.parquet"
    vectors = np.stack(list(world.vectors.values())).astype(np.float32)
    grids = np.stack([vectors, vectors + 1], axis=1)
    tables.save("features", path, features_batch(list(world.vectors), vectors, grids))
    pooled, grid = (load(world, tmp_path, features=path, view=view) for view in ("pooled", "grid"))
    assert pooled.train.features.shape[1:] == (1, 11)
    np.testing.assert_allclose(grid.train.features[:, 0], pooled.train.features[:, 0], atol=2e-3)
    np.testing.assert_allclose(grid.train.features[:, 1], pooled.train.features[:, 0] + 1, atol=4e-3)
    with pytest.raises(TableError, match=r"no grids.*cnn_pretrain\.grid"):
        load(world, tmp_path, view="grid")


def test_no_scratch_file_is_left(world, tmp_path):
    load(world, tmp_path / "scratch")
    assert list((tmp_path / "scratch").iterdir()) == []


def test_raw_captions_are_the_text_as_it_was_written_and_filtered_ones_as_the_filters_left_it(
    world, tmp_path, make_caption
):
    image = of_split(world, "train")[0]
    row = (image, 0, ["nice", "depth", "of", "field"], {"text": "Niiice DOF, imho"})
    path = write_captions(make_caption, tmp_path / "c.parquet", row)
    raw, filtered = (load(world, tmp_path, kind, captions=path) for kind in ("raw", "filtered"))
    assert texts(raw, raw.train) == ["niiice dof imho"]
    assert texts(filtered, filtered.train) == ["nice depth of field"]


def test_punctuation_marks_are_words_where_that_is_wanted(world, tmp_path, make_caption):
    image = of_split(world, "train")[0]
    row = (image, 0, ["nice", "dog"], {"cleaned": "Nice dog, sharp!", "text": "Nice  dog, sharp!!"})
    path = write_captions(make_caption, tmp_path / "c.parquet", row)
    filtered, raw = (load(world, tmp_path, kind, captions=path, punctuation=True) for kind in ("filtered", "raw"))
    assert texts(filtered, filtered.train) == ["nice dog , sharp !"]
    assert texts(raw, raw.train) == ["nice dog , sharp ! !"]
