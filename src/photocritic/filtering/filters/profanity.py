"""Texts with profane or pornographic words."""

import re
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from photocritic.config import Block
from photocritic.core.errors import ParamsError
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.filter_interface import Filter, Verdicts

PROFANE = "profanity"

# What stands on the list but is innocent in most captions of photographs.
_ALLOWED = """breasts cowgirl cowgirls dummy erect erection facial fat flange gay gays god hell hemp heroin hitler
homey hooch hump humped jerk kill knob kraut len loin loins lust lusty maxi meth muff murder nappy nazi
nazism opiate opium oral orally organ ovary ovum pastie pasty pawn pee penetrate peyote playboy pot
potty prude punky quicky racy rectum rectus reefer reich revue rum rump ruski sandbar screw seaman
seamen sissy slave slope snatch sniper souse soused steamy strip stroke stupid suck tampon tawdry teat
thrust thug tinkle toots tramp ugly undies unwed urinal uterus uzi virgin vixen vodka vulgar weed whiz
willies willy womb woody"""
_LEET = str.maketrans({"@": "a", "4": "a", "1": "i", "!": "i", "0": "o", "3": "e", "$": "s", "5": "s", "7": "t"})
_WORD = re.compile(r"[^\W_][\w@!$*]*")


class Profanity(Filter):
    """Rejects texts with words or phrases of a list of profanities, digits for letters included."""

    paper = "CC 3"
    reasons = (PROFANE,)
    rejects_styled = True

    class Options(Block):
        """The list: a file with a word or phrase a line, or that of the package better-profanity; and exceptions."""

        file: str = ""
        allowed: tuple[str, ...] = tuple(_ALLOWED.split())

    options: Options

    def judge(self, batch: CommentBatch) -> Verdicts:
        """Judge by single words and by phrases."""
        return Verdicts([PROFANE if self._profane(text) else "" for text in batch.texts])

    @cached_property
    def _list(self) -> tuple[frozenset[str], frozenset[str], int]:
        """The words, the phrases, and the number of words in the longest phrase."""
        entries = {" ".join(_WORD.findall(line.lower())) for line in self._file().read_text("utf-8").splitlines()}
        entries -= {"", *map(str.lower, self.options.allowed)}
        words = frozenset(entry for entry in entries if " " not in entry)
        phrases = frozenset(entries - words)
        return words, phrases, max((phrase.count(" ") + 1 for phrase in phrases), default=0)

    def _file(self) -> Path:
        if self.options.file:
            path = Path(self.options.file)
            if not path.is_file():
                raise ParamsError(f"profanity.file: there is no file '{path}'; give a text file with a word a line")
            return path
        return Path(str(files("better_profanity") / "profanity_wordlist.txt"))

    def _profane(self, text: str) -> bool:
        words, phrases, longest = self._list
        found = _WORD.findall(text.lower())
        if any(word in words or (not word.isalpha() and word.translate(_LEET) in words) for word in found):
            return True
        spans = (" ".join(found[at : at + n]) for n in range(2, longest + 1) for at in range(len(found) - n + 1))
        return any(span in phrases for span in spans)
