"""A fast tokenizer: one regular expression that cuts as the English Web Treebank does."""

import re

# One alternative a kind of token, tried in this order; nearly every token is found by "words" or "single marks". The
# last line takes any other character, so that nothing but white space is lost. No line can run away on hostile texts.
_TOKEN = re.compile(
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

words = _TOKEN.findall
"""Split a text into its words, clitics and marks, as written; joined, they are the text without white space."""
