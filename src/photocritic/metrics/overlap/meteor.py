"""METEOR 1.5 (Denkowski and Lavie 2014), by the Java program that the COCO caption evaluation runs."""

import logging
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, ClassVar

import numpy as np

from photocritic.core.errors import MetricError
from photocritic.metrics import java
from photocritic.metrics.metric import Captions, Column, Metric, References, Scores, Tokens

_FILES = ("meteor/meteor-1.5.jar", "meteor/data/paraphrase-en.gz")
_BETWEEN = " ||| "
# One thread collects and nothing is compiled twice: the program lives for seconds, most of them spent loading.
_OPTIONS = ("-Xmx2G", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
_PATIENCE = 10.0  # seconds that the program has to end by itself

log = logging.getLogger(__name__)


class Meteor(Metric):
    """METEOR 1.5 with exact, stem, synonym and paraphrase matches; equal to `pycocoevalcap.meteor.Meteor`.

    Loading its table of paraphrases takes the program seconds; it is started once and serves any number of calls, until
    `close`. The corpus value is not the mean over images: the counts of all images are added up first.

    References
    ----------
    Denkowski and Lavie 2014, Meteor Universal: Language Specific Translation Evaluation for Any Target Language.
    """

    label = "METEOR"
    place = 2
    columns: ClassVar = {"meteor": Column(label, "METEOR 1.5: exact, stem, synonym and paraphrase matches")}

    @classmethod
    def missing(cls) -> str:
        """Return what has to be installed: a Java runtime and pycocoevalcap."""
        return java.missing(*_FILES)

    def __init__(self) -> None:
        self._program: _Program | None = None

    def _score(self, candidates: Captions, references: References) -> Scores:
        if not len(references):
            return Scores.mean("meteor", np.zeros(0))
        if self._program is None:
            log.info("METEOR: loading its paraphrases")
            self._program = _Program()
        pairs = zip(candidates.tokens, references.captions, strict=True)
        counts = self._program.ask([_pair(caption, some) for caption, some in pairs])
        *images, corpus = self._program.ask([_BETWEEN.join(["EVAL", *counts])], answers=len(counts) + 1)
        return Scores({"meteor": float(corpus)}, {"meteor": np.array([float(score) for score in images])})

    def close(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.close()
            self._program = None


def _pair(caption: Tokens, references: Sequence[Tokens]) -> str:
    """Write the question for one image: its references, then its caption."""
    texts = [" ".join(words).replace("|||", "") for words in [*references, caption]]
    return _BETWEEN.join(["SCORE", *(" ".join(text.split()) for text in texts)])


class _Program:
    """The running Java program: lines in, lines out; it ends when its input does, even if this process is killed."""

    def __init__(self) -> None:
        runtime = java.find()
        if runtime is None:
            raise MetricError(f"METEOR: not installed ({java.EXTRA})")
        jar, paraphrases = java.programs(*_FILES)
        # -a: it would find them by itself, but not in a folder with a space in its path.
        asked = ("-", "-", "-stdio", "-l", "en", "-norm", "-a", str(paraphrases))
        command = [str(runtime.executable), *_OPTIONS, "-jar", jar.name, *asked]
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - close() ends it; a pipe nobody reads would block the program
        self._process = _start(command, jar.parent, self._complaints)

    def ask(self, questions: Sequence[str], answers: int | None = None) -> list[str]:
        """Send lines while the answers are read; `answers` is their number where it is not one a question."""
        sender = threading.Thread(target=self._send, args=(questions,), daemon=True)
        sender.start()
        try:
            return [self._answer() for _ in range(len(questions) if answers is None else answers)]
        except BaseException:
            self._process.kill()  # else the sender might wait for ever to be read
            raise
        finally:
            sender.join()

    def close(self) -> None:
        """End the program, by force where it does not end by itself."""
        try:
            self._process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
        self._complaints.close()

    def _send(self, questions: Sequence[str]) -> None:
        stream = self._process.stdin
        assert stream is not None
        try:
            for question in questions:
                stream.write(question.encode("utf-8", "replace") + b"\n")
            stream.flush()
        except BrokenPipeError:
            pass  # the reader meets the end of the answers and tells why

    def _answer(self) -> str:
        stream = self._process.stdout
        assert stream is not None
        line = stream.readline().decode("utf-8", "replace").strip()
        if line and not line.startswith("Error"):
            return line
        self._complaints.seek(0)
        said = line or self._complaints.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise MetricError(f"METEOR's program stopped answering: {said or 'it ended without a word'}")


def _start(command: Sequence[str], folder: Path, complaints: IO[bytes]) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints, bufsize=1 << 16
        )
    except OSError as error:
        raise MetricError(f"METEOR: {command[0]} cannot be run: {error}") from error
