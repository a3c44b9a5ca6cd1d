"""Models by name: a revision is separated from the name, and reaches the loaders."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import timm
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import save_file

from photocritic import config
from photocritic.core.errors import ParamsError
from photocritic.core.pretrained_name import PretrainedName, split
from photocritic.vision import network as networks
from tests.captioning.test_pretrained import encoder_decoder, processor, tokenizer

pytestmark = pytest.mark.xdist_group("pretrained_name")  # or each process loads all models

ROOT = Path(__file__).resolve().parents[2]
FIRST, SECOND, PICKLED, CODE = (letter * 40 for letter in "abcd")
NAMES = {"bert": "org/bert", "gpt2": "gpt2", "captioner": "org/captioner", "timm": "timm/test_resnet.r160_in1k"}


def mark(model: Any, value: float) -> Any:
    """Return a model one weight by which the test knows it again."""
    with torch.no_grad():
        next(model.parameters()).view(-1)[0] = value
    return model


def bert() -> Any:
    from transformers import BertConfig, BertForSequenceClassification

    shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    return BertForSequenceClassification(BertConfig(vocab_size=12, **shape))


def gpt2() -> Any:
    from transformers import GPT2Config, GPT2LMHeadModel

    return GPT2LMHeadModel(GPT2Config(vocab_size=12, n_positions=64, n_embd=32, n_layer=1, n_head=2))


def add(hub: Path, kind: str, commit: str, reference: str = "") -> Path:
    """Make a commit in a hub's cache, and return its folder."""
    repository = hub / f"models--{NAMES[kind].replace('/', '--')}"
    (repository / "refs").mkdir(parents=True, exist_ok=True)
    if reference:
        (repository / "refs" / reference).write_text(commit)
    (repository / "snapshots" / commit).mkdir(parents=True)
    return repository / "snapshots" / commit


def write(folder: Path, kind: str, value: float) -> None:
    """Write a small model of a kind, whose largest weight is the value."""
    if kind == "timm":
        save_file(
            mark(timm.create_model(NAMES[kind].removeprefix("timm/")), value).state_dict(), folder / "model.safetensors"
        )
        return
    from photocritic.styles.word_tokenizer import word_tokenizer

    words = word_tokenizer([["red", "over", "blue", "white"]])
    parts = {
        "bert": [bert(), words],
        "gpt2": [gpt2(), words],
        "captioner": [encoder_decoder(), tokenizer(), processor()],
    }
    for part in [mark(parts[kind][0], value), *parts[kind][1:]]:
        part.save_pretrained(folder)


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a hub's cache: four models at the heads of main (100) and of the tag v2 (200), and two that are refused."""
    hub = tmp_path_factory.mktemp("hub")
    for kind in NAMES:
        write(add(hub, kind, FIRST, "main"), kind, 100.0)
        write(add(hub, kind, SECOND, "v2"), kind, 200.0)
    pickled, code = add(hub, "bert", PICKLED), add(hub, "gpt2", CODE)
    for refused in (pickled, code):
        shutil.copytree(refused.with_name(FIRST), refused, dirs_exist_ok=True)
    (pickled / "model.safetensors").unlink()
    torch.save(bert().state_dict(), pickled / "pytorch_model.bin")
    own = {"model_type": "own", "auto_map": {"AutoConfig": "own.Own", "AutoModelForCausalLM": "own.Own"}}
    (code / "config.json").write_text(json.dumps(own))
    (code / "own.py").write_text(f"open({str(hub / 'ran')!r}, 'w')")
    return hub


