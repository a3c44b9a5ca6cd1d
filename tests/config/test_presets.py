"""Presets change params.yaml where they should, and keep its comments."""

import pytest

from photocritic import config
from photocritic.config import presets
from photocritic.core.errors import CorpusError, ParamsError


@pytest.mark.parametrize("name", ["sample", "flickr8k", "ava"])
def test_presets_give_valid_params_and_keep_the_comments(name, root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    target = tmp_path / "params.yaml"
    presets.apply(name, None if name == "sample" else str(tmp_path), target)
    loaded = config.load(target)
    assert loaded.ingest.source == ("src/photocritic/sample" if name == "sample" else str(tmp_path))
    assert "AIC 4.3: 200" in target.read_text()
    if name == "ava":
        assert (loaded.cnn_pretrain.backbone, loaded.lda.topics, loaded.filter.upper) == ("resnet101", 200, 120.0)
        assert list(loaded.variants) == ["ns", "cs", "cws"]


@pytest.mark.parametrize("name", presets.names())
def test_every_preset_stands_alone_and_a_file_that_needs_no_change_is_left_as_it_is(name, root, tmp_path, monkeypatch):
    """A preset without a corpus of its own changes the sample's; what is written anew differs in its values alone."""
    monkeypatch.chdir(root)
    target = tmp_path / "params.yaml"
    presets.apply(name, str(tmp_path) if name in ("folder", "flickr8k", "ava", "pccd") else None, target)
    assert name in config.load(target).preset
    written = target.read_text()
    presets.apply(None, None, target)
    assert target.read_text() == written


def test_a_change_leaves_every_other_line_as_it_was(root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    target = tmp_path / "params.yaml"
    target.write_text((root / "params.yaml").read_text())
    presets.apply(None, None, target, {"lda.topics": 31})
    pairs = zip((root / "params.yaml").read_text().splitlines(), target.read_text().splitlines(), strict=True)
    [(before, after)] = [(before, after) for before, after in pairs if before != after]
    assert (before.split()[:2], after.split()[:2]) == (["topics:", "24"], ["topics:", "31"])


def test_a_preset_replaces_variants_rather_than_adding_to_them(root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    presets.apply("flickr8k", str(tmp_path), tmp_path / "params.yaml")
    assert list(config.load(tmp_path / "params.yaml").variants) == [
        "nws",
        "cws",
        "random",
        "fisher",
        "fused",
    ]


@pytest.mark.parametrize(("name", "strategy"), [("cc", "beam"), ("erg", "beam"), ("captioners", "diverse")])
def test_a_papers_preset_takes_a_corpus_of_another_without_its_captioners(name, strategy, root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    presets.apply(f"flickr8k,{name}", str(tmp_path), tmp_path / "params.yaml")
    loaded = config.load(tmp_path / "params.yaml")
    assert loaded.predict.strategy == strategy
    assert "fused" not in loaded.variants
    assert not loaded.fused_features


def test_a_corpus_alone_takes_the_folder_preset_and_keeps_other_edits(root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    target = tmp_path / "params.yaml"
    target.write_text((root / "params.yaml").read_text().replace("threshold: 20.0", "threshold: 17.0"))
    presets.apply(None, str(tmp_path), target)
    loaded = config.load(target)
    assert (loaded.ingest.reader, loaded.ingest.source) == ("folder", str(tmp_path))
    assert loaded.cnn_pretrain.features == ["weak", "random"], "a folder of photographs has no labels to learn from"
    assert loaded.filter.threshold == 17.0


def test_a_second_corpus_keeps_params_as_they_are(root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    target = tmp_path / "params.yaml"
    presets.apply("folder", str(root), target)
    target.write_text(target.read_text().replace("topics: 30", "topics: 44"))
    presets.apply(None, str(tmp_path), target)
    assert (config.load(target).lda.topics, config.load(target).ingest.source) == (44, str(tmp_path))


def test_presets_refuse_what_is_not_there_and_leave_params_alone(root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    target = tmp_path / "params.yaml"
    with pytest.raises(ParamsError, match="no preset 'flicker'"):
        presets.apply("flicker", None, target)
    with pytest.raises(ParamsError, match="CORPUS="):
        presets.apply("flickr8k", None, target)
    with pytest.raises(CorpusError, match="no such corpus"):
        presets.apply("flickr8k", str(tmp_path / "absent"), target)
    assert not target.exists()


@pytest.mark.parametrize(
    ("chosen", "corpus", "named"),
    [("sample", False, "sample"), ("flickr8k,deja", True, "flickr8k,deja"), (None, True, "folder")],
)
def test_params_yaml_names_the_preset_it_was_written_from(root, tmp_path, chosen, corpus, named):
    target = tmp_path / "params.yaml"
    target.write_text((root / "params.yaml").read_text())
    presets.apply(chosen, str(tmp_path) if corpus else None, target, {"lda.topics": 5})
    assert (config.load(target).preset, config.load(target).lda.topics) == (named, 5)
    presets.apply(None, str(tmp_path), target)  # the parameters at hand, on another corpus
    assert config.load(target).preset == ("folder" if chosen == "sample" else named)


def test_filter_reads_its_own_sections_and_the_names_of_the_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "params.yaml").write_text("seed: 5\nfilter: {min_count: 3}\nlda: {topics: none}\n")
    assert presets.for_filter(unit="sentence").filter.unit == "sentence"
    chosen = presets.for_filter(threshold="12")
    assert (chosen.seed, chosen.filter.min_count, chosen.filter.threshold) == (5, 3, 12.0)
    (tmp_path / "params.yaml").write_text("fliter: {min_count: 3}\n")
    with pytest.raises(ParamsError, match="fliter: unknown key; did you mean 'filter'"):
        presets.for_filter()


def test_how_captions_are_decoded_can_be_changed_where_it_matters():
    changed = config.decoding(config.check({}), "sample", seed=3)
    assert (changed.predict.strategy, changed.seed) == ("sample", 3)
    assert config.decoding(config.check({}), beam=5).predict.beam == 5
    with pytest.raises(ParamsError, match="not used by strategy 'greedy'"):
        config.decoding(config.check({}), "greedy", beam=5)
    with pytest.raises(ParamsError, match=r"predict\.beam"):
        config.decoding(config.check({}), beam=0)


def write_presets(folder, **presets_by_name):
    for name, text in presets_by_name.items():
        (folder / f"{name}.yaml").write_text(text)
    return folder


def test_a_preset_builds_on_another_and_has_the_last_word(root, tmp_path):
    first = "lda: {topics: 5, words: 0}\nlstm_train: {model: up_down, options: {attention: 9}}\n"
    second = "from: first\nlda: {topics: 6}\nlstm_train: {model: transformer, options: {layers: 2}}\n"
    sample = (root / "presets" / "sample.yaml").read_text()
    folder = write_presets(tmp_path, sample=sample, first=first, second=second, third="from: second\nseed: 3\n")
    target = tmp_path / "params.yaml"
    presets.apply("third", None, target, folder=folder)
    loaded = config.load(target)
    assert (loaded.preset, loaded.seed) == ("third", 3)
    assert (loaded.lda.topics, loaded.lda.words) == (6, 0)
    assert (loaded.lstm_train.model, loaded.lstm_train.options) == ("transformer", {"layers": 2})
    assert "from:" not in target.read_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("from: third", "in a circle: first from third from first"),
        ("from: first", "in a circle: first from first"),
        ("from: thrid", r"first\.yaml: from: no preset 'thrid'; available: first, sample, third"),
    ],
)
def test_a_preset_that_builds_on_itself_or_on_nothing_is_refused(root, tmp_path, text, message):
    sample = (root / "presets" / "sample.yaml").read_text()
    folder = write_presets(tmp_path, sample=sample, first=text, third="from: first")
    with pytest.raises(ParamsError, match=message):
        presets.apply("first", None, tmp_path / "params.yaml", folder=folder)


def test_the_preset_ava_is_aic_on_its_corpus(root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    loaded = {}
    for name in ("aic", "ava"):
        presets.apply(name, str(tmp_path) if name == "ava" else None, tmp_path / "params.yaml")
        loaded[name] = config.load(tmp_path / "params.yaml")
    assert loaded["aic"].filter == loaded["ava"].filter
    assert loaded["aic"].lda == loaded["ava"].lda
    own = {"max_length", "epochs"}
    assert loaded["aic"].lstm_train.model_dump(exclude=own) == loaded["ava"].lstm_train.model_dump(exclude=own)
    captioner = loaded["aic"].lstm_train
    assert (captioner.model, captioner.grad_clip_by, captioner.weight_decay) == ("neuraltalk2", "value", 0.0)
    assert presets.for_filter("aic").filter == loaded["aic"].filter
