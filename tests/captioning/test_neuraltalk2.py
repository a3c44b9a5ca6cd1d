"""NeuralTalk2's model against its recurrence, written out one step after the other."""

import pytest
import torch
from torch.nn import functional

from photocritic.captioning.captioner import ModelConfig, build
from photocritic.captioning.vocabulary import BOS, PAD

FEATURES, WIDTH, EMBEDDING, WORDS = 5, 7, 6, 11
TOKENS = torch.tensor([[BOS, 4, 5, 9], [BOS, 6, 4, PAD], [BOS, 8, PAD, PAD]])


@pytest.fixture
def model():
    torch.manual_seed(0)
    config = ModelConfig(FEATURES, WORDS, hidden=WIDTH, embedding=EMBEDDING, dropout=0.5)
    return build("neuraltalk2", config).double().eval()


def images():
    return torch.randn(3, 1, FEATURES, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


def unrolled(model, features, drop):
    """Return the logits after each word, by the model's weights and nothing else of it."""
    weights = model.state_dict()

    def linear(name, vectors):
        return functional.linear(vectors, weights[f"{name}.weight"], weights[f"{name}.bias"])

    hidden = cell = torch.zeros(len(features), WIDTH, dtype=torch.float64)
    inputs = [linear("image", features[:, 0])]
    inputs += [weights["words.vectors.weight"][TOKENS[:, place]] for place in range(TOKENS.shape[1])]
    logits = []
    for vector in inputs:
        sums = linear("input_sums", vector) + linear("hidden_sums", hidden)
        enter, forget, output = (torch.sigmoid(sums[:, k * WIDTH : (k + 1) * WIDTH]) for k in range(3))
        first, second = sums[:, 3 * WIDTH : 4 * WIDTH], sums[:, 4 * WIDTH :]
        cell = forget * cell + enter * torch.where(first > second, first, second)
        hidden = drop(output * torch.tanh(cell))
        logits.append(linear("words.output", hidden))
    return torch.stack(logits[1:], dim=1)  # what follows the image alone is not scored


def test_a_reading_at_once_is_the_recurrence(model):
    expected = unrolled(model, images(), lambda hidden: hidden)
    torch.testing.assert_close(model(images(), TOKENS), expected, atol=1e-6, rtol=0.0)


def test_a_decoding_step_by_step_is_the_recurrence(model):
    expected = torch.log_softmax(unrolled(model, images(), lambda hidden: hidden).float(), dim=-1)
    state = model.start(images())
    for place in range(TOKENS.shape[1]):
        found, state = model.step(TOKENS[:, place], state)
        torch.testing.assert_close(found, expected[:, place], atol=1e-6, rtol=0.0)


def test_dropout_is_on_the_output_alone_and_the_next_step_reads_what_it_left(model):
    torch.manual_seed(2)
    found = model.train()(images(), TOKENS)
    torch.manual_seed(2)
    expected = unrolled(model, images(), lambda hidden: functional.dropout(hidden, 0.5))
    torch.testing.assert_close(found, expected, atol=1e-6, rtol=0.0)


def test_without_maxout_it_is_show_and_tell_with_torchs_lstm():
    torch.manual_seed(0)
    config = ModelConfig(FEATURES, WORDS, hidden=WIDTH, embedding=EMBEDDING, dropout=0.5)
    model = build("neuraltalk2", config, {"maxout": False}).eval()
    lstm, order = torch.nn.LSTM(EMBEDDING, WIDTH, batch_first=True), [0, 1, 3, 2]  # input, forget, candidate, output
    for name, layer in (("ih", model.input_sums), ("hh", model.hidden_sums)):
        getattr(lstm, f"weight_{name}_l0").data = torch.cat([layer.weight.detach().chunk(4)[k] for k in order])
        getattr(lstm, f"bias_{name}_l0").data = torch.cat([layer.bias.detach().chunk(4)[k] for k in order])
    features = images().float()
    read, _ = lstm(torch.cat([model.image(features), model.words.read(TOKENS)], dim=1))
    expected = model.words.score(read[:, 1:])
    torch.testing.assert_close(model(features, TOKENS), expected, atol=1e-6, rtol=0.0)
    state = model.start(features)
    for place in range(TOKENS.shape[1]):
        found, state = model.step(TOKENS[:, place], state)
        torch.testing.assert_close(found, torch.log_softmax(expected, -1)[:, place], atol=1e-6, rtol=0.0)


def test_words_begin_small_and_the_shapes_are_those_documented(model):
    shapes = {name: tuple(weight.shape) for name, weight in model.named_parameters()}
    assert shapes == {
        "image.weight": (EMBEDDING, FEATURES),
        "image.bias": (EMBEDDING,),
        "input_sums.weight": (5 * WIDTH, EMBEDDING),
        "input_sums.bias": (5 * WIDTH,),
        "hidden_sums.weight": (5 * WIDTH, WIDTH),
        "hidden_sums.bias": (5 * WIDTH,),
        "words.vectors.weight": (WORDS, EMBEDDING),
        "words.output.weight": (WORDS, WIDTH),
        "words.output.bias": (WORDS,),
    }
    assert float(model.words.output.weight.detach().abs().max()) <= 0.1
    assert not model.words.vectors.weight[PAD].any()
