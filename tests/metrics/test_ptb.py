"""The words of the COCO caption evaluation."""

import pytest

from photocritic.metrics import ptb
from photocritic.text import caption_tokens

pytestmark = pytest.mark.skipif(bool(ptb.missing()), reason="Java or pycocoevalcap is not installed")

ODD = [
    "",
    "  ",
    "....",
    "A dog's ball -- it doesn't roll!",
    "line\nbreak",
    "naïve café 日本 🌅 übér",
    "(in brackets) [x] {y}",
    "50% off & f/8 ... $5 #1 |||",
    "can't cannot gonna",
    "it's; that: \"quoted\" 'x' `y`",
    "U.S. e.g. 1/4 3.5 10,000",
    "last",
]


def test_equals_the_reference_implementation(coco, monkeypatch):
    reference = pytest.importorskip("pycocoevalcap.tokenizer.ptbtokenizer")
    monkeypatch.setenv("PATH", str(ptb.java.find().executable.parent), prepend=":")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")  # it writes in the locale's encoding
    texts = ODD + [text for some in list(coco.values())[:400] for text in some]
    expected = reference.PTBTokenizer().tokenize({i: [{"caption": text}] for i, text in enumerate(texts)})
    monkeypatch.setenv("LC_ALL", "C")
    assert [" ".join(words) for words in ptb.ptb_tokens(texts)] == [expected[i][0] for i in range(len(texts))]


def test_a_caption_is_one_line_whatever_it_holds():
    assert ptb.ptb_tokens(["a\u2028b\r\nc\x85d", "e"]) == [["a", "b", "c", "d"], ["e"]]
    assert ptb.ptb_tokens([]) == []


def test_the_tokenizer_without_java_gives_nearly_always_the_same(coco):
    texts = [text for some in list(coco.values())[:400] for text in some]
    pairs = zip(ptb.ptb_tokens(texts), map(caption_tokens, texts), strict=True)
    assert sum(one != other for one, other in pairs) <= len(texts) // 500
