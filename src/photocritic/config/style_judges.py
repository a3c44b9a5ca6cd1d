"""The section style_judges: the models that recognise styles, for augment and evaluate alike."""

from photocritic.config.values import Positive, Pretrained, Rate, Section


class StyleJudgesParams(Section):
    """ERG 3.2 and 4.4: a classifier and a language model of each style."""

    classifier: Pretrained
    epochs: Positive
    batch_size: Positive
    learning_rate: Rate
