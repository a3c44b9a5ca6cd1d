"""English words: what splits texts into them, and lists of them (function words, American spellings, a lexicon)."""

import re
from functools import cache, lru_cache
from pathlib import Path

BUNDLED = Path(__file__).parent / "data" / "en_photocritic"  # the bundled pipeline
_LEXICON = "lexicon.txt"
_NOT_WORDS = ("NNP", "FW", "ADD", "GW", "SYM", "LS", "AFX", "NFP")

# Function words, which carry no content of their own, as they stand after tokenization, in lower case: clitics ("n't",
# "'s") and their spellings without apostrophe in web comments ("dont") included.
_PRONOUNS = """i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she
her hers herself it its itself they them their theirs themselves one ones what which who whom whose whatever whichever
whoever this that these those someone somebody something anyone anybody anything everyone everybody everything none
nobody nothing other others another each ya u ur"""
_DETERMINERS = "a an the some any no every either neither both all such same own enough few many much more most"
_PREPOSITIONS = """about above across after against along among around as at before behind below beneath beside besides
between beyond by despite down during except for from in inside into like near of off on onto out outside over past per
since than through throughout till to toward towards under underneath until unto up upon via with within without"""
_CONJUNCTIONS = """and but or nor so yet if because although though unless while whereas whether that when whenever
where wherever why how"""
_AUXILIARIES = """be am is are was were been being have has had having do does did doing done can could may might must
shall should will would ought need let get gets got getting gonna wanna"""
_CLITICS = """'s 're 've 'll 'd 'm n't ’s ’re ’ve ’ll ’d ’m n’t s t d ll m re ve nt ca wo ai im ive id dont doesnt didnt
isnt wasnt arent cant couldnt wouldnt shouldnt wont havent hasnt thats theres its"""
_ADVERBS = """not too very just also only then there here now again further once ever never always often sometimes maybe
perhaps really quite rather even still already almost however therefore thus else well yes oh ok okay please"""

PREPOSITIONS = frozenset(_PREPOSITIONS.split())
STOPWORDS = frozenset(
    " ".join([_PRONOUNS, _DETERMINERS, _PREPOSITIONS, _CONJUNCTIONS, _AUXILIARIES, _CLITICS, _ADVERBS]).split()
)

# British spellings of words that photographers use: one word should count once.
_OUR = re.compile(
    r"\b(arm|behavi|cand|clam|col|endeav|fav|ferv|flav|harb|hon|hum|lab|neighb|od|parl|rum|sav|splend|vap|vig)our"
)
_WORDS = {
    "aeroplane": "airplane", "aluminium": "aluminum", "analogue": "analog", "centre": "center", "cosy": "cozy",
    "defence": "defense", "fibre": "fiber", "grey": "gray", "jewellery": "jewelry", "kerb": "curb", "lustre": "luster",
    "metre": "meter", "mould": "mold", "moustache": "mustache", "plough": "plow", "programme": "program",
    "pyjamas": "pajamas", "sceptre": "scepter", "spectre": "specter", "theatre": "theater", "tyre": "tire",
}  # fmt: skip


@lru_cache(maxsize=1 << 16)
def american(lemma: str) -> str:
    """Return a lemma in American spelling: colour -> color, grey -> gray; others stay as they are."""
    return _WORDS.get(lemma) or (_OUR.sub(r"\1or", lemma) if "our" in lemma else lemma)


@cache
def known_words(pipeline: Path | None = None) -> frozenset[str]:
    """Return lower-case English word forms: common words of web texts, without names, numbers and foreign words.

    Parameters
    ----------
    pipeline : Path, optional
        A pipeline's folder; the bundled one by default.
    """
    return frozenset(((pipeline or BUNDLED) / _LEXICON).read_text(encoding="utf-8").split()) | STOPWORDS


def write_lexicon(words: list[tuple[str, str, str]], pipeline: Path) -> None:
    """Write the word forms of (form, tag, lemma) triples beside a pipeline."""
    english = [(form, lemma) for form, tag, lemma in words if lemma and not tag.startswith(_NOT_WORDS)]
    forms = {spelling.lower() for pair in english for spelling in pair if spelling.isalpha()}
    (pipeline / _LEXICON).write_text("\n".join(sorted(forms)) + "\n", encoding="utf-8")


