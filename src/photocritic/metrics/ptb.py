"""The COCO caption evaluation's own words: Stanford's PTBTokenizer, run by Java."""

import re
import subprocess
from collections.abc import Sequence

from photocritic.core.errors import MetricError
from photocritic.metrics import java

_JAR = "tokenizer/stanford-corenlp-3.4.1.jar"
_CLASS = "edu.stanford.nlp.process.PTBTokenizer"
_LINE_ENDS = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")  # the tokenizer would start another caption at these

# The tokens that the COCO caption evaluation leaves out; symbols such as % and & stay.
PUNCTUATION = frozenset(
    ["''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--", "...", ";"]
)


def missing() -> str:
    """Return what has to be installed before `ptb_tokens` can run; empty where nothing is missing."""
    return java.missing(_JAR)


def ptb_tokens(texts: Sequence[str]) -> list[list[str]]:
    """Split captions into lower-case Penn Treebank tokens without punctuation.

    Equals `pycocoevalcap.tokenizer.ptbtokenizer`, whatever the locale.

    Parameters
    ----------
    texts : sequence of str
        Any number of captions; a line end counts as a space.

    Returns
    -------
    list of list of str
        The tokens of each caption.

    Raises
    ------
    MetricError
        Java or the tokenizer is not installed, or it failed.
    """
    runtime, hint = java.find(), missing()
    if runtime is None or hint:
        raise MetricError(f"evaluate.tokenizer: ptb is not installed ({hint}); simple needs no Java")
    if not texts:
        return []
    jar = str(java.programs(_JAR)[0])
    command = [str(runtime.executable), "-cp", jar, _CLASS, "-preserveLines", "-lowerCase", "-encoding", "UTF-8"]
    lines = "".join(_LINE_ENDS.sub(" ", text) + "\n" for text in texts)
    done = subprocess.run(command, input=lines.encode("utf-8", "replace"), capture_output=True, check=False)
    found = done.stdout.decode("utf-8").split("\n")[: len(texts)]
    if done.returncode != 0 or len(found) != len(texts):
        said = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise MetricError(f"the PTB tokenizer gave {len(found)} lines for {len(texts)} captions: {said}")
    return [[word for word in line.split() if word not in PUNCTUATION] for line in found]
