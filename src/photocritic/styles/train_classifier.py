"""Training the classifier of a style: a BERT by name, or a small one on the corpus itself."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from photocritic.core import pretrained_name
from photocritic.core.errors import PhotocriticError
from photocritic.styles.classifier import MAX_TOKENS, StyleClassifier
from photocritic.styles.styled_captions import Labelled
from photocritic.styles.word_tokenizer import Words, word_tokenizer
from photocritic.training.loop import History, Indices, Plan
from photocritic.training.recipe import Position, Recipe, Task, TrainingRun, train

SMALL = "small"
_GRAD_CLIP, _WEIGHT_DECAY = 1.0, 0.01


def train_classifier(
    pretrained: str,
    style: str,
    examples: Labelled,
    held_out: Labelled,
    recipe: Recipe,
    run: TrainingRun,
) -> tuple[StyleClassifier, History]:
    """Train the classifier of a style.

    Parameters
    ----------
    pretrained : str
        `small`: a small BERT from scratch over the examples' words. Otherwise the name, such as NAME@REVISION, or the
        local folder of a model that transformers loads from safetensors.
    style : str
        The style.
    examples : Labelled
        Sentences in the style and factual ones to learn from.
    held_out : Labelled
        What chooses the best epoch; it may be empty, and then the last epoch stays.
    recipe : Recipe
        The hyperparameters.
    run : TrainingRun
        Seed, checkpoint and tracking.

    Returns
    -------
    (StyleClassifier, History)
        The classifier, and its learning curve with `accuracy` over `held_out`.

    Raises
    ------
    PhotocriticError
        The pretrained model cannot be loaded.

    References
    ----------
    ERG section 4.4: a classifier for each style, from sentences in the style and factual ones.
    """
    torch.manual_seed(run.seed)
    classifier = _small(examples.sentences, style) if pretrained == SMALL else _pretrained(pretrained, style)
    encoded = classifier.encode(examples.sentences)
    targets = torch.tensor(examples.in_style, dtype=torch.int64)

    def loss(model: nn.Module, index: Indices, _: Position) -> Tensor:
        logits = model(**classifier.inputs([encoded[i] for i in index])).logits
        return nn.functional.cross_entropy(logits, targets[index].to(logits.device))

    def validate(_: nn.Module) -> dict[str, float]:
        return {"accuracy": classifier.accuracy(held_out)}

    task = Task(len(encoded), loss, ("accuracy", "max"), validate if held_out.sentences else None)
    return classifier, train(classifier.model, task, recipe, run)


def language_recipe(label: str, epochs: int, batch_size: int, learning_rate: float, seed: int) -> Recipe:
    """Return the recipe of BERT and GPT-2: AdamW, a tenth of the steps of warm-up, then a straight line to 0."""
    plan = Plan(label, epochs, batch_size, seed, grad_clip=_GRAD_CLIP)
    return Recipe(plan, learning_rate, weight_decay=_WEIGHT_DECAY, decay_all=True, schedule="linear")


def _small(sentences: Sequence[Words], style: str) -> StyleClassifier:
    from transformers import BertConfig, BertForSequenceClassification

    tokenizer = word_tokenizer(sentences)
    shape: dict[str, Any] = {
        "vocab_size": len(tokenizer),
        "hidden_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 256,
        "max_position_embeddings": MAX_TOKENS,
        "pad_token_id": tokenizer.pad_token_id,
        "num_labels": 2,
        "attn_implementation": "eager",  # the others do not give attention weights
    }
    return StyleClassifier(BertForSequenceClassification(BertConfig(**shape)), tokenizer, style)


def _pretrained(name: str, style: str) -> StyleClassifier:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    try:
        chosen = pretrained_name.split(name)
        pretrained_name.warn_unless_pinned(chosen, "style_judges.classifier")
        tokenizer = AutoTokenizer.from_pretrained(chosen.name, use_fast=True, **chosen.options)
        model = AutoModelForSequenceClassification.from_pretrained(
            chosen.name,
            num_labels=2,
            attn_implementation="eager",
            ignore_mismatched_sizes=True,
            use_safetensors=True,
            **chosen.options,
        )
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise PhotocriticError(
            f"style_judges.classifier={name}: cannot be loaded ({reason}); give a local folder or '{SMALL}'"
        ) from None
    return StyleClassifier(model, tokenizer, style)
