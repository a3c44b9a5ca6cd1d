"""The vocabulary of a captioner: its words and their numbers."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from photocritic.core.errors import TrainingError
from photocritic.core.files import atomic_file
from photocritic.text import MARKS

SPECIAL = ("<pad>", "<bos>", "<eos>", "<unk>")
PAD, BOS, EOS, UNK = range(len(SPECIAL))

_BEFORE_MARK = re.compile(rf"\  (?= (?: {MARKS} ) (?: \  | \Z ))", re.VERBOSE)


@dataclass(frozen=True)
class Vocabulary:
    """Words by number; the special ones (padding, begin, end, unknown) come first.

    Attributes
    ----------
    words : tuple of str
        The ordinary words; the first has the number ``len(SPECIAL)``.
    """

    words: tuple[str, ...]

    @classmethod
    def build(cls, counts: Mapping[str, int], min_count: int, size: int) -> "Vocabulary":
        """Keep the most frequent words.

        Parameters
        ----------
        counts : mapping of str to int
            How often each word occurs in the training captions.
        min_count : int
            Rarer words become unknown.
        size : int
            Ordinary words to keep at most.

        Returns
        -------
        Vocabulary
            By falling count, and by spelling where counts are equal.

        Raises
        ------
        TrainingError
            No word is left.
        """
        frequent = [(-count, word) for word, count in counts.items() if count >= min_count and word not in SPECIAL]
        if not frequent:
            raise TrainingError(
                f"vocabulary: none of {len(counts)} words occurs {min_count} times in the training captions; "
                "lower lstm_train.min_count or bring more captions"
            )
        return cls(tuple(word for _, word in sorted(frequent)[:size]))

    @classmethod
    def of(cls, captions: Iterable[Sequence[str]], min_count: int = 1, size: int = 10_000) -> "Vocabulary":
        """Build a vocabulary from tokenised captions held in memory."""
        return cls.build(Counter(word for caption in captions for word in caption), min_count, size)

    def __len__(self) -> int:
        return len(SPECIAL) + len(self.words)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, start=len(SPECIAL))}

    def encode(self, words: Iterable[str]) -> list[int]:
        """Return the words' numbers; unknown ones become `UNK`."""
        return [self._numbers.get(word, UNK) for word in words]

    def decode(self, numbers: Iterable[int]) -> list[str]:
        """Return the words up to the end mark; other special numbers are left out."""
        words = []
        for number in numbers:
            if number == EOS:
                break
            if number >= len(SPECIAL):
                words.append(self.words[number - len(SPECIAL)])
        return words

    def save(self, path: Path) -> None:
        """Write the vocabulary as JSON."""
        with atomic_file(path) as temporary:
            temporary.write_text(json.dumps({"words": self.words}, ensure_ascii=False, indent=0) + "\n", "utf-8")

    @classmethod
    def load(cls, path: Path) -> "Vocabulary":
        """Read a vocabulary that `save` wrote.

        Raises
        ------
        TrainingError
            The file is missing or is not a vocabulary.
        """
        try:
            words = json.loads(path.read_text("utf-8"))["words"]
        except FileNotFoundError:
            raise TrainingError(f"{path}: no such vocabulary; run the stage lstm_train (dvc repro)") from None
        except (ValueError, KeyError, TypeError) as error:
            raise TrainingError(f"{path}: not a vocabulary ({error}); run the stage lstm_train again") from None
        if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
            raise TrainingError(f"{path}: 'words' must be a list of strings; run the stage lstm_train again")
        if len(set(words)) != len(words):
            raise TrainingError(f"{path}: a word stands twice; run the stage lstm_train again")
        return cls(tuple(words))


def join_tokens(tokens: Iterable[str]) -> str:
    """Return the text of a caption's tokens: single spaces between words, none before a punctuation mark."""
    return _BEFORE_MARK.sub("", " ".join(tokens))
