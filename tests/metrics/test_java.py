"""Finding Java, and what is said where it is not."""

import os
import shutil

import pytest

from photocritic.core.errors import MetricError
from photocritic.metrics import PURE, Captions, References, Suite, choose, java, missing

WORDS = Captions([["a", "dog"]]), References([[["a", "dog"]]])


@pytest.fixture
def fake_java(tmp_path, monkeypatch):
    """Put a shell script in the place of Java."""

    def make(script, home="java"):
        program = tmp_path / home / "bin" / "java"
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path / home))
        return tmp_path / home

    return make


def test_java_home_comes_first_and_a_wrong_one_is_passed_over(fake_java, monkeypatch, tmp_path):
    home = fake_java("exit 0")
    assert java.find() == java.Java(home)
    monkeypatch.setattr(java, "_folder", lambda package: None)
    monkeypatch.setenv("PATH", str(home / "bin"))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    assert java.find() == java.Java(home.resolve())
    monkeypatch.setenv("PATH", str(tmp_path))
    assert java.find() is None


def test_without_java_the_other_metrics_remain(monkeypatch):
    monkeypatch.setattr(java, "find", lambda: None)
    assert choose("auto") == list(PURE)
    assert "pip install" in missing("meteor")
    with pytest.raises(MetricError, match="meteor is not installed"):
        choose(["bleu", "meteor"])


def test_chosen_metrics_come_once_and_in_order():
    assert choose(["cider_d", "bleu", "cider_d"]) == ["bleu", "cider_d"]


def test_spice_without_its_jars_says_what_to_run(monkeypatch, tmp_path):
    if missing("meteor"):
        pytest.skip("Java is not installed")
    monkeypatch.setenv("PHOTOCRITIC_SPICE", str(tmp_path))
    assert missing("spice") == "make spice"


def test_a_program_that_dies_is_an_error_with_its_last_words(fake_java):
    if not java.programs("meteor/meteor-1.5.jar")[0].is_file():
        pytest.skip("pycocoevalcap is not installed")
    fake_java("echo starting >&2; echo OutOfMemoryError: heap >&2; exit 3")
    with (
        pytest.raises(MetricError, match="stopped answering: OutOfMemoryError: heap"),
        Suite(["meteor"]) as it,
    ):
        it.score(*WORDS)


def test_an_answer_that_is_an_error_does_not_leave_the_program_behind(fake_java, tmp_path):
    if not java.programs("meteor/meteor-1.5.jar")[0].is_file():
        pytest.skip("pycocoevalcap is not installed")
    fake_java(f"echo $$ > {tmp_path}/pid; echo Error: specify hypothesis; exec cat > {tmp_path}/heard")
    many = Captions([["a", "dog"] * 50] * 3000), References([[["a", "dog"] * 50]] * 3000)  # more than a pipe holds
    with pytest.raises(MetricError, match="Error: specify hypothesis"), Suite(["meteor"]) as suite:
        suite.score(*many)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_library_is_found_beside_the_runtime(tmp_path):
    assert java.Java(tmp_path).library is None
    (tmp_path / "lib" / "server").mkdir(parents=True)
    (tmp_path / "lib" / "server" / "libjvm.so").touch()
    assert java.Java(tmp_path).library == tmp_path / "lib" / "server" / "libjvm.so"


@pytest.mark.skipif(not shutil.which("sh"), reason="needs a shell")
def test_jars_of_another_content_are_not_kept(tmp_path, monkeypatch):
    from photocritic.metrics import spice_jars

    maven = tmp_path / "mvn"
    maven.write_text(
        '#!/bin/sh\nfor a; do case $a in -DoutputD*) echo x > "${a#*=}/stanford-corenlp-3.6.0.jar";; esac; done\n'
    )
    maven.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(MetricError, match=r"3\.6\.0\.jar has SHA-256 [0-9a-f]{64}, not d341"):
        spice_jars.fetch(tmp_path / "jars")
    assert list((tmp_path / "jars").iterdir()) == []
