"""Training the caption generator: a GPT-2 by name, or a small one on the corpus itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from photocritic.augmentation.generator import POSITIONS, CaptionGenerator
from photocritic.augmentation.phrase_extraction import Extracted
from photocritic.core import pretrained_name
from photocritic.core.errors import PhotocriticError
from photocritic.styles.train_classifier import SMALL
from photocritic.styles.word_tokenizer import CLS, PAD, SEP, Words, word_tokenizer
from photocritic.training.loop import History, Indices
from photocritic.training.recipe import Position, Recipe, Task, TrainingRun, train

PRETRAINING = "pretraining"  # the phase that comes before the stylised captions alone


@dataclass(frozen=True)
class GeneratorDataset:
    """Captions, and the two parts from which each is to be rebuilt."""

    parts: list[Extracted]
    captions: list[Words]


def train_generator(
    pretrained: str,
    dataset: GeneratorDataset,
    held_out: GeneratorDataset,
    pretraining: GeneratorDataset,
    words: Sequence[Words],
    recipe: Recipe,
    run: TrainingRun,
) -> tuple[CaptionGenerator, History]:
    """Train a generator to rebuild stylised captions from their style phrase and the rest.

    Parameters
    ----------
    pretrained : str
        `small`: a small GPT-2 from scratch. Otherwise the name, such as NAME@REVISION, or the local folder of a model
        that transformers loads from safetensors.
    dataset : GeneratorDataset
        What to learn from.
    held_out : GeneratorDataset
        What chooses the best epoch; it may be empty, and then the last epoch stays.
    pretraining : GeneratorDataset
        Factual captions for a generator that is not pretrained: together with the stylised ones they are rebuilt for
        all epochs, and the stylised ones alone for half as many after that. Without this end the generator would
        answer a factual content with itself and leave the style phrase out. It may be empty; then there is no first
        phase.
    words : sequence of sequence of str
        All captions whose words a small generator shall know.
    recipe : Recipe
        The hyperparameters.
    run : TrainingRun
        Seed, checkpoint and tracking.

    Returns
    -------
    (CaptionGenerator, History)
        The generator, and its learning curve with `val_loss` in nats a token.

    Raises
    ------
    PhotocriticError
        The pretrained model cannot be loaded.
    """
    torch.manual_seed(run.seed)
    generator = _small(words) if pretrained == SMALL else _pretrained(pretrained)
    if pretraining.captions:
        both = GeneratorDataset([*dataset.parts, *pretraining.parts], [*dataset.captions, *pretraining.captions])
        first = replace(recipe, plan=replace(recipe.plan, label=f"{recipe.plan.label}: pretraining"))
        task = _task(generator, both, GeneratorDataset([], []), recipe.plan.batch_size)
        train(generator.model, task, first, replace(run.phase(PRETRAINING), on_epoch=None))
        recipe = replace(recipe, plan=replace(recipe.plan, epochs=max(recipe.plan.epochs // 2, 1)))
    task = _task(generator, dataset, held_out, recipe.plan.batch_size)
    return generator, train(generator.model, task, recipe, run)


def _task(generator: CaptionGenerator, dataset: GeneratorDataset, held_out: GeneratorDataset, batch_size: int) -> Task:
    prompts, targets = _encode(generator, dataset)
    held_prompts, held_targets = _encode(generator, held_out)

    def loss(model: nn.Module, index: Indices, _: Position) -> Tensor:
        return generator.losses(model, [prompts[i] for i in index], [targets[i] for i in index])

    def validate(model: nn.Module) -> dict[str, float]:
        return {"val_loss": _held_out_loss(generator, model, held_prompts, held_targets, batch_size)}

    return Task(len(prompts), loss, ("val_loss", "min"), validate if held_prompts else None)


def _encode(generator: CaptionGenerator, dataset: GeneratorDataset) -> tuple[list[list[int]], list[list[int]]]:
    prompts = generator.prompts([p.phrase for p in dataset.parts], [p.content for p in dataset.parts])
    return prompts, generator.targets(dataset.captions)


def _held_out_loss(
    generator: CaptionGenerator, model: nn.Module, prompts: list[list[int]], targets: list[list[int]], size: int
) -> float:
    total = tokens = 0.0
    for start in range(0, len(prompts), size):
        part = targets[start : start + size]
        weight = sum(len(target) for target in part)
        total += weight * float(generator.losses(model, prompts[start : start + size], part))
        tokens += weight
    return total / tokens


def _small(words: Sequence[Words]) -> CaptionGenerator:
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = word_tokenizer(words)
    shape: dict[str, Any] = {
        "vocab_size": len(tokenizer),
        "n_positions": POSITIONS,
        "n_embd": 128,
        "n_layer": 3,
        "n_head": 4,
        "attn_pdrop": 0.0,  # copying from the prompt is what it must learn first, and dropped attention delays it
        "embd_pdrop": 0.0,
        "bos_token_id": tokenizer.cls_token_id,
        "eos_token_id": tokenizer.sep_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    return CaptionGenerator(GPT2LMHeadModel(GPT2Config(**shape)), tokenizer)


def _pretrained(name: str) -> CaptionGenerator:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    try:
        chosen = pretrained_name.split(name)
        pretrained_name.warn_unless_pinned(chosen, "augment.generator")
        tokenizer = AutoTokenizer.from_pretrained(chosen.name, use_fast=True, add_prefix_space=True, **chosen.options)
        model = AutoModelForCausalLM.from_pretrained(chosen.name, use_safetensors=True, **chosen.options)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise PhotocriticError(
            f"augment.generator={name}: cannot be loaded ({reason}); give a local folder or '{SMALL}'"
        ) from None
    tokenizer.add_special_tokens({"cls_token": CLS, "sep_token": SEP, "pad_token": PAD})
    model.resize_token_embeddings(len(tokenizer))
    return CaptionGenerator(model, tokenizer)
