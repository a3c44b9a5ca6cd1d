"""A captioner of transformers, fine-tuned and decoded as the others are."""

import builtins
import json

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from photocritic import captioning, config
from photocritic.captioning import train_captioner
from photocritic.captioning.pretrained.parts import Parts, TeacherForcing, read
from photocritic.cli import caption_commands as command
from photocritic.config import Decoding, Variant
from photocritic.core.errors import ParamsError, TrainingError
from photocritic.core.files import sha256
from photocritic.metrics.metric import Captions, References
from photocritic.metrics.overlap.cider_d import CiderD
from photocritic.vision import network as networks
from tests.captioning.photographs import COLOURS, small_backbone, write

VARIANT = Variant(captions="filtered", features="weak")
SMALL = {"hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 96}
SIGHT = SMALL | {"image_size": 32, "patch_size": 16}
MARKS = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}


def tokenizer():
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from transformers import PreTrainedTokenizerFast

    words = {word: number for number, word in enumerate(["[PAD]", "[BOS]", "[EOS]", "[UNK]", "over", *COLOURS])}
    whole = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    whole.pre_tokenizer = Whitespace()
    marks = {"pad_token": "[PAD]", "bos_token": "[BOS]", "eos_token": "[EOS]", "unk_token": "[UNK]"}
    return PreTrainedTokenizerFast(tokenizer_object=whole, **marks)


def processor():
    from transformers import ViTImageProcessor

    return ViTImageProcessor(size={"height": 32, "width": 32})


def encoder_decoder():
    from transformers import GPT2Config, VisionEncoderDecoderConfig, VisionEncoderDecoderModel, ViTConfig

    decoder = GPT2Config(vocab_size=9, n_positions=16, n_embd=48, n_layer=2, n_head=4, **MARKS)
    dropped = dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), 0.0)
    decoder.update(dropped | {"add_cross_attention": True, "is_decoder": True})
    config = VisionEncoderDecoderConfig.from_encoder_decoder_configs(ViTConfig(**SIGHT), decoder)
    config.update({"decoder_start_token_id": 1, "pad_token_id": 0, "eos_token_id": 2})
    return VisionEncoderDecoderModel(config)


def git():
    from transformers import GitConfig, GitForCausalLM

    return GitForCausalLM(GitConfig(vision_config=SIGHT, vocab_size=9, max_position_embeddings=32, **SMALL, **MARKS))


