"""The bundled sample: photograph-like scenes rendered from a seed, with the comments people might write under them.

Every scene is decided first (`plan`), then painted as layers (`subjects`, with what `canvas` and `outdoors` offer),
taken as a photograph (`camera`), and written about (`text`). No file is read and nothing is downloaded.
"""

from photocritic.sample.export import write
from photocritic.sample.montage import montage
from photocritic.sample.scene import Scene, generate
from photocritic.sample.scene_plan import ATTRIBUTES
from photocritic.sample.text.attribute_phrases import mentions
from photocritic.sample.text.comments import Comment

__all__ = ["ATTRIBUTES", "Comment", "Scene", "generate", "mentions", "montage", "write"]
