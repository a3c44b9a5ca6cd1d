"""Which nouns of WordNet name what a photograph can show, on a small WordNet."""

import pytest

from tools.language.physical_nouns import _MORE, physical_nouns, read

# Synset, words, hyponyms. The roots stand where the tool looks for them.
SYNSETS = [
    ("01", ["object"], ["11", "12", "16"]), ("02", ["matter"], []), ("03", ["people"], []), ("04", ["gathering"], []),
    ("05", ["animal_group"], []), ("06", ["vegetation"], []), ("07", ["atmospheric_phenomenon"], []),
    ("08", ["cloud"], []), ("09", ["fire"], []), ("10", ["rainbow"], []), ("11", ["location"], ["13", "14", "20"]),
    ("12", ["dog", "Rex", "dog_house"], []), ("13", ["tract"], ["15"]), ("14", ["geographical_area"], []),
    ("15", ["field"], []), ("16", ["photograph"], []), ("17", ["idea"], []), ("18", ["thing"], []),
    ("19", ["white"], []), ("20", ["place"], []),
]  # fmt: skip
SENSES = {
    "thing": ["17"] * 11 + ["18"],
    "fire": ["17", "17", "09"],
    "matter": ["17", "17", "02"],
    "field": ["15", "17"],
}
USES = [("field%1:15::", "15", 1), ("field%1:17::", "17", 20), ("dog%1:05::", "12", 9)]


@pytest.fixture
def folder(tmp_path):
    def write(name, lines):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in ["  1 its licence", *lines]), encoding="ascii")

    data = []
    for synset, words, under in SYNSETS:
        pointers = "".join(f" ~ {other} n 0000" for other in under)
        data.append(f"{synset} 03 n {len(words):02x} {' 0 '.join(words)} 0 {len(under):03d}{pointers} | a ~ 17 gloss")
    write("data.noun", data)
    known = {word.lower(): [synset] for synset, words, _ in SYNSETS for word in words} | SENSES
    write("index.noun", [f"{word} n {len(s)} 0 {len(s)} 0 {' '.join(s)}" for word, s in known.items()])
    uses = [*USES, ("white%3:00::", "99", 30)]
    write("index.sense", [f"{key} {synset} 1 {count}" for key, synset, count in uses])
    return tmp_path


def test_what_is_under_the_roots_is_found_by_its_most_frequent_senses(folder):
    found = [word for word in physical_nouns(read(folder)) if word not in {*_MORE.split()}]
    assert found == ["cloud", "dog", "gathering", "people", "rainbow", "tract", "vegetation"]