@pytest.fixture(scope="module")
def loaded(hub: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], list[str]]:
    """Load all in one process without network: what each name gave, and the warnings."""
    scratch = tmp_path_factory.mktemp("me@home")
    shutil.copytree(hub / "models--org--bert" / "snapshots" / SECOND, scratch / "bert")
    asked = [(kind, f"{NAMES[kind]}{at}") for kind in NAMES for at in ("", f"@{SECOND}", "@v2", "@v3")]
    asked += [("bert", f"org/bert@{PICKLED}"), ("gpt2", f"gpt2@{CODE}"), ("bert", NAMES["bert"])]
    asked += [("bert", str(scratch / "bert")), ("bert", "tests@v2")]
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": str(hub), "HF_HOME": str(scratch)}
    program = [sys.executable, "-m", "tests.pretrained_loads", json.dumps(asked), str(scratch)]
    done = subprocess.run(
        program, env=environment, capture_output=True, encoding="utf-8", errors="replace", check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    found = {name: value for (_, name), value in zip(asked, answer["found"], strict=True)}
    return found | {"local": found[str(scratch / "bert")]}, answer["warnings"]


@pytest.mark.parametrize("name", NAMES.values())
def test_each_revision_gives_its_own_weights(loaded, name):
    found, _ = loaded
    assert [found[f"{name}{at}"] for at in ("", f"@{SECOND}", "@v2")] == [100.0, 200.0, 200.0]
    assert f"{name.removeprefix('timm/')}@v3" in found[f"{name}@v3"]
    assert "\n" not in found[f"{name}@v3"]


def test_a_local_path_with_an_at_sign_is_a_path(loaded):
    assert loaded[0]["local"] == 200.0


def test_a_local_path_has_no_revision(loaded):
    assert "tests is a local path, which has no revision" in loaded[0]["tests@v2"]


def test_pickled_weights_are_refused(loaded):
    assert "safetensors" in loaded[0][f"org/bert@{PICKLED}"]


def test_code_of_the_hub_does_not_run(loaded, hub):
    assert "custom code" in loaded[0][f"gpt2@{CODE}"]
    assert not (hub / "ran").exists()


def test_a_name_without_revision_is_warned_of_once(loaded):
    keys = ["style_judges.classifier", "augment.generator", "lstm_train.options.weights", "cnn_pretrain.backbone"]
    expected = [f"{key}: {name} has no revision" for key, name in zip(keys, NAMES.values(), strict=True)]
    assert [message.split(",")[0] for message in loaded[1]] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gpt2", PretrainedName("gpt2", "", on_hub=True)),
        (f"org/gpt2@{FIRST}", PretrainedName("org/gpt2", FIRST, on_hub=True)),
        ("gpt2@refs/pr/1", PretrainedName("gpt2", "refs/pr/1", on_hub=True)),
        ("gpt2@v1.0", PretrainedName("gpt2", "v1.0", on_hub=True)),
        ("/models/gpt2@home", PretrainedName("/models/gpt2@home")),
        ("./gpt2@v1", PretrainedName("./gpt2@v1")),
        ("a/b/gpt2@v1", PretrainedName("a/b/gpt2@v1")),
        ("there@here/model", PretrainedName("there@here/model")),
        ("there@my place", PretrainedName("there@my place")),
        ("m" * 5000, PretrainedName("m" * 5000, "", on_hub=True)),
    ],
)
def test_names_are_distinguished_from_paths(tmp_path, monkeypatch, text, expected):
    for folder in ("there@here/model", "there@my place"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert split(text) == expected
    assert split(text).options == {"trust_remote_code": False} | (
        {"revision": expected.revision} if expected.revision else {}
    )


@settings(deadline=None)
@given(st.text(alphabet="a1./@_- \n\0é", max_size=12))
def test_nothing_of_a_name_is_lost(text):
    try:
        found = split(text)
    except ValueError:
        assert "@" in text
    else:
        assert f"{found.name}@{found.revision}" == text if found.revision else found.name == text
        assert found.on_hub or not found.revision


MALFORMED = ["", " ", "a b", "../../x", "a/../b", "/etc", "-x", "a@b", "v1/", "a//b", "é", "x" * 256, "v1\n"]


@pytest.mark.parametrize("revision", MALFORMED)
@pytest.mark.parametrize(
    "key", ["style_judges.classifier", "augment.generator", "lstm_train.options.weights", "cnn_pretrain.backbone"]
)
def test_malformed_revisions_are_refused_in_one_line(key, revision):
    section, name = key.split(".", 1)
    if section == "lstm_train":
        own = {"model": "pretrained", "options": {"weights": f"gpt2@{revision}"}}
        changes = {"variants": {"own": {"captions": "filtered", "features": "weak", "lstm_train": own}}}
    else:
        changes = {section: {name: f"timm/gpt2@{revision}" if name == "backbone" else f"gpt2@{revision}"}}
    with pytest.raises(ParamsError, match=rf"{name}.*(what follows @ is no revision|cannot be printed)") as caught:
        config.check(changes)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("cnn", "message"),
    [
        ({"backbone": "resnet18@v1"}, "only timm/NAME takes a revision"),
        ({"backbone": "timm/resnet18@v1", "weights": "a.pth"}, "remove one"),
    ],
)
def test_a_revision_without_meaning_is_refused(cnn, message):
    with pytest.raises(ParamsError, match=message):
        config.check({"cnn_pretrain": cnn})


def test_a_revision_of_weights_that_are_not_on_the_hub_is_refused():
    [name, *_] = (
        name for name in timm.list_models("*resnet*", pretrained=False) if not timm.get_pretrained_cfg(name).hf_hub_id
    )
    with pytest.raises(ParamsError, match="no weights on the hub"):
        networks.load_imagenet(f"timm/{name}@v1", "")
