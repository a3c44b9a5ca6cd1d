"""Train the bundled English pipeline: python -m tools.language.train EWT_FOLDER OUT [--ner UNER_FOLDER]."""

import argparse
import io
import logging
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as train_loop
from spacy.util import load_config

from photocritic.core import logs
from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_dir
from photocritic.text import components, perceptron, words
from tools.language import scores, treebank
from tools.language.listeners import ENTITIES, PARSING, add_component
from tools.language.perceptron import learn

log = logging.getLogger(__name__)
CONFIG = Path(__file__).with_name("pipeline.cfg")
_SEED = 7
_META = {
    "name": "photocritic",
    "version": "2.0.0",
    "description": "English tagger, lemmatizer, parser and entity recogniser for web comments",
    "license": "CC BY-SA 4.0",
    "sources": [
        {
            "name": "Universal Dependencies English EWT",
            "url": "https://github.com/UniversalDependencies/UD_English-EWT",
            "license": "CC BY-SA 4.0",
            "author": "Silveira et al. 2014 and the English Web Treebank's contributors",
        },
        {
            "name": "Universal NER English EWT",
            "url": "https://www.universalner.org",
            "license": "CC BY-SA 4.0",
            "author": "Mayhew et al. 2024",
        },
    ],
}

_LICENSE = """\
These weights derive from Universal Dependencies English EWT and Universal NER's annotations over it,
and are licensed under Creative Commons Attribution-ShareAlike 4.0 International (CC BY-SA 4.0),
https://creativecommons.org/licenses/by-sa/4.0/. See the project's NOTICE file.
"""


def train(corpus: Path, out: Path, ner: Path | None = None, max_steps: int | None = None) -> dict[str, float]:
    """Train on the treebank's train file, select on dev, report on test; entities are learnt from dev.

    Parameters
    ----------
    corpus : Path
        A folder with train.conllu, dev.conllu and test.conllu (Universal Dependencies).
    out : Path
        The folder for the pipeline; replaced as a whole when training has ended well. No file in it is a pickle.
    ner : Path, optional
        A folder with Universal NER's en_ewt-ud-dev.iob2 and en_ewt-ud-test.iob2; without it, there is no recogniser.
    max_steps : int, optional
        Updates of the taggers; the configuration's by default. Where it is given, parser and recogniser see the texts
        but once.

    Returns
    -------
    dict of str to float
        What `scores.accuracies` and `scores.entities` measure on the test file, as written and, with the suffix
        _lower, in lower case; and what the fast tagger reaches, with the prefix fast_.

    Raises
    ------
    CorpusError
        A file is missing or cannot be read.
    """
    sentences = treebank.load(corpus / "train.conllu")
    nlp = _train_shared(sentences, treebank.load(corpus / "dev.conllu"), max_steps)
    parsing, recognising = (plan if max_steps is None else plan._replace(passes=1) for plan in (PARSING, ENTITIES))
    add_component(nlp, parsing, treebank.with_vocab(nlp.vocab, treebank.grouped(sentences)), _SEED)
    if ner is not None:
        annotated = treebank.with_entities(nlp.vocab, corpus / "dev.conllu", ner / "en_ewt-ud-dev.iob2")
        add_component(nlp, recognising, annotated, _SEED)
    found = evaluate(nlp, corpus / "test.conllu", ner / "en_ewt-ud-test.iob2" if ner else None)
    weights = learn(treebank.for_perceptron(sentences))
    test = treebank.load(corpus / "test.conllu")
    found |= {f"fast_{name}": value for name, value in scores.perceptron(weights, test).items()}
    nlp.config["paths"].update(train=None, dev=None)  # of this machine
    nlp.meta.update(_META, performance={name: round(value, 4) for name, value in found.items()})
    with atomic_dir(out) as folder:
        nlp.to_disk(folder)
        perceptron.save(weights, folder / perceptron.FILE)
        words.write_lexicon([(token.text, token.tag_, token.lemma_) for doc in sentences for token in doc], folder)
        (folder / "LICENSE").write_text(_LICENSE)
    return found


def evaluate(nlp: Language, test: Path, annotated: Path | None) -> dict[str, float]:
    """Measure a pipeline on a test file, and on the entities annotated over it (see `train`)."""
    gold = treebank.with_vocab(nlp.vocab, treebank.load(test))
    found = scores.accuracies(nlp, gold)
    found |= {f"{name}_lower": value for name, value in scores.accuracies(nlp, gold, lower=True).items()}
    if annotated is not None:
        found |= scores.entities(nlp, treebank.with_entities(nlp.vocab, test, annotated))
    return found


def _train_shared(sentences: Sequence[Doc], dev: Sequence[Doc], max_steps: int | None) -> Language:
    """Train the word vectors that everything shares, with the tags and lemmas that they are made for."""
    with tempfile.TemporaryDirectory() as work:
        treebank.save(sentences, Path(work) / "train.spacy")
        treebank.save(dev, Path(work) / "dev.spacy")
        overrides: dict[str, object] = {"paths.train": f"{work}/train.spacy", "paths.dev": f"{work}/dev.spacy"}
        if max_steps is not None:
            overrides |= {"training.max_steps": max_steps, "training.eval_frequency": max(1, max_steps // 2)}
        nlp = init_nlp(load_config(CONFIG, overrides=overrides | {"system.seed": _SEED}))
        shared: Any = nlp.get_pipe("tok2vec")
        components.set_known_forms(shared.model, treebank.repeated_words(sentences))
        runs = Path(work) / "runs"
        runs.mkdir()
        train_loop(nlp, runs, stdout=sys.stderr, stderr=io.StringIO())
        return spacy.load(runs / "model-best")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, help="folder with train.conllu, dev.conllu and test.conllu")
    parser.add_argument("out", type=Path, help="folder for the trained pipeline")
    parser.add_argument("--ner", type=Path, default=None, help="folder with Universal NER's files over dev and test")
    parser.add_argument("--max-steps", type=int, default=None, help="updates, at most (default: pipeline.cfg's)")
    options = parser.parse_args(arguments)
    logs.setup()
    try:
        found = train(options.corpus, options.out, options.ner, options.max_steps)
    except PhotocriticError as error:
        log.error("%s", error)
        return 1
    for name, value in sorted(found.items()):
        log.info("%s %.4f", name, value)
    return 0


if __name__ == "__main__":
    sys.exit(main())
