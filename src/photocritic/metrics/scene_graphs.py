"""SPICE's scene graphs of captions, made by its own Java classes inside this process."""

import logging
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from photocritic.core.errors import MetricError
from photocritic.metrics import java
from photocritic.metrics.metric import Tokens
from photocritic.metrics.spice_jars import JARS, folder

JAR = "spice/spice-1.0.jar"
_LIBRARIES = "spice/lib"
# Java leaves the signals to Python (-Xrs), needs no screen, and lets JPype call in (older ones know no such option).
_OPTIONS = ("-Xmx4G", "-Xrs", "-Djava.awt.headless=true", "--enable-native-access=ALL-UNNAMED")
_BATCH = 500  # captions parsed at once

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Agreement:
    """How far a caption's tuples are those of a reference; all between 0 and 1."""

    f: float
    precision: float
    recall: float


class SceneGraphs:
    """Parses captions once, and compares the tuples of their scene graphs (SPICE section 3).

    A scene graph is made of objects, attributes and relations that a dependency parse shows; words of the same WordNet
    synset are one. Captions are parsed in batches; what a caption says is remembered, so that references are parsed
    once for all captioners.

    References
    ----------
    Anderson et al. 2016, SPICE: Semantic Propositional Image Caption Evaluation, section 3.
    """

    def __init__(self) -> None:
        self._jpype = _start()
        spice = self._jpype.JPackage("edu").anu.spice
        self._graph, self._tuples, self._evaluation = spice.SceneGraph, spice.TupleSet, spice.Evaluation
        self._parser = spice.SpiceParser(None, os.cpu_count() or 1, True)
        # Its public method would parse every reference again for every captioner.
        self._parse = spice.SpiceParser.class_.getDeclaredMethod("generateTuples", self._class("java.util.List").class_)
        self._parse.setAccessible(True)
        synonyms = spice.SpiceParser.class_.getDeclaredField("synonyms")
        synonyms.setAccessible(True)
        self._synonyms = synonyms.get(self._parser)
        self._said = self._class("java.util.HashMap")()

    def learn(self, captions: Iterable[Tokens]) -> None:
        """Parse the captions that are new.

        Raises
        ------
        MetricError
            The parser failed, such as for want of memory.
        """
        texts = {" ".join(words) for words in captions}
        new = sorted(text for text in texts if not self._said.containsKey(text))
        for start in range(0, len(new), _BATCH):
            batch = self._class("java.util.ArrayList")(new[start : start + _BATCH])
            try:
                self._said.putAll(self._parse.invoke(self._parser, batch))
            except self._jpype.JException as error:
                raise MetricError(f"SPICE: its parser failed: {error}") from error
            log.info("SPICE: parsed %d of %d new captions", min(start + _BATCH, len(new)), len(new))

    def compare(self, caption: Tokens, references: Sequence[Tokens]) -> Agreement:
        """Compare a caption with the one scene graph of all these references (SPICE Eq. 2-4)."""
        found = self._evaluation(self._tuple_set([caption]), self._tuple_set(references), False, True)
        return Agreement(float(found.f), float(found.pr), float(found.re))

    def forget(self) -> None:
        """Forget all that was parsed."""
        self._said.clear()

    def _tuple_set(self, captions: Sequence[Tokens]) -> Any:
        graph = self._graph(self._synonyms, True)
        for words in captions:
            for one in self._said.get(" ".join(words)):
                graph.addTuple(one)
        return self._tuples(graph)

    def _class(self, name: str) -> Any:
        return self._jpype.JClass(name)


def _start() -> Any:
    """Start the one Java machine that this process can have, with SPICE's classes, and give the way to it."""
    import jpype

    if not jpype.isJVMStarted():
        runtime = java.find()
        if runtime is None or runtime.library is None:
            raise MetricError(f"SPICE: no Java runtime with a library to load ({java.EXTRA})")
        program, libraries = java.programs(JAR, _LIBRARIES)
        jars = [program, *sorted(libraries.glob("*.jar")), *(folder() / name for name in JARS)]
        try:
            jpype.startJVM(
                *_OPTIONS, jvmpath=str(runtime.library), classpath=list(map(str, jars)), ignoreUnrecognized=True
            )
        except (OSError, RuntimeError) as error:
            raise MetricError(f"SPICE: Java at {runtime.home} does not start: {error}") from error
        _silence(jpype)
    return jpype


def _silence(jpype: Any) -> None:
    """Keep the parser's chatter about what it loads out of the logs; its failures come as exceptions."""
    io = jpype.JPackage("java").io
    jpype.JClass("java.lang.System").setErr(io.PrintStream(io.OutputStream.nullOutputStream()))
