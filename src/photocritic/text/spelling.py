"""British spellings of words that photographers use, as American ones: one word should count once."""

import re
from functools import lru_cache

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
    """Give a lemma in American spelling: colour -> color, grey -> gray; others stay as they are."""
    return _WORDS.get(lemma) or (_OUR.sub(r"\1or", lemma) if "our" in lemma else lemma)
