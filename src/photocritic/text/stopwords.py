"""English function words, which carry no content of their own."""

# Written as the words stand after tokenisation, lower-case: clitics ("n't", "'s") and their apostrophe-less spellings
# in web comments ("dont") included.
_PRONOUNS = """i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she
her hers herself it its itself they them their theirs themselves one ones what which who whom whose whatever whichever
whoever this that these those someone somebody something anyone anybody anything everyone everybody everything none
nobody nothing other others another each ya u ur"""
_DETERMINERS = "a an the some any no every either neither both all such same own enough few many much more most"
_PREPOSITIONS = """about above across after against along among around as at before behind below beneath beside besides
between beyond by despite down during except for from in inside into like near of off on onto out outside over past per
since than through throughout till to toward towards under underneath until unto up upon via with within without"""
_CONJUNCTIONS = """and but or nor so yet if because although though unless while whereas whether that when whenever
where wherever why how"""
_AUXILIARIES = """be am is are was were been being have has had having do does did doing done can could may might must
shall should will would ought need let get gets got getting gonna wanna"""
_CLITICS = """'s 're 've 'll 'd 'm n't ’s ’re ’ve ’ll ’d ’m n’t s t d ll m re ve nt ca wo ai im ive id dont doesnt didnt
isnt wasnt arent cant couldnt wouldnt shouldnt wont havent hasnt thats theres its"""
_ADVERBS = """not too very just also only then there here now again further once ever never always often sometimes maybe
perhaps really quite rather even still already almost however therefore thus else well yes oh ok okay please"""

PREPOSITIONS = frozenset(_PREPOSITIONS.split())
STOPWORDS = frozenset(
    " ".join([_PRONOUNS, _DETERMINERS, _PREPOSITIONS, _CONJUNCTIONS, _AUXILIARIES, _CLITICS, _ADVERBS]).split()
)
