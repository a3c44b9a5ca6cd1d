"""Training a parser and an entity recogniser on top of a trained tagger, whose weights stay as they are."""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.training.augment import create_lower_casing_augmenter
from spacy.training.batchers import minibatch_by_words
from thinc.api import Adam, fix_random_seed, warmup_linear

from photocritic.text import components

_LOWERED = 0.3  # share of the texts that are seen in lower case, as in pipeline.cfg
_WIDTH = 96


class Plan(NamedTuple):
    """How a component is trained.

    Attributes
    ----------
    component : {"parser", "ner"}
        spaCy's factory, and the component's name.
    rows : list of int
        Sizes of its own tables of word features (`components.affix_embed`).
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


PARSING = Plan("parser", [4000, 300, 1500, 800, 1500, 2500, 600], 3, 6, 600, 0.002, 0.2, {"min_action_freq": 20})
# A dev file has but a thousand entities: few passes, much dropout.
ENTITIES = Plan("ner", [2000, 200, 1000, 500, 1000, 2000, 500], 2, 10, 400, 0.001, 0.4, {})


def add_component(nlp: Language, plan: Plan, docs: Sequence[Doc], seed: int) -> None:
    """Train a component that reads the shared word vectors, left as they are, beside small ones of its own.

    Parameters
    ----------
    nlp : spacy.language.Language
        A trained pipeline with a tok2vec component; the new one is added at its end.
    plan : Plan
        Which component is trained, and how.
    docs : sequence of spacy.tokens.Doc
        Annotated documents.
    seed : int
        Decides order, dropout and first weights.
    """
    fix_random_seed(seed)
    shared: Any = nlp.get_pipe("tok2vec")
    frozen = nlp.pipe_names
    model = _architecture(plan, shared.model.get_dim("nO"))
    added: Any = nlp.add_pipe(plan.component, config={"model": model, **plan.settings})
    examples = [_example(nlp, doc) for doc in docs]
    added.initialize(lambda: examples, nlp=nlp)
    components.copy_known_forms(added.model, shared.model)
    updates = plan.passes * sum(map(len, docs)) // plan.words
    rate: Any = warmup_linear(plan.learn_rate, min(100, updates // 4), updates + 1)
    optimizer = Adam(rate, L2=0.01, grad_clip=1.0, use_averages=True)
    lowered, shuffle = create_lower_casing_augmenter(_LOWERED), random.Random(seed).shuffle
    for _ in range(plan.passes):
        shuffle(examples)
        seen = [variant for example in examples for variant in lowered(nlp, example)]
        for batch in minibatch_by_words(seen, plan.words):
            nlp.update(batch, sgd=optimizer, drop=plan.dropout, exclude=frozen, annotates=["tok2vec"])
            optimizer.step_schedules()
    _average(added.model, optimizer)


def _example(nlp: Language, doc: Doc) -> Example:
    bare = Doc(nlp.vocab, words=[token.text for token in doc], spaces=[bool(token.whitespace_) for token in doc])
    return Example(bare, doc)


def _average(model: Any, optimizer: Any) -> None:
    """Set each parameter to its average over all updates."""
    for layer in model.walk():
        for name in layer.param_names:
            if (average := optimizer.averages.get((layer.id, name))) is not None:
                layer.set_param(name, average)


def _architecture(plan: Plan, shared_width: int) -> dict[str, Any]:
    own = {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {"@architectures": "photocritic.AffixEmbed.v1", "width": _WIDTH, "rows": plan.rows},
        "encode": {
            "@architectures": "spacy.MaxoutWindowEncoder.v2",
            "width": _WIDTH,
            "depth": plan.depth,
            "window_size": 1,
            "maxout_pieces": 3,
        },
    }
    return {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": plan.component,
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
