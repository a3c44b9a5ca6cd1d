"""Captions as word lists: what captioners learn from and what metrics compare."""

import re

# One alternative a kind of token, tried in this order; what none matches (punctuation, white space) is passed over.
_TOKEN = re.compile(
    r"""
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
    """,
    re.VERBOSE,
)


def caption_tokens(text: str) -> list[str]:
    """Split a caption into lower-case Penn Treebank tokens without punctuation.

    Follows the tokenizer of the COCO caption evaluation (Stanford's PTBTokenizer and a list of punctuation to remove).

    Parameters
    ----------
    text : str
        One caption, of one or more sentences.

    Returns
    -------
    list of str
        Its tokens; empty where there is nothing but punctuation.

    Examples
    --------
    >>> caption_tokens("The dog's ball -- it doesn't roll!")
    ['the', 'dog', "'s", 'ball', 'it', 'does', "n't", 'roll']
    """
    return [word.replace("’", "'") for word in _TOKEN.findall(text.lower()) if len(word) == 1 or word[0] not in ":;="]