# One alternative a kind of token, tried in this order. What none matches (punctuation, white space) is passed over.
_CAPTION = r"""
      [:;=] ['o-]? -* [dpox0-9()\[\]|/\\*<>@$]+ (?! \w )            # emoticons
    | (?: https?:// | www\. ) [^\s<>"]+ [\w/]                      # links
    | [\w.+-]{1,64} @ [\w-]+ (?: \. [\w-]+ )+                          # addresses
    | can (?= not \b )                                             # "can not" out of cannot
    | (?: gon | wan ) (?= na \b ) | got (?= ta \b ) | gim (?= me \b ) | lem (?= me \b )
    | [^\W\d_]+? (?= n['’]t \b ) | n['’]t \b                       # "do n't"
    | (?: d' | o' | y' | l' ) (?= [^\W\d_]{3} ) [^\W\d_]+          # o'clock, d'art
    | ['’] (?: s | m | d | ll | re | ve ) \b                       # clitics
    | ['’] (?: em | tis | twas | cause | til | n | \d0s ) \b       # words that begin with an apostrophe
    | (?: [^\W\d_] \. ){2,}                                        # u.s., e.g., i.e.
    | (?: mr | mrs | ms | dr | st | jr | sr | vs | approx ) \. (?= \s* [^\s] ) | etc \.
    | [^\W_]+ (?: / [^\W_]+ )+                                     # and/or, 1/4, f/8
    | [-+]? \.? \d+ (?: [.,:] \d+ ){0,9} (?: - [^\W_]+ ){0,9} (?: st | nd | rd | th | s | d )? (?! [^\W_] )  # numbers
    | [^\W_]+ (?: & [^\W_]+ )+                                     # b&w
    | \w+ (?: - \w+ )* (?: \. (?: com | net | org | jpg ) \b )?    # words, compounds
    | [%$£€&\#@*+=/\\°^~|<>½¼¾×_]                                  # symbols that the evaluation keeps
    """
MARKS = r"\.\.\. | [.,!?;:]"  # a verbose pattern
_WORDS_ONLY = re.compile(_CAPTION, re.VERBOSE)
_WORDS_AND_MARKS = re.compile(f"{_CAPTION} | {MARKS}", re.VERBOSE)
# As above; nearly every token is found by "words" or "single marks". The last line takes any other character, so that
# nothing but white space is lost. No line can run away on hostile texts.
_TAGGED = re.compile(
    r"""
      (?: Mrs? | Ms | [DMSJ]r | St | vs | etc | approx ) \.        # titles and abbreviations
    | [cC]an (?= not\b ) | [gG]on (?= na\b ) | [gG]ot (?= ta\b ) | [wW]an (?= na\b )
    | [^\W\d_]+ (?! [^\W\d_] | ['’@_\d] | \.\w | :// | /\d )       # words, whole
    | [.,!?] (?! [.!?\d] )                                         # single marks
    | (?: https?:// | www\. ) [^\s<>"]* [\w/]                      # links
    | \w [\w.+-]{0,63} @ [\w-]+ (?: \. \w+ )+                      # addresses
    | (?: [^\W\d_] \. ){2,8} (?! \w )                              # U.S., e.g.
    | [^\W_]+? (?= [nN]['’][tT]\b )  | [nN]['’][tT]\b              # do n't
    | ['’] (?: [sSmMdD] | ll | re | ve | LL | RE | VE ) \b         # clitics
    | [oO]['’]clock\b
    | [a-zA-Z] /+ \d+ (?: \. \d+ )?                                # f/2.8
    | [#@]? \w{1,63} (?: \. (?: com | net | org | edu | jpg ) \b ) # sites and files
    | \d+ (?: [.,:/-] \d+ )* [^\W_]*                               # numbers: 1/250, 10:30, 50mm, 2nd
    | [^\W_]+                                                      # mp3, and words before an apostrophe
    | [:;=8] ['o-]? [()\[\]DPpOo3/\\|*]+ (?! \w ) | <3+            # emoticons
    | \.{2,} | [!?]{2,} | -{2,} | \*+ | _+ | ~+ | =+
    | \S
    """,
    re.VERBOSE,
)

split_for_tagging = _TAGGED.findall
"""Split a text into its words, clitics and marks, as written; joined, they are the text without white space."""


def caption_tokens(text: str, punctuation: bool = False) -> list[str]:
    """Split a caption into lower-case Penn Treebank tokens, as a rule without punctuation.

    Follows the tokenizer of the COCO caption evaluation (Stanford's PTBTokenizer and a list of punctuation to remove).

    Parameters
    ----------
    text : str
        One caption, of one or more sentences.
    punctuation : bool
        Whether ". , ! ? ; :" and "..." are tokens, too.

    Returns
    -------
    list of str
        Its tokens; empty where there is nothing but punctuation.

    Examples
    --------
    >>> caption_tokens("The dog's ball -- it doesn't roll!")
    ['the', 'dog', "'s", 'ball', 'it', 'does', "n't", 'roll']
    """
    found = (_WORDS_AND_MARKS if punctuation else _WORDS_ONLY).findall(text.lower())
    return [word.replace("’", "'") for word in found if len(word) == 1 or word[0] not in ":;="]