def blip():
    from transformers import BlipConfig, BlipForConditionalGeneration

    text = SMALL | MARKS | {"vocab_size": 9, "encoder_hidden_size": 48, "eos_token_id": 3, "sep_token_id": 2}
    config = BlipConfig(vision_config=SIGHT, text_config=text | {"max_position_embeddings": 32})
    return BlipForConditionalGeneration(config)


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    folder = tmp_path_factory.mktemp("weights")
    torch.manual_seed(5)
    for part in (encoder_decoder(), processor(), tokenizer()):
        part.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def corpus(make_caption, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(networks, "build_backbone", small_backbone)
        return write(tmp_path_factory.mktemp("photographs"), make_caption)


@pytest.fixture(scope="module")
def chosen(tiny, weights):
    changes = {"model": "pretrained", "options": {"weights": str(weights)}, "epochs": 25, "learning_rate": 3e-3}
    return tiny.model_copy(update=changes | {"batch_size": 16, "label_smoothing": 0.0})


def train(corpus, out, chosen, **options):
    where = corpus.captions, corpus.images, corpus.features
    checkpoint = out.parent / f"{out.name}.pt"
    photographs = corpus.photographs
    return train_captioner.train("own", VARIANT, *where, out, chosen, 7, checkpoint, photographs=photographs, **options)


@pytest.fixture(scope="module")
def trained(corpus, chosen, tmp_path_factory):
    out = tmp_path_factory.mktemp("run") / "own"
    return out, train(corpus, out, chosen)


def shown(corpus):
    return np.load(corpus.folder / "pixels.npy"), [corpus.shown[image].split() for image in sorted(corpus.shown)]


def test_it_learns_to_say_what_the_photographs_show(corpus, trained):
    source = captioning.load_predictor(trained[0])
    assert (source.view, source.side) == ("pixels", 32)
    pixels, expected = shown(corpus)
    said = source.predict(pixels, Decoding(strategy="greedy", max_length=6))
    scores = CiderD().score(Captions([one.tokens for one in said]), References([[words] for words in expected]))
    assert scores.corpus["cider_d"] > 5.0
    assert all(one.text == " ".join(one.tokens) and one.logprob < 0 for one in said)
    metrics = trained[1].metrics
    assert metrics["perplexity"] == pytest.approx(np.exp(metrics["val_loss"]))
    assert metrics["train_captions"] == 65
    assert metrics["trained_share"] > 0.95
    assert [path.name for path in trained[0].iterdir()] == ["pretrained"]
    assert [path.name for path in trained[0].parent.iterdir()] == ["own"]


def test_a_run_that_was_stopped_goes_on_to_the_same_weights(corpus, chosen, tmp_path):
    class Stopped(Exception):
        pass

    def stop(epoch, metrics):
        if epoch == 2:
            raise Stopped

    short = chosen.model_copy(update={"epochs": 3})
    whole = train(corpus, tmp_path / "whole", short)
    with pytest.raises(Stopped):
        train(corpus, tmp_path / "own", short, on_epoch=stop)
    assert train(corpus, tmp_path / "own", short).metrics == whole.metrics
    assert sha256(tmp_path / "own") == sha256(tmp_path / "whole")


def test_low_rank_changes_are_merged_into_the_weights(corpus, chosen, weights, tmp_path):
    pytest.importorskip("peft")
    options = {"weights": str(weights), "lora": 4}
    outcome = train(corpus, tmp_path / "own", chosen.model_copy(update={"options": options, "epochs": 4}))
    assert outcome.metrics["trained_share"] < 0.2
    curve = outcome.plots["learning_curve"]
    assert curve[-1]["val_loss"] < curve[0]["val_loss"]
    before, after = (load_file(f / "model.safetensors") for f in (weights, tmp_path / "own" / "pretrained"))
    assert before.keys() == after.keys()
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    assert "decoder.transformer.h.0.attn.c_attn.weight" in changed
    assert "decoder.transformer.wte.weight" not in changed
    model = read(str(tmp_path / "own" / "pretrained")).teacher_forcing.eval()
    pixels, _ = shown(corpus)
    source = captioning.load_predictor(tmp_path / "own")
    assert len(source.predict(pixels[:4], Decoding(strategy="greedy", max_length=6))) == 4
    assert not any("lora" in name for name, _ in model.named_parameters())


def test_captions_of_files_are_those_of_memory(corpus, trained, chosen, tmp_path):
    variants = {"own": {"captions": "filtered", "features": "weak", "lstm_train": {"model": "pretrained"}}}
    variants["own"]["lstm_train"]["options"] = chosen.options
    checked = config.check({"variants": variants, "predict": {"max_length": 6, "beam": 2}})
    captioning.Settings.of(checked, "own", str(trained[0])).save(tmp_path / "own")
    command.caption(corpus.files, tmp_path / "out.jsonl", model=tmp_path / "own")
    told = [json.loads(line)["caption"] for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    pixels, _ = shown(corpus)
    said = captioning.load_predictor(trained[0]).predict(pixels, checked.predict)
    assert told == [one.text for one in said]


def test_lengths_repeats_and_draws_are_as_the_options_say(corpus, trained):
    source, (pixels, _) = captioning.load_predictor(trained[0]), shown(corpus)
    long = source.predict(pixels[:5], Decoding(strategy="greedy", min_length=5, max_length=6))
    assert all(5 <= len(one.tokens) <= 6 for one in long)
    varied = source.predict(pixels[:5], Decoding(strategy="beam", min_length=6, max_length=6, no_repeat_ngram=1))
    assert all(len(set(one.tokens)) == len(one.tokens) for one in varied)
    assert not any({"[UNK]", "[PAD]", "[BOS]"} & set(one.tokens) for one in [*long, *varied])
    options, names = Decoding(strategy="sample", top_p=1.0, temperature=4.0, max_length=6), list("abcdefghij")
    drawn = source.predict(pixels[:10], options, seed=1, names=names)
    again = source.predict(pixels[:10][::-1], options, seed=1, names=names[::-1], batch_size=3)
    assert [one.text for one in drawn] == [one.text for one in again][::-1]
    other = source.predict(pixels[:10], options, seed=2, names=names)
    assert [one.text for one in drawn] != [one.text for one in other]


def test_what_it_cannot_do_is_refused(corpus, trained):
    source, (pixels, _) = captioning.load_predictor(trained[0]), shown(corpus)
    with pytest.raises(ParamsError, match="no diverse beam search"):
        source.predict(pixels[:2], Decoding(strategy="diverse"))
    with pytest.raises(ParamsError, match="learns no styles"):
        source.predict(pixels[:2], Decoding(), style="humorous")
    with pytest.raises(TrainingError, match="squares of 32 pixels"):
        source.predict(np.zeros((2, 1, 16), np.float32), Decoding())


@pytest.mark.parametrize("make", [encoder_decoder, git, blip])
def test_a_caption_is_scored_as_it_was_searched(make):
    torch.manual_seed(2)
    parts = Parts(make().eval(), processor(), tokenizer())
    assert (parts.special_tokens.start, parts.special_tokens.end, parts.side) == (1, 2, 32)
    pixels = np.random.default_rng(0).integers(0, 256, (3, 32, 32, 3), np.uint8)
    from photocritic.captioning.pretrained.transformers_predictor import TransformersPredictor

    greedy = TransformersPredictor(parts).predict(pixels, Decoding(strategy="greedy", min_length=3, max_length=5))
    assert all(3 <= len(one.tokens) <= 5 for one in greedy)
    with torch.no_grad():
        for one, image in zip(greedy, pixels, strict=True):
            values, read_ = parts.pixel_values(image[None], torch.device("cpu")), [1]
            total = 0.0
            for token in [*parts.tokenizer.convert_tokens_to_ids(list(one.tokens)), 2]:
                tokens = torch.tensor([read_])
                total += float(
                    torch.log_softmax(parts.teacher_forcing(values, tokens, torch.ones_like(tokens))[0, -1], 0)[token]
                )
                read_.append(token)
            assert one.logprob == pytest.approx(total, abs=1e-4)


def test_pickled_missing_and_foreign_weights_are_one_clear_line(weights, tmp_path, monkeypatch):
    pickled = tmp_path / "pickled"
    pickled.mkdir()
    (pickled / "config.json").write_bytes((weights / "config.json").read_bytes())
    (pickled / "pytorch_model.bin").write_bytes(b"")
    for place, message in (
        (pickled, r"pickled .*save_pretrained\(folder\)"),
        (tmp_path / "nowhere", "cannot be loaded"),
    ):
        with pytest.raises(ParamsError, match=message) as caught:
            read(str(place))
        assert "\n" not in str(caught.value)
    model = encoder_decoder()
    model.config.image_token_id = 7
    with pytest.raises(ParamsError, match="take a VisionEncoderDecoderModel"):
        TeacherForcing(model)
    whole = builtins.__import__

    def without_peft(name, *rest, **named):
        if name == "peft":
            raise ModuleNotFoundError(name)
        return whole(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without_peft)
    from photocritic.captioning.pretrained.train_pretrained import adapt

    with pytest.raises(ParamsError, match=r"-m pip install peft"):
        adapt(encoder_decoder(), 2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"options": {}}, "weights"),
        ({"options": {"weights": "w", "rank": 2}}, "rank"),
        ({"self_critical_epochs": 1}, "self_critical_epochs must be 0"),
        ({"finetune_epochs": 1}, "finetune_epochs must be 0"),
        ({"scheduled_sampling": 0.05}, "scheduled_sampling must be 0"),
        ({"select": "cider_d"}, "select must be val_loss"),
        ({"hidden": 64}, "hidden cannot be set for a pretrained model"),
    ],
)
def test_what_means_nothing_to_a_pretrained_captioner_is_refused(changes, message):
    own = {"model": "pretrained", "options": {"weights": "w"}} | changes
    variants = {"own": {"captions": "filtered", "features": "weak", "lstm_train": own}}
    with pytest.raises(ParamsError, match=message):
        config.check({"variants": variants})
