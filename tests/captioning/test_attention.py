"""The models' parts against torch's own, and against the equations of the papers."""

import math

import pytest
import torch
from torch import nn

from photocritic.captioning.attention import Attention, DecoderLayer, EncoderLayer, sinusoids
from photocritic.captioning.captioner import ModelConfig, build, lstm_cell
from photocritic.captioning.vocabulary import BOS

WIDTH, HEADS, INSIDE = 8, 2, 12


def vectors(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(2))


def copy_attention(ours: Attention, theirs: nn.MultiheadAttention):
    theirs.in_proj_weight.data = torch.cat([ours.query.weight, ours.memory.weight]).detach()
    theirs.in_proj_bias.data = torch.cat([ours.query.bias, ours.memory.bias]).detach()
    theirs.out_proj.load_state_dict(ours.output.state_dict())


def copy_rest(ours, theirs):
    theirs.linear1.load_state_dict(ours.network[0].state_dict())
    theirs.linear2.load_state_dict(ours.network[2].state_dict())
    for number, norm in enumerate(ours.norms, start=1):
        nn.init.normal_(norm.weight)
        getattr(theirs, f"norm{number}").load_state_dict(norm.state_dict())


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_an_encoder_layer_is_torchs(norm):
    torch.manual_seed(0)
    ours = EncoderLayer(WIDTH, HEADS, INSIDE, 0.0, norm)
    theirs = nn.TransformerEncoderLayer(WIDTH, HEADS, INSIDE, 0.0, batch_first=True, norm_first=norm == "pre")
    copy_attention(ours.attention, theirs.self_attn)
    copy_rest(ours, theirs)
    assert torch.allclose(ours(vectors(3, 5, WIDTH)), theirs(vectors(3, 5, WIDTH)), atol=1e-5)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_decoder_layer_is_torchs(norm):
    torch.manual_seed(0)
    ours = DecoderLayer(WIDTH, HEADS, INSIDE, 0.0, norm)
    theirs = nn.TransformerDecoderLayer(WIDTH, HEADS, INSIDE, 0.0, batch_first=True, norm_first=norm == "pre")
    copy_attention(ours.words, theirs.self_attn)
    copy_attention(ours.image, theirs.multihead_attn)
    copy_rest(ours, theirs)
    words, image = vectors(3, 5, WIDTH), vectors(3, 4, WIDTH)
    expected = theirs(words, image, tgt_mask=nn.Transformer.generate_square_subsequent_mask(5), tgt_is_causal=True)
    seen, nothing = ours.image.remember(image), torch.zeros(3, 0, 2 * WIDTH)
    assert torch.allclose(ours(words, seen, nothing)[0], expected, atol=1e-5)


def test_normalised_queries_ignore_what_all_regions_have_in_common():
    torch.manual_seed(0)
    attention = Attention(WIDTH, HEADS, normalised=True)
    regions = vectors(3, 5, WIDTH)
    remembered = attention.remember(regions)
    shifted = attention(3 * regions + vectors(3, 1, WIDTH), remembered)
    assert torch.allclose(shifted, attention(regions, remembered), atol=1e-3)
    assert torch.isfinite(attention(regions[:, :1], remembered[:, :1])).all()


def test_sinusoids_are_those_of_the_paper():
    found = sinusoids(3, 5, torch.zeros(1, 6))
    for row, position in enumerate((3, 4)):
        angles = [position / 10_000 ** (2 * pair / 6) for pair in range(3)]
        expected = [math.sin(angle) for angle in angles] + [math.cos(angle) for angle in angles]
        assert found[row].tolist() == pytest.approx(expected, abs=1e-6)


def test_a_step_of_an_lstm_is_torchs():
    torch.manual_seed(0)
    cell = nn.LSTMCell(4, WIDTH)
    words, hidden, memory = vectors(3, 4), vectors(3, WIDTH), vectors(3, WIDTH) + 1
    gates = words @ cell.weight_ih.T + cell.bias_ih + hidden @ cell.weight_hh.T + cell.bias_hh
    for found, expected in zip(lstm_cell(gates, memory), cell(words, (hidden, memory)), strict=True):
        assert torch.allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("language_word", [True, False])
def test_up_down_follows_the_papers_equations(language_word):
    torch.manual_seed(0)
    options = {"attention": 7, "language_word": language_word}
    model = build("up_down", ModelConfig(5, 11, hidden=WIDTH, embedding=6, regions=4), options).eval()
    look, say = nn.LSTMCell(2 * WIDTH + 6, WIDTH), nn.LSTMCell(2 * WIDTH + 6 * language_word, WIDTH)
    said, seen = model.look_gates.weight.detach().split(WIDTH, dim=1)
    look_word, *say_word = model.word_gates.weight.detach().split(4 * WIDTH)
    image, own = model.say_gates.weight.detach().split([2 * WIDTH, WIDTH], dim=1)
    look.weight_ih.data = torch.cat([said, model.image_gates.weight.detach(), look_word], dim=1)
    say.weight_ih.data = torch.cat([image, *say_word], dim=1)
    look.weight_hh.data, say.weight_hh.data = seen.clone(), own.clone()
    look.bias_ih.data, *biases = model.word_gates.bias.detach().split(4 * WIDTH)
    say.bias_ih.data = biases[0] if language_word else model.say_gates.bias.detach()
    look.bias_hh.data.zero_()
    say.bias_hh.data.zero_()

    features, tokens = vectors(3, 4, 5), torch.tensor([[BOS, 4, 5], [BOS, 6, 4], [BOS, 8, 7]])
    regions, first, second = model.regions(features), None, None
    for position in range(3):
        word = model.words.read(tokens[:, position])
        before = torch.zeros(3, WIDTH) if second is None else second[0]
        first = look(torch.cat([before, regions.mean(dim=1), word], dim=1), first)  # Eq. 2
        scores = [model.weight(torch.tanh(model.key(regions[:, r]) + model.query(first[0]))) for r in range(4)]  # Eq. 3
        weights = torch.softmax(torch.cat(scores, dim=1), dim=1)  # Eq. 4
        attended = sum(weights[:, r, None] * regions[:, r] for r in range(4))  # Eq. 5
        seen = [attended, first[0], word] if language_word else [attended, first[0]]
        second = say(torch.cat(seen, dim=1), second)  # Eq. 6
        assert torch.allclose(model(features, tokens)[:, position], model.words.score(second[0]), atol=1e-5)
