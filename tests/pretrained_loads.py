"""Loads models by name in a process of its own, whose hub is a folder: python -m tests.pretrained_loads JSON FOLDER."""

import json
import logging
import sys
from pathlib import Path

from photocritic.augmentation.phrase_extraction import Extracted
from photocritic.augmentation.train_generator import GeneratorDataset, train_generator
from photocritic.captioning.pretrained.parts import read
from photocritic.core.errors import PhotocriticError
from photocritic.styles.styled_captions import Labelled
from photocritic.styles.train_classifier import language_recipe, train_classifier
from photocritic.training.recipe import TrainingRun
from photocritic.vision import network as networks

SENTENCES = [("red", "over", "blue"), ("white",)]
RATE = 0.0  # nothing is learned, so that the weights stay as they came


def bert(name, scratch):
    recipe, run, held_out = language_recipe("classifier", 1, 4, RATE, 3), TrainingRun(3, scratch), Labelled([], [])
    return train_classifier(name, "romantic", Labelled(SENTENCES, [True, False]), held_out, recipe, run)[0].model


def gpt2(name, scratch):
    recipe, run, nothing = (
        language_recipe("generator", 1, 4, RATE, 3),
        TrainingRun(3, scratch),
        GeneratorDataset([], []),
    )
    dataset = GeneratorDataset([Extracted(("red",), ("blue",))], [SENTENCES[0]])
    return train_generator(name, dataset, nothing, nothing, SENTENCES, recipe, run)[0].model


def captioner(name, scratch):
    return read(name).model


def convolutional(name, scratch):
    return networks.load_imagenet(name, "")


KINDS = {"bert": bert, "gpt2": gpt2, "captioner": captioner, "timm": convolutional}


class Kept(logging.Handler):
    """Keeps the warnings of photocritic."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.messages = []

    def emit(self, record):
        self.messages.append(record.getMessage())


def largest(kind, name, scratch):
    """Give a model's largest weight, by which the test tells models apart, or the error's message."""
    try:
        return max(float(weight.max()) for weight in KINDS[kind](name, scratch).parameters())
    except PhotocriticError as error:
        return str(error)


def main():
    kept = Kept()
    logging.getLogger("photocritic").addHandler(kept)
    asked, scratch = json.loads(sys.argv[1]), Path(sys.argv[2])
    found = [largest(kind, name, scratch / str(place)) for place, (kind, name) in enumerate(asked)]
    sys.stdout.write(json.dumps({"found": found, "warnings": kept.messages}))


if __name__ == "__main__":
    main()
