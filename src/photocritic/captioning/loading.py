"""Reading a trained captioner, whichever kind it is, from its folder."""

from pathlib import Path

from photocritic.captioning import bundle, pretrained
from photocritic.captioning.source import CaptionSource


def load(folder: Path) -> CaptionSource:
    """Read what `photocritic.captioning.train` wrote, onto the accelerator where there is one.

    Raises
    ------
    TrainingError
        A file is missing, damaged, or does not fit the others.
    """
    if pretrained.is_one(folder):
        return pretrained.load(folder)
    return bundle.load(folder)
