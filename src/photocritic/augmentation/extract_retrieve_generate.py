"""Extract, retrieve, generate: the extractor, the retriever and the generator, trained and applied in their order."""

import numpy as np

from photocritic.augmentation.acceptance import Candidate
from photocritic.augmentation.augmentation_dataset import AugmentationDataset
from photocritic.augmentation.generator import CaptionGenerator
from photocritic.augmentation.phrase_extraction import Extracted, Head, choose_head, extract, take_apart
from photocritic.augmentation.train_generator import PRETRAINING, GeneratorDataset, train_generator
from photocritic.config import AugmentParams
from photocritic.retrieval.retriever import Retriever, make
from photocritic.styles.judges import Judges
from photocritic.styles.styled_captions import Caption
from photocritic.styles.train_classifier import SMALL, language_recipe
from photocritic.training.recipe import TrainingRun


class ExtractRetrieveGenerate:
    """Writes stylised captions with an extractor, a retriever and a generator (ERG section 3).

    Parameters
    ----------
    params : AugmentParams
        The section `augment` of params.yaml.
    judges : Judges
        The classifiers and language models of styles.
    run : TrainingRun
        Seed of all that is random, and checkpoint and tracking of the generator's training.

    Attributes
    ----------
    curves : dict of str to list of dict
        Learning curves, for plots; after `train`.
    checkpoints : list of Path
        The checkpoint files.
    """

    def __init__(self, params: AugmentParams, judges: Judges, run: TrainingRun) -> None:
        self._params, self._run = params, run
        self._classifiers = judges.classifiers
        self.checkpoints = [run.checkpoint, run.phase(PRETRAINING).checkpoint]
        self.curves: dict[str, list[dict[str, float]]] = {}
        self._heads: dict[str, Head] = {}
        self._generator: CaptionGenerator

    def train(self, train: AugmentationDataset, held_out: AugmentationDataset) -> dict[str, float]:
        """Choose the extractor's heads, and train the generator.

        Returns
        -------
        dict of str to float
            What was measured on the held-out captions.
        """
        metrics = {}
        for style, classifier in self._classifiers.items():
            head = choose_head(classifier, train.words(style), self._params.extract_share, self._run.seed)
            self._heads[style] = head
            metrics[f"{style}_confidence"] = head.confidence
        return metrics | self._fit_generator(train, held_out)

    def candidates(self, train: AugmentationDataset) -> list[Candidate]:
        """Retrieve scenes for the images that are to be written about, and generate a caption from each.

        Returns
        -------
        list of Candidate
            Sorted by image, style and way of retrieval; the nearest scene first. Where several ways lead to one style
            phrase for an image, the most similar stays.
        """
        retriever = make(self._params.retriever)
        retriever.fit(train.scenes(train.factual), [caption.words for caption in train.styled])
        retrieved = [candidate for style in train.styles() for candidate in self._retrieve(train, style, retriever)]
        prompts = self._generator.prompts([c.phrase for c in retrieved], [c.factual for c in retrieved])
        written = self._generator.generate(prompts)
        found = [
            Candidate(c.image_id, c.style, c.phrase, c.factual, c.retrieval, c.similarity, caption)
            for c, caption in zip(retrieved, written, strict=True)
        ]
        return sorted(found, key=lambda c: (c.image_id, c.style, retriever.ways.index(c.retrieval), -c.similarity))

    def _fit_generator(self, train: AugmentationDataset, held_out: AugmentationDataset) -> dict[str, float]:
        params = self._params
        recipe = language_recipe(
            "caption generator", params.epochs, params.batch_size, params.learning_rate, self._run.seed
        )
        self._generator, history = train_generator(
            params.generator,
            self._dataset(train),
            self._dataset(held_out),
            self._pretraining(train),
            [caption.words for caption in (*train.styled, *train.factual)],
            recipe,
            self._run,
        )
        self.curves["generator"] = history.rows()
        return {"generator_loss": history.best["val_loss"]} if "val_loss" in history.best else {}

    def _dataset(self, captions: AugmentationDataset) -> GeneratorDataset:
        known = [caption for caption in captions.styled if caption.style in self._heads]
        return GeneratorDataset(self._extract(known), [caption.words for caption in known])

    def _pretraining(self, train: AugmentationDataset) -> GeneratorDataset:
        """Return factual captions taken apart at random, for a generator that is not pretrained.

        From few stylised captions alone it would hardly learn to copy its prompt and to write.
        """
        if self._params.generator != SMALL:
            return GeneratorDataset([], [])
        random = np.random.default_rng(self._run.seed)
        factual = [caption.words for caption in train.factual]
        parts = [take_apart(words, random.random(len(words)), self._params.extract_share) for words in factual]
        return GeneratorDataset(parts, factual)

    def _extract(self, captions: list[Caption]) -> list[Extracted]:
        parts: dict[int, Extracted] = {}
        for style, head in self._heads.items():
            rows = [row for row, caption in enumerate(captions) if caption.style == style]
            words = [captions[row].words for row in rows]
            found = extract(self._classifiers[style], words, head, self._params.extract_share)
            parts |= dict(zip(rows, found, strict=True))
        return [parts[row] for row in range(len(captions))]

    def _retrieve(self, train: AugmentationDataset, style: str, retriever: Retriever) -> list[Candidate]:
        known = [caption for caption in train.styled if caption.style == style]
        phrases = [part.phrase for part in self._extract(known)]
        queries = train.queries(style, self._params.images, self._run.seed)
        retriever.index(train.scenes(known))
        answers = retriever.retrieve(train.scenes(queries), self._params.neighbours)
        best: dict[tuple[str, tuple[str, ...]], Candidate] = {}
        for way in retriever.ways:
            for query, neighbours in zip(queries, answers[way], strict=True):
                for near in neighbours:
                    key = (query.image_id, phrases[near.row])
                    if key not in best or near.similarity > best[key].similarity:
                        best[key] = Candidate(
                            query.image_id, style, phrases[near.row], query.words, way, near.similarity, ()
                        )
        return list(best.values())
