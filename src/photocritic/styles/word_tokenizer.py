"""A tokenizer over a corpus's own words, of the same class as the pretrained ones."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

Words = Sequence[str]

PAD, UNKNOWN, CLS, SEP = "[PAD]", "[UNK]", "[CLS]", "[SEP]"


def word_tokenizer(sentences: Iterable[Words], min_count: int = 2) -> Any:
    """Make a tokenizer whose tokens are whole words.

    It is a transformers tokenizer, so that models trained here and models loaded by name are fed by the same code.

    Parameters
    ----------
    sentences : iterable of sequence of str
        Lower-case words.
    min_count : int
        Rarer words become [UNK].

    Returns
    -------
    transformers.PreTrainedTokenizerFast
        Without a template: special tokens are added by whoever builds the input.
    """
    import transformers
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel

    counts = Counter(word for sentence in sentences for word in sentence)
    words = sorted(word for word, count in counts.items() if count >= min_count)
    vocabulary = {word: index for index, word in enumerate(dict.fromkeys([PAD, UNKNOWN, CLS, SEP, *words]))}
    tokenizer: Any = transformers.PreTrainedTokenizerFast
    return tokenizer(
        tokenizer_object=Tokenizer(WordLevel(vocabulary, unk_token=UNKNOWN)),
        pad_token=PAD,
        unk_token=UNKNOWN,
        cls_token=CLS,
        sep_token=SEP,
        clean_up_tokenization_spaces=False,
    )


def word_pieces(tokenizer: Any, sentences: Sequence[Words]) -> list[list[list[int]]]:
    """Return the token ids of each word of each sentence: one a word from a word tokenizer, maybe more from another."""
    if not sentences:
        return []
    encoded = tokenizer(
        [list(words) for words in sentences], is_split_into_words=True, add_special_tokens=False, verbose=False
    )
    pieces: list[list[list[int]]] = []
    for row, words in enumerate(sentences):
        grouped: list[list[int]] = [[] for _ in words]
        for token, word in zip(encoded["input_ids"][row], encoded.word_ids(row), strict=True):
            if word is not None:
                grouped[word].append(token)
        pieces.append(grouped)
    return pieces
