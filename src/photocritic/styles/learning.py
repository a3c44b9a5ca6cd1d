"""Training a style classifier: a BERT by name, or a small one on the corpus itself."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from photocritic.core import pretrained_name
from photocritic.core.errors import PhotocriticError
from photocritic.styles.captions import Labelled
from photocritic.styles.classifier import MAX_TOKENS, StyleClassifier
from photocritic.styles.tokens import Words, word_tokenizer
from photocritic.training.loop import History, OnEpoch, Plan, fit

SMALL = "small"
GRAD_CLIP = 1.0  # of the classifier, and of the generator that learns beside it


def train(
    pretrained: str,
    examples: Labelled,
    held_out: Labelled,
    plan: Plan,
    learning_rate: float,
    checkpoint: Path,
    *,
    key: str = "",
    on_epoch: OnEpoch | None = None,
) -> tuple[StyleClassifier, History]:
    """Train a style classifier.

    Parameters
    ----------
    pretrained : str
        `small`: a small BERT from scratch over the examples' words. Otherwise the name, such as NAME@REVISION, or the
        local folder of a model that transformers loads from safetensors.
    examples : Labelled
        What to learn from; its labels are the classes.
    held_out : Labelled
        What chooses the best epoch; it may be empty, and then the last epoch stays.
    plan : Plan
        Epochs, batch size, seed.
    learning_rate : float
        Of AdamW, warmed up over a tenth of the steps and falling linearly to 0.
    checkpoint, key, on_epoch
        As in `training.loop.fit`.

    Returns
    -------
    (StyleClassifier, History)
        The classifier, and its learning curve with `accuracy` over `held_out`.

    Raises
    ------
    PhotocriticError
        The pretrained model cannot be loaded.
    """
    classes = sorted(set(examples.labels))
    torch.manual_seed(plan.seed)
    classifier = _small(examples.sentences, classes) if pretrained == SMALL else _pretrained(pretrained, classes)
    encoded = classifier.encode(examples.sentences)
    targets = torch.tensor([classes.index(label) for label in examples.labels])

    def loss(model: nn.Module, index: NDArray[np.int64]) -> Tensor:
        logits = model(**classifier.inputs([encoded[i] for i in index])).logits
        return nn.functional.cross_entropy(logits, targets[index].to(logits.device))

    def validate(_: nn.Module) -> dict[str, float]:
        return {"accuracy": accuracy(classifier, held_out)}

    optimizer, scheduler = optimisation(classifier.model, learning_rate, plan.epochs * plan.steps(len(encoded)))
    measured = bool(held_out.sentences)
    history = fit(
        classifier.model,
        optimizer,
        scheduler,
        len(encoded),
        loss,
        plan,
        checkpoint,
        key=key,
        validate=validate if measured else None,
        best=("accuracy", "max") if measured else None,
        on_epoch=on_epoch,
    )
    return classifier, history


def accuracy(classifier: StyleClassifier, labelled: Labelled) -> float:
    """Give the share of sentences whose most probable class is their label."""
    best = classifier.probabilities(labelled.sentences).argmax(axis=1)
    return float(np.mean([classifier.classes[i] == label for i, label in zip(best, labelled.labels, strict=True)]))


def optimisation(model: nn.Module, learning_rate: float, steps: int) -> tuple[Any, Any]:
    """Make AdamW and its schedule: a tenth of the steps of warm-up, then a straight line to 0."""
    warm_up = max(steps // 10, 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, weight_decay=0.01, fused=True)
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm_up, max(steps - step, 0) / max(steps - warm_up, 1))
    )
    return optimizer, scheduler


def _small(sentences: Sequence[Words], classes: list[str]) -> StyleClassifier:
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
        "num_labels": len(classes),
        "attn_implementation": "eager",  # the others do not give attention weights
    }
    return StyleClassifier(BertForSequenceClassification(BertConfig(**shape)), tokenizer, classes)


def _pretrained(name: str, classes: list[str]) -> StyleClassifier:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    try:
        chosen = pretrained_name.split(name)
        pretrained_name.warn_unless_pinned(chosen, "style_judges.classifier")
        tokenizer = AutoTokenizer.from_pretrained(chosen.name, use_fast=True, **chosen.options)
        model = AutoModelForSequenceClassification.from_pretrained(
            chosen.name,
            num_labels=len(classes),
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
    return StyleClassifier(model, tokenizer, classes)
