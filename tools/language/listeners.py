"""Teaching a tagged pipeline to parse and to recognise entities, without changing what it knows."""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.training.augment import create_lower_casing_augmenter
from spacy.training.batchers import minibatch_by_words
from thinc.api import Adam, fix_random_seed, warmup_linear

from photocritic.text import embed

_LOWERED = 0.3  # share of the texts that are seen in lower case, as in pipeline.cfg
_WIDTH = 96


class Lesson(NamedTuple):
    """How a component is taught.

    Attributes
    ----------
    component : {"parser", "ner"}
        spaCy's factory, and the component's name.
    rows : list of int
        Sizes of its own tables of word features (`embed.affix_embed`).
    depth : int
        Layers of its own network: how many words to either side it sees.
    passes : int
        How often all documents are seen.
    words : int
        Words in an update.
    learn_rate, dropout : float
        At first, and throughout.
    settings : dict
        Further settings of the component.
    """

    component: str
    rows: list[int]
    depth: int
    passes: int
    words: int
    learn_rate: float
    dropout: float
    settings: dict[str, Any]


PARSING = Lesson("parser", [4000, 300, 1500, 800, 1500, 2500, 600], 3, 6, 600, 0.002, 0.2, {"min_action_freq": 20})
# A dev file has but a thousand entities: few passes, much dropout.
ENTITIES = Lesson("ner", [2000, 200, 1000, 500, 1000, 2000, 500], 2, 10, 400, 0.001, 0.4, {})


def teach(nlp: Language, lesson: Lesson, docs: Sequence[Doc], seed: int) -> None:
    """Add a component that listens to the shared word vectors, left as they are, and learns small ones of its own.

    Parameters
    ----------
    nlp : spacy.language.Language
        A trained pipeline with a tok2vec component; gets the new one at its end.
    lesson : Lesson
        What is taught, and how.
    docs : sequence of spacy.tokens.Doc
        Annotated documents.
    seed : int
        Decides order, dropout and first weights.
    """
    fix_random_seed(seed)
    shared: Any = nlp.get_pipe("tok2vec")
    frozen = nlp.pipe_names
    model = _architecture(lesson, shared.model.get_dim("nO"))
    pupil: Any = nlp.add_pipe(lesson.component, config={"model": model, **lesson.settings})
    examples = [_example(nlp, doc) for doc in docs]
    pupil.initialize(lambda: examples, nlp=nlp)
    embed.know_alike(pupil.model, shared.model)
    updates = lesson.passes * sum(map(len, docs)) // lesson.words
    rate: Any = warmup_linear(lesson.learn_rate, min(100, updates // 4), updates + 1)
    optimizer = Adam(rate, L2=0.01, grad_clip=1.0, use_averages=True)
    lowered, shuffle = create_lower_casing_augmenter(_LOWERED), random.Random(seed).shuffle
    for _ in range(lesson.passes):
        shuffle(examples)
        seen = [variant for example in examples for variant in lowered(nlp, example)]
        for batch in minibatch_by_words(seen, lesson.words):
            nlp.update(batch, sgd=optimizer, drop=lesson.dropout, exclude=frozen, annotates=["tok2vec"])
            optimizer.step_schedules()
    _average(pupil.model, optimizer)


def _example(nlp: Language, doc: Doc) -> Example:
    bare = Doc(nlp.vocab, words=[token.text for token in doc], spaces=[bool(token.whitespace_) for token in doc])
    return Example(bare, doc)


def _average(model: Any, optimizer: Any) -> None:
    """Set each parameter to its average over all updates."""
    for layer in model.walk():
        for name in layer.param_names:
            if (average := optimizer.averages.get((layer.id, name))) is not None:
                layer.set_param(name, average)


def _architecture(lesson: Lesson, shared_width: int) -> dict[str, Any]:
    own = {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {"@architectures": "photocritic.AffixEmbed.v1", "width": _WIDTH, "rows": lesson.rows},
        "encode": {
            "@architectures": "spacy.MaxoutWindowEncoder.v2",
            "width": _WIDTH,
            "depth": lesson.depth,
            "window_size": 1,
            "maxout_pieces": 3,
        },
    }
    return {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": lesson.component,
        "extra_state_tokens": False,
        "hidden_width": 64,
        "maxout_pieces": 2,
        "use_upper": True,
        "tok2vec": {
            "@architectures": "photocritic.SharedAndOwn.v1",
            "shared": {"@architectures": "spacy.Tok2VecListener.v1", "width": shared_width},
            "own": own,
        },
    }
