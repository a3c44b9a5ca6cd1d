"""Decoding: from the scores of the next word to whole captions, over many images at once.

`decode` searches as the options say; `sample` draws several captions an image. Neither tracks gradients nor changes the
model's mode.
"""

from photocritic.captioning.decoding.beam import decode
from photocritic.captioning.decoding.choice import Decoded
from photocritic.captioning.decoding.walk import keys_of, sample
from photocritic.config import Decoding

__all__ = ["Decoded", "Decoding", "decode", "keys_of", "sample"]
