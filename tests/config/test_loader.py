"""params.yaml is read; what cannot be used is refused in one line, and what no parameter needs before anything else."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from photocritic import config
from photocritic.core.errors import ParamsError
from photocritic.metrics import PURE, names

VARIANT = {"captions": "raw", "features": "weak"}
FUSED = {"first": "weak", "second": "fisher"}


def test_the_projects_own_params_are_the_sample_preset(root):
    assert (root / "params.yaml").read_text() == (root / "presets" / "sample.yaml").read_text()
    assert config.load(root / "params.yaml").ingest.reader == "sample"


def test_every_knob_stands_in_params_yaml(root):
    written = YAML(typ="safe").load(root / "params.yaml")
    for name, field in config.Params.model_fields.items():
        assert name in written
        sections = getattr(field.annotation, "model_fields", {})
        assert set(sections) == set(written[name] if sections else {}), name


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"filter": {"treshold": 20}}, ["filter.treshold", "unknown key", "'threshold'"]),
        ({"filter": {"threshold": "abc"}}, ["filter.threshold", "abc"]),
        ({"fitler": {}}, ["fitler", "'filter'"]),
        ({"lda": {"topics": 1}}, ["lda.topics", "greater than or equal to 2"]),
        ({"ingest": {"val_share": 0.6, "test_share": 0.6}}, ["val_share", "below 1"]),
        (
            {"variants": {"x": {"captions": "raw", "features": "imagenet"}}},
            ["variants.x.features", "cnn_pretrain.features"],
        ),
        ({"variants": {"x": {"caption": "raw", "features": "weak"}}}, ["variants.x.caption", "'captions'"]),
        ({"variants": {"x": VARIANT | {"lstm_train": {"hiden": 3}}}}, ["variants.x.lstm_train.hiden", "'hidden'"]),
        ({"variants": {"x": VARIANT | {"lstm_train": {"hidden": 0}}}}, ["variants.x.lstm_train.hidden"]),
        ({"variants": {"x": VARIANT | {"lstm_train": {"view": "grid"}}}}, ["variants.x", "cnn_pretrain.grid"]),
        ({"lstm_train": {"members": 2, "finetune_epochs": 1}}, ["lstm_train", "members must be 1"]),
        ({"cnn_pretrain": {"detector_size": 500}}, ["cnn_pretrain.detector_size", "multiple of 32"]),
        ({"cnn_pretrain": {"topics_weight": 0, "words_weight": 0}}, ["topics_weight and words_weight are both 0"]),
        ({"cnn_pretrain": {"topics_weight": 0}, "lda": {"words": 0}}, ["topics_weight 0", "lda.words is 0"]),
        ({"cnn_pretrain": {"regions": 0}}, ["cnn_pretrain.regions"]),
        ({"cnn_pretrain": {"gist_size": 28}}, ["cnn_pretrain.gist_size"]),
        ({"cnn_pretrain": {"gist_size": 70}}, ["cnn_pretrain.gist_size"]),
        ({"augment": {"features": "regions"}}, ["augment.features", "cnn_pretrain.features"]),
        ({"variants": {"Bad Name": {"captions": "raw", "features": "weak"}}}, ["variants"]),
        ({"variants": {}}, ["variants", "at least one"]),
        ({"predict": {"strategy": "beams"}}, ["predict.strategy", "'diverse'"]),
        ({"predict": {"top_p": 0.0}}, ["predict.top_p"]),
        ({"predict": {"min_length": 9, "max_length": 8}}, ["predict", "min_length 9", "max_length 8"]),
        ({"seed": -1}, ["seed"]),
        ({"reproducible": "yes"}, ["reproducible"]),
        ([], ["params.yaml"]),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(changes, words):
    with pytest.raises(ParamsError) as refusal:
        config.check(changes, "params.yaml")
    message = str(refusal.value)
    assert "\n" not in message
    assert all(word in message for word in words), message


def test_regions_are_a_grid_of_their_own():
    seen = {"captions": "raw", "features": "regions", "lstm_train": {"view": "grid"}}
    made = {"features": ["weak", "regions"], "grid": 1}
    changes = {"cnn_pretrain": made, "variants": {"seen": seen}, "augment": {"features": "regions"}}
    assert config.check(changes).captioner("seen").view == "grid"
    with pytest.raises(ParamsError, match=r"variants\.x: view 'grid' needs cnn_pretrain\.grid"):
        config.check(changes | {"variants": {"seen": seen, "x": seen | {"features": "weak"}}})
    tuned = seen | {"lstm_train": {"view": "grid", "finetune_epochs": 1}}
    with pytest.raises(ParamsError, match=r"variants\.seen: only a CNN is fine-tuned"):
        config.check(changes | {"variants": {"seen": tuned}})


@pytest.mark.parametrize("features", ["fisher", "gist", "tinyimage"])
@pytest.mark.parametrize(
    ("captioner", "problem"), [({"finetune_epochs": 1}, "only a CNN is fine-tuned"), ({"view": "grid"}, "have no grid")]
)
def test_descriptors_are_no_cnn_and_have_no_grid(features, captioner, problem):
    seen = {"captions": "raw", "features": features}
    changes = {"cnn_pretrain": {"features": ["weak", features], "grid": 4}, "variants": {"seen": seen}}
    assert config.check(changes).variants["seen"].features == features
    with pytest.raises(ParamsError, match=rf"variants\.seen: .*{problem}"):
        config.check(changes | {"variants": {"seen": seen | {"lstm_train": captioner}}})


@pytest.mark.parametrize(
    ("fused", "captioner", "problem"),
    [
        (
            {"both": {"first": "weak", "second": "labels"}},
            {},
            r"both\.second: 'labels' is not computed",
        ),
        ({"both": {"first": "fisher", "second": "fisher"}}, {}, r"first and second are both 'fisher'"),
        ({"both": FUSED, "random": FUSED}, {}, r"fused_features\.random: .*have this name"),
        ({"other": FUSED}, {}, r"variants\.seen\.features: 'both' is not computed"),
        ({"both": FUSED}, {"view": "grid"}, "'both' have no grid"),
        ({"both": FUSED}, {"finetune_epochs": 1}, "only a CNN is fine-tuned"),
    ],
)
def test_fused_features_are_two_that_are_made(fused, captioner, problem):
    seen = {"captions": "raw", "features": "both"}
    changes = {"cnn_pretrain": {"features": ["weak", "fisher"], "grid": 4}, "variants": {"seen": seen}}
    assert config.check(changes | {"fused_features": {"both": FUSED}}).variants["seen"].features == "both"
    with pytest.raises(ParamsError, match=problem):
        config.check(changes | {"fused_features": fused, "variants": {"seen": seen | {"lstm_train": captioner}}})


@given(st.dictionaries(st.text(max_size=8), st.none() | st.integers() | st.text(max_size=8), max_size=3))
def test_arbitrary_sections_are_checked_or_refused_but_never_crash(raw):
    with contextlib.suppress(ParamsError):
        assert config.check(raw).variants


def test_the_metrics_to_choose_from_are_those_that_there_are():
    assert names() == ["bleu", "meteor", "rouge_l", "cider", "cider_d", "spice"]
    assert config.check({"evaluate": {"metrics": names()}}).evaluate.metrics == names()
    assert config.check({"evaluate": {"metrics": "auto"}}).evaluate.metrics == "auto"
    assert config.check({}).evaluate.metrics == list(PURE)  # the same numbers on every machine


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"evaluate": {"metrics": ["bleu"]}}, "metrics must have cider_d"),
        ({"evaluate": {"metrics": ["cider_d"]}, "promote": {"metric": "bleu_4"}}, "metrics must have bleu"),
        ({"promote": {"gate": {"spice_1": {"min": 0.1}}}}, "metrics must have spice"),
        ({"promote": "bleu_4"}, "promote: Input should be"),
        ({"promote": {"metric": "blue"}}, r"promote\.metric: no number is called 'blue'; did you mean 'bleu_"),
        ({"promote": {"margn": 0.1}}, "margn: unknown key; did you mean 'margin'"),
        ({"promote": {"margin": -0.1}}, r"promote\.margin"),
        ({"promote": {"gate": {"frequent_share": {"max": 0.5}}}}, "did you mean 'most_frequent_share'"),
        ({"promote": {"gate": {"words": {"most": 9}}}}, r"gate\.words\.most: unknown key; did you mean 'm"),
        ({"promote": {"gate": {"words": {}}}}, "give min, max or both"),
        ({"promote": {"gate": {"words": {"min": 9, "max": 3}}}}, "min 9 is above max 3"),
        ({"evaluate": {"metrics": ["cider_d", "blue"]}}, "no metric is called 'blue'; did you mean 'bleu'"),
        ({"lstm_train": {"model": "shaw_tell"}}, "no captioner is called 'shaw_tell'; did you mean 'show_tell'"),
        ({"augment": {"retriever": "multi"}}, "no retriever is called 'multi'; did you mean 'multimodal'"),
        ({"evaluate": {"tokenizer": "treebank"}}, "evaluate.tokenizer"),
    ],
)
def test_what_the_report_stands_on_must_be_measured(changes, words):
    with pytest.raises(ParamsError, match=words):
        config.check(changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"evaluate": {"beam": 3}}, r"evaluate\.beam: is predict\.beam now"),
        ({"evaluate": {"champion": {"margin": 0.1}}}, r"evaluate\.champion: is promote now"),
        ({"augment": {"classifier": "small"}}, r"augment\.classifier: is style_judges\.classifier now"),
    ],
)
def test_a_key_that_has_moved_names_its_new_place(changes, words):
    with pytest.raises(ParamsError, match=words):
        config.check(changes)


def test_what_is_absent_has_the_values_of_the_preset_sample(root):
    sample = config.load(root / "presets" / "sample.yaml").model_dump()
    assert config.check({}).model_dump() == sample | {"preset": "", "reproducible": False, "retrievers": {}}
    assert config.check({"lda": {"topics": 9}}).lda.model_dump() == sample["lda"] | {"topics": 9}
    assert config.LstmTrainParams(epochs=3).model_dump() == sample["lstm_train"] | {"epochs": 3}


def test_a_file_that_is_not_yaml_is_named(tmp_path):
    path = tmp_path / "params.yaml"
    path.write_text("filter: [unclosed")
    with pytest.raises(ParamsError, match="not valid YAML"):
        config.load(path)
    with pytest.raises(ParamsError, match="no such file"):
        config.load(tmp_path / "absent.yaml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("filter: &a {chain: [*a]}", "aliases are not supported"),  # L2
        ("a: &a [x, x]\nfilter: {chain: [*a, *a, *a]}", "aliases are not supported"),
        ("a: &a {x: 1}\nfilter: {<<: *a}", "aliases are not supported"),
        (f"seed: {'9' * 5000}", "not valid YAML"),
        ("seed: 99999999999999999999999999", "more than 64 bits"),
        (f"filter: {{chain: {'[' * 5000}{']' * 5000}}}", "nested more than"),
        (f"preset: {'x' * 30_000}", "30,000 characters"),
        ("filter: {threshold: .nan}", "not a finite number"),  # L1
        ("lstm_train: {options: {lora: .inf}}", "not a finite number"),
        ('ingest: {source: "a\\0b"}', "cannot be printed"),
        ("filter: {chain: [{clean: {}, length: {}}]}", "entry 0 has 2 filters"),
        ("filter: {chain: [{}]}", "entry 0 has 0 filters"),
        ("seed: !!python/object/apply:os.system [x]", "tags are not supported"),
        ("compile: !!bool abc", "tags are not supported"),
        ("variants: {3: {captions: raw, features: weak}}", "3 is not text"),
        ('variants: {"a\\nb": {captions: raw, features: weak}}', "variants"),
        ("variants:\n" + "".join(f"  x{place}: {{captions: q}}\n" for place in range(500)), "more problems"),
        ("a:\n" + "".join(f"  - {place}\n" for place in range(30_000)), "more than 20,000 values"),
        ("\0", "not valid YAML"),
    ],
    ids=lambda value: value[:40],
)
def test_yaml_that_no_parameter_needs_is_refused(tmp_path, text, words):
    path = tmp_path / "params.yaml"
    path.write_text(text)
    with pytest.raises(ParamsError) as refusal:
        config.load(path)
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 5000


def test_a_file_that_is_too_large_or_no_file_is_refused(tmp_path):
    path = tmp_path / "params.yaml"
    path.write_text("# " + "x" * (1 << 20))
    with pytest.raises(ParamsError, match="larger than"):
        config.load(path)
    with pytest.raises(ParamsError, match="not a regular file"):
        config.load(tmp_path)


def test_values_that_refer_to_themselves_are_refused():
    """A dictionary that was made in Python can hold itself; so can one that doubles at every level."""
    own = {}
    own["filter"] = own
    with pytest.raises(ParamsError, match="nested more than"):
        config.check(own)
    doubled = ["x"]
    for _ in range(10):
        doubled = [doubled] * 9
    with pytest.raises(ParamsError, match="more than 20,000 values"):
        config.check({"filter": {"chain": doubled}})


def _floats(values, prefix=()):
    for name, value in values.items():
        if isinstance(value, dict) and name not in {"variants", "gate", "options"}:
            yield from _floats(value, (*prefix, name))
        elif isinstance(value, float):
            yield (*prefix, name)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), "nan", "inf", "-Infinity"])
def test_no_number_of_any_section_may_be_infinite_or_none(value):
    """L1: in text as well, which is taken for a number where one is wanted."""
    places = list(_floats(config.check({}).model_dump()))
    assert len(places) > 25
    for *sections, key in places:
        raw = {key: value}
        for section in reversed(sections):
            raw = {section: raw}
        with pytest.raises(ParamsError, match=key):
            config.check(raw)


@pytest.mark.parametrize(
    "name", ["x; touch P", "../x", "/x", "a b", "a\nb", "-x", "", "x" * 65, "сws", "A", "a//b", "a.b"]
)
def test_names_of_variants_and_styles_are_names(name):
    """H5, L12."""
    with pytest.raises(ParamsError, match="variants"):
        config.check({"variants": {name: {"captions": "raw", "features": "weak"}}})
    with pytest.raises(ParamsError, match=r"ingest\.styles"):
        config.check({"ingest": {"reader": "folder", "styles": {name: "a.csv"}}})


@pytest.mark.parametrize(
    "value", ["https://127.0.0.1/x", "s3://bucket/x", "remote://x/y", "", " ", "a\0b", "caf\udce9", 3, None]
)
def test_a_corpus_is_a_path_of_this_machine(value):
    """DVC depends on both, and would ask another machine."""
    for section, key in (("ingest", "source"), ("predict", "on")):
        with pytest.raises(ParamsError, match=key):
            config.check({section: {key: value}})
