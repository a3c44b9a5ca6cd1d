"""What no parameter needs is refused: in YAML, in values made in Python, and in names."""

import pytest

from photocritic import config
from photocritic.core.errors import ParamsError


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
