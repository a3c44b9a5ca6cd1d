import numpy as np
import pytest

from photocritic import tables
from photocritic.captioning import data
from photocritic.captioning.vocabulary import BOS, EOS, PAD, UNK
from photocritic.errors import TrainingError


def load(world, tmp_path, kind="raw", min_count=1, max_length=10, **changed):
    paths = {"captions": world.captions, "images": world.images, "features": world.features} | changed
    return data.load(**paths, kind=kind, min_count=min_count, size=100, max_length=max_length, scratch=tmp_path)


def texts(dataset, pairs):
    features, _, targets = pairs.batch(np.arange(len(pairs)))
    assert features.shape == (len(pairs), pairs.features.shape[1])
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
    assert dataset.left == data.Left()


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


def test_what_cannot_be_learned_from_is_counted(world, tmp_path, make_caption, make_features):
    seen, unseen = of_split(world, "train", 2)
    rows = [(seen, 0, ["dog"], {}), (seen, 1, [], {}), (unseen, 2, ["cat"], {})]
    captions = write_captions(make_caption, tmp_path / "c.parquet", *rows)
    features = tmp_path / "f.parquet"
    tables.save("features", features, make_features({i: v for i, v in world.vectors.items() if i != unseen}))
    dataset = load(world, tmp_path, captions=captions, features=features)
    assert (dataset.left.empty, dataset.left.without_features) == (1, 1)
    assert texts(dataset, dataset.train) == ["dog"]


def test_no_kept_caption_is_an_error_that_says_what_to_do(world, tmp_path, make_caption):
    image = of_split(world, "train")[0]
    path = write_captions(make_caption, tmp_path / "c.parquet", (image, 0, ["x"], {"kept": False, "reason": "short"}))
    with pytest.raises(TrainingError, match=r"no filtered caption.*threshold"):
        load(world, tmp_path, "filtered", captions=path)


def test_features_of_other_images_are_an_error_that_names_the_table(world, tmp_path, make_features):
    path = tmp_path / "other.parquet"
    tables.save("features", path, make_features({"stranger": np.ones(4)}))
    with pytest.raises(TrainingError, match=r"other\.parquet.*cnn_pretrain"):
        load(world, tmp_path, features=path)


def test_features_of_validation_images_alone_are_not_enough(world, tmp_path, make_features):
    path = tmp_path / "val.parquet"
    tables.save("features", path, make_features({i: world.vectors[i] for i in of_split(world, "val", 5)}))
    with pytest.raises(TrainingError, match=r"none of the training images.*has features"):
        load(world, tmp_path, features=path)


def test_no_scratch_file_is_left(world, tmp_path):
    load(world, tmp_path / "scratch")
    assert list((tmp_path / "scratch").iterdir()) == []
