"""Train the bundled English pipeline: python -m photocritic.language.train UD_FOLDER OUT."""

import argparse
import io
import logging
import sys
import tempfile
from collections import defaultdict
from itertools import chain
from pathlib import Path

import spacy
from spacy.tokens import Doc, DocBin
from spacy.training import Corpus
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as train_loop
from spacy.util import load_config
from spacy.vocab import Vocab

from photocritic import logs
from photocritic.errors import PhotocriticError
from photocritic.files import atomic_dir
from photocritic.language import components as _components  # noqa: F401 - makes the lemmatizer known to spaCy
from photocritic.language import conllu, lexicon
from photocritic.language.fast import weights
from photocritic.language.fast.learn import learn
from photocritic.language.tags import coarse

log = logging.getLogger(__name__)
CONFIG = Path(__file__).with_name("pipeline.cfg")
META = {
    "name": "photocritic",
    "version": "1.0.0",
    "description": "English tagger and lemmatizer for web comments",
    "license": "CC BY-SA 4.0",
    "sources": [
        {
            "name": "Universal Dependencies English EWT",
            "url": "https://github.com/UniversalDependencies/UD_English-EWT",
            "license": "CC BY-SA 4.0",
            "author": "Silveira et al. 2014 and the English Web Treebank's contributors",
        }
    ],
}


def train(treebank: Path, out: Path, max_steps: int | None = None) -> dict[str, float]:
    """Train on the treebank's train file, select on dev, report on test.

    Parameters
    ----------
    treebank : Path
        A folder with train.conllu, dev.conllu and test.conllu (Universal Dependencies).
    out : Path
        The folder for the pipeline; replaced as a whole when training has ended well. No file in it is a pickle.
    max_steps : int, optional
        Updates; the configuration's by default.

    Returns
    -------
    dict of str to float
        Accuracies on the test file: tag_acc; coarse_acc (common noun, adjective, adverb, other); broad_acc (the same,
        with names among the nouns); lemma_acc, without regard to case; noun_lemma_acc (plural common nouns); and each
        in lower case with the suffix _lower.

    Raises
    ------
    CorpusError
        A file is missing or not CoNLL-U.
    """
    with tempfile.TemporaryDirectory() as work:
        for part in ("train", "dev", "test"):
            _docbin(treebank / f"{part}.conllu").to_disk(Path(work) / f"{part}.spacy")
        overrides: dict[str, object] = {"paths.train": f"{work}/train.spacy", "paths.dev": f"{work}/dev.spacy"}
        if max_steps is not None:
            overrides |= {"training.max_steps": max_steps, "training.eval_frequency": max(1, max_steps // 2)}
        nlp = init_nlp(load_config(CONFIG, overrides=overrides))
        runs = Path(work) / "runs"
        runs.mkdir()
        train_loop(nlp, runs, stdout=sys.stderr, stderr=io.StringIO())
        best = spacy.load(runs / "model-best")
        scores = evaluate(best, Path(work) / "test.spacy")
    best.config["paths"].update(train=None, dev=None)  # where the training data lay is nobody's concern
    best.meta.update(META, performance={name: round(value, 4) for name, value in scores.items()})
    with atomic_dir(out) as folder:
        best.to_disk(folder)
        weights.save(learn(_sentences(treebank / "train.conllu")), folder / weights.FILE)
        lexicon.write(_words(treebank / "train.conllu"), folder)
        (folder / "LICENSE").write_text(
            "These weights derive from Universal Dependencies English EWT and are licensed under\n"
            "Creative Commons Attribution-ShareAlike 4.0 International (CC BY-SA 4.0),\n"
            "https://creativecommons.org/licenses/by-sa/4.0/. See the project's NOTICE file.\n"
        )
    return scores


def evaluate(nlp: spacy.language.Language, docbin: Path) -> dict[str, float]:
    """Measure a pipeline on gold documents, as written and in lower case (see `train`)."""
    gold = list(Corpus(docbin)(nlp))
    scores: dict[str, float] = {}
    for suffix, lower in (("", False), ("_lower", True)):
        right = defaultdict[str, list[bool]](list)
        references = [example.reference for example in gold]
        texts = (doc.text.lower() if lower else doc.text for doc in references)
        for reference, predicted in zip(references, nlp.pipe(texts), strict=True):
            alignment = {token.idx: token for token in predicted}
            for token in reference:
                found = alignment.get(token.idx)
                if found is None or len(found) != len(token):
                    continue  # spaCy's tokenizer cut differently: not the tagger's doing
                right["tag_acc"].append(found.tag_ == token.tag_)
                right["coarse_acc"].append(coarse(found.tag_) == coarse(token.tag_))
                right["broad_acc"].append(_broad(found.tag_) == _broad(token.tag_))
                if token.lemma_:
                    right["lemma_acc"].append(found.lemma_.lower() == token.lemma_.lower())
                if token.lemma_ and token.tag_ == "NNS":
                    right["noun_lemma_acc"].append(found.lemma_ == token.lemma_.lower())
        scores |= {name + suffix: sum(hits) / len(hits) for name, hits in right.items()}
    return scores


def _broad(tag: str) -> str:
    return "NOUN" if tag.startswith("NN") else coarse(tag)


def _docbin(path: Path) -> DocBin:
    vocab, docs = Vocab(), DocBin(attrs=["ORTH", "TAG", "LEMMA", "SPACY"])
    for sentence in conllu.read(path):
        docs.add(Doc(vocab, words=sentence.words, spaces=sentence.spaces, tags=sentence.tags, lemmas=sentence.lemmas))
    return docs


def _words(path: Path) -> list[tuple[str, str, str]]:
    return [triple for sentence in conllu.read(path) for triple in sentence.triples()]


def _sentences(path: Path) -> list[list[tuple[str, str]]]:
    """Give tagged sentences as written, and in lower case by threes: comments are sloppily cased and of any length."""
    written = [list(zip(sentence.words, sentence.tags, strict=True)) for sentence in conllu.read(path)]
    lower = [[(word.lower(), tag) for word, tag in sentence] for sentence in written]
    return written + [list(chain.from_iterable(lower[i : i + 3])) for i in range(0, len(lower), 3)]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; gives the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebank", type=Path, help="folder with train.conllu, dev.conllu and test.conllu")
    parser.add_argument("out", type=Path, help="folder for the trained pipeline")
    parser.add_argument("--max-steps", type=int, default=None, help="updates, at most (default: pipeline.cfg's)")
    options = parser.parse_args(arguments)
    logs.setup()
    try:
        scores = train(options.treebank, options.out, options.max_steps)
    except PhotocriticError as error:
        log.error("%s", error)
        return 1
    for name, value in sorted(scores.items()):
        log.info("%s %.4f", name, value)
    return 0


if __name__ == "__main__":
    sys.exit(main())
