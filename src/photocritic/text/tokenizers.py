"""Tokenizers: one for captions, as captioners and metrics read them, and one for tagging."""

import re

# One alternative a kind of token, tried in this order. What none matches (punctuation, white space) is passed over.
_CAPTION = re.compile(
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
    return [word.replace("’", "'") for word in _CAPTION.findall(text.lower()) if len(word) == 1 or word[0] not in ":;="]
