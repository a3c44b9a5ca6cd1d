"""The parts of Extract-Retrieve-Generate, trained in their order and then put to work."""

from pathlib import Path

import numpy as np

from photocritic.augmentation import learning as generation
from photocritic.augmentation.acceptance import Candidate
from photocritic.augmentation.extraction import Extracted, Head, choose_head, extract, take_apart
from photocritic.augmentation.generator import CaptionGenerator
from photocritic.augmentation.learning import Lessons
from photocritic.augmentation.material import Material
from photocritic.config import AugmentParams
from photocritic.retrieval.scenes import RETRIEVALS, SceneRetriever, SceneSpace
from photocritic.styles import learning as classification
from photocritic.styles.captions import Caption
from photocritic.styles.judges import Judges
from photocritic.training.loop import OnEpoch, Plan


class Framework:
    """Extractor, retriever, generator, and what judges them.

    Parameters
    ----------
    params : AugmentParams
        The section `augment` of params.yaml.
    judges : Judges
        The classifier and language models of styles.
    seed : int
        Seed of all that is random.
    checkpoint : Path
        Beginning of the checkpoints' names.
    key : str
        What the outcome depends on, so that a checkpoint of other inputs is not taken up.
    on_epoch : callable, optional
        Called after each epoch of the generator's training.

    Attributes
    ----------
    curves : dict of str to list of dict
        Learning curves, for plots; after `fit`.
    checkpoints : list of Path
        The checkpoint files.
    """

    def __init__(
        self,
        params: AugmentParams,
        judges: Judges,
        seed: int,
        checkpoint: Path,
        key: str,
        on_epoch: OnEpoch | None = None,
    ) -> None:
        self._params, self._seed, self._key, self._on_epoch = params, seed, key, on_epoch
        self.classifier, self.models = judges.classifier, judges.models
        generator = checkpoint.with_name(f"{checkpoint.name}-generator")
        self.checkpoints = [generator, generation.practice_checkpoint(generator)]
        self.curves: dict[str, list[dict[str, float]]] = {}
        self._heads: dict[str, Head] = {}
        self._generator: CaptionGenerator

    def fit(self, train: Material, held_out: Material) -> dict[str, float]:
        """Choose the extractor's heads, and train the generator.

        Returns
        -------
        dict of str to float
            What was measured on the held-out captions.
        """
        metrics = {}
        for style in self.models:
            head = choose_head(self.classifier, train.words(style), style, self._params.extract_share, self._seed)
            self._heads[style] = head
            metrics[f"{style}_confidence"] = head.confidence
        return metrics | self._fit_generator(train, held_out)

    def candidates(self, train: Material) -> list[Candidate]:
        """Retrieve scenes for the images that are to be written about, and generate a caption from each.

        Returns
        -------
        list of Candidate
            Sorted by image, style and way of retrieval; the nearest scene first. Where several ways lead to one style
            phrase for an image, the most similar stays.
        """
        space = SceneSpace(train.scenes(train.factual), [caption.words for caption in train.styled])
        retrieved = [candidate for style in train.styles() for candidate in self._retrieve(train, style, space)]
        prompts = self._generator.prompts([c.phrase for c in retrieved], [c.factual for c in retrieved])
        written = self._generator.generate(prompts)
        found = [
            Candidate(c.image_id, c.style, c.phrase, c.factual, c.retrieval, c.similarity, caption)
            for c, caption in zip(retrieved, written, strict=True)
        ]
        return sorted(found, key=lambda c: (c.image_id, c.style, RETRIEVALS.index(c.retrieval), -c.similarity))

    def _fit_generator(self, train: Material, held_out: Material) -> dict[str, float]:
        params = self._params
        plan = Plan(
            "caption generator", params.epochs, params.batch_size, self._seed, grad_clip=classification.GRAD_CLIP
        )
        self._generator, history = generation.train(
            params.generator,
            self._lessons(train),
            self._lessons(held_out),
            self._practice(train),
            [caption.words for caption in (*train.styled, *train.factual)],
            plan,
            params.learning_rate,
            self.checkpoints[0],
            key=self._key,
            on_epoch=self._on_epoch,
        )
        self.curves["generator"] = history.rows()
        return {"generator_loss": history.best["val_loss"]} if "val_loss" in history.best else {}

    def _lessons(self, material: Material) -> Lessons:
        known = [caption for caption in material.styled if caption.style in self._heads]
        return Lessons(self._extract(known), [caption.words for caption in known])

    def _practice(self, train: Material) -> Lessons:
        """Give, to a generator without pretraining, factual captions taken apart at random.

        From few stylised captions alone it would hardly learn to copy its prompt and to speak.
        """
        if self._params.generator != classification.SMALL:
            return Lessons([], [])
        random = np.random.default_rng(self._seed)
        factual = [caption.words for caption in train.factual]
        parts = [take_apart(words, random.random(len(words)), self._params.extract_share) for words in factual]
        return Lessons(parts, factual)

    def _extract(self, captions: list[Caption]) -> list[Extracted]:
        parts: dict[int, Extracted] = {}
        for style, head in self._heads.items():
            rows = [row for row, caption in enumerate(captions) if caption.style == style]
            words = [captions[row].words for row in rows]
            parts |= dict(zip(rows, extract(self.classifier, words, head, self._params.extract_share), strict=True))
        return [parts[row] for row in range(len(captions))]

    def _retrieve(self, train: Material, style: str, space: SceneSpace) -> list[Candidate]:
        known = [caption for caption in train.styled if caption.style == style]
        phrases = [part.phrase for part in self._extract(known)]
        queries = train.queries(style, self._params.images, self._seed)
        answers = SceneRetriever(space, train.scenes(known)).search(train.scenes(queries), self._params.neighbours)
        best: dict[tuple[str, tuple[str, ...]], Candidate] = {}
        for way in RETRIEVALS:
            for query, neighbours in zip(queries, answers[way], strict=True):
                for near in neighbours:
                    key = (query.image_id, phrases[near.row])
                    if key not in best or near.similarity > best[key].similarity:
                        best[key] = Candidate(
                            query.image_id, style, phrases[near.row], query.words, way, near.similarity, ()
                        )
        return list(best.values())
