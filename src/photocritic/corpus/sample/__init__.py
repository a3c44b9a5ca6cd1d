"""The bundled sample: photograph-like scenes rendered from a seed, with the comments people might write under them.

Every scene is decided first (`plan`), then painted as layers (`subjects`, with what `canvas` and `outdoors` offer),
taken as a photograph (`camera`), and written about (`text`). No file is read and nothing is downloaded.
"""

from photocritic.corpus.sample.export import write
from photocritic.corpus.sample.montage import montage
from photocritic.corpus.sample.plan import ATTRIBUTES
from photocritic.corpus.sample.scene import Scene, generate
from photocritic.corpus.sample.text.comments import Comment
from photocritic.corpus.sample.text.lexicon import mentions

__all__ = ["ATTRIBUTES", "Comment", "Scene", "generate", "mentions", "montage", "write"]
