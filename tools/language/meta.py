"""What the trained pipeline says of itself."""

META = {
    "name": "photocritic",
    "version": "2.0.0",
    "description": "English tagger, lemmatizer, parser and entity recogniser for web comments",
    "license": "CC BY-SA 4.0",
    "sources": [
        {
            "name": "Universal Dependencies English EWT",
            "url": "https://github.com/UniversalDependencies/UD_English-EWT",
            "license": "CC BY-SA 4.0",
            "author": "Silveira et al. 2014 and the English Web Treebank's contributors",
        },
        {
            "name": "Universal NER English EWT",
            "url": "https://www.universalner.org",
            "license": "CC BY-SA 4.0",
            "author": "Mayhew et al. 2024",
        },
    ],
}

LICENSE = """\
These weights derive from Universal Dependencies English EWT and Universal NER's annotations over it,
and are licensed under Creative Commons Attribution-ShareAlike 4.0 International (CC BY-SA 4.0),
https://creativecommons.org/licenses/by-sa/4.0/. See the project's NOTICE file.
"""
