"""Words that decide what an unknown name stands for: closed lists, since no list of names can be complete."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Occupations and relations that stand before a person's name and become part of it.
ROLES = _words(
    """actor actress artist architect athlete author ballerina baritone bassist blogger boxer broadcaster businessman
    businesswoman captain celebrity chairman champion chef choreographer coach comedian composer conductor cricketer
    cyclist dancer designer director dj driver drummer entertainer entrepreneur explorer filmmaker footballer
    forward frontman goalkeeper golfer guitarist gymnast historian host illustrator inventor jockey journalist
    lawyer leader manager mayor midfielder minister model monarch musician novelist painter pianist photographer player
    playwright poet politician pop president presenter producer quarterback racer rapper reporter runner saxophonist
    scientist sculptor senator singer skater skier soldier songwriter soprano sprinter star striker surfer swimmer
    skateboarder teacher tenor trumpeter violinist vocalist winger writer"""
)
# Titles that are capitalised and belong to the name.
TITLES = _words(
    """mr mr. mrs mrs. ms ms. miss dr dr. prof prof. professor sir dame lord lady king queen prince princess duke
    duchess president pope saint st st. rev rev. father sister captain general colonel sergeant senator minister
    chancellor governor judge emperor empress sheikh sultan baron count countess"""
)
# Last words of names that are common nouns: "Pilgrimage Festival" is a festival.
EVENTS = _words(
    """festival awards award championship championships cup games olympics match race marathon parade concert
    conference convention ceremony carnival fair gala premiere party tournament summit show exhibition fashion rally
    tour war battle wedding festivities derby regatta open prix league final finals week season"""
)
PLACES = _words(
    """abbey airport arena avenue bank basilica basin bay beach boulevard bridge building canal canyon cape castle
    cathedral cave center centre chapel church city cliff cliffs coast college county creek dam desert district
    downs falls farm field forest fort fountain garden gardens gate glacier hall harbor harbour hill hills
    hospital hotel house houses inn island islands isle lake library lighthouse mall market mill monastery
    monument mosque mount mountain mountains museum national ocean opera palace park pass peak peninsula pier
    plaza port prison pub pyramid reef reservoir resort restaurant river road ruins school sea shrine square
    stadium state station statue store street studio studios synagogue temple terminal theater theatre tower town
    tunnel university valley villa village volcano wall waterfall woods zoo"""
)
ORGANIZATIONS = _words(
    """agency airlines airways army association band bank club committee company corporation corps council department
    federation force foundation government group institute league ministry navy office orchestra party police
    railway society team union"""
)
# Nouns that open captions and are too rare for the lexicon of the bundled pipeline.
OPENERS = _words(
    """aerial bikers bride bridesmaids clouds closeup commuters cyclists demonstrators detail exterior facade
    firefighters fishermen fireworks footballers graffiti hikers illustration interior landscape mosaic mural panorama
    paratroopers pedestrians pilgrims portrait protesters reflection sailboats sculpture sculptures seagull selfie
    silhouette silhouettes skiers skyline skyscrapers snowboarder spectators sunrise sunset surfers swimmers tourists
    vector villagers vintage worshippers"""
)
# Capitalised words that are ordinary nouns, not names.
COMMON_CAPITALS = _words(
    """christmas xmas easter halloween thanksgiving hanukkah ramadan diwali valentine valentines tv t-shirt t-shirts
    suv suvs dj djs led bbq diy ceo usb dvd cd cds dvds gps atv i ii iii iv ufo x-ray
    frisbee frisbees popsicle popsicles mohawk lego legos burka jeep vespa segway jacuzzi polaroid velcro"""
)
# Hypernyms that are settlements or regions take an article: "in a city".
ARTICLE_TAKING = _words(
    """city town village country state region county province district neighborhood neighbourhood suburb island
    continent municipality capital hamlet republic kingdom territory"""
)
# Last words of the hypernyms of regions, which stand after a place and a comma: "Bristol, UK".
REGIONS = _words("country state region county province district island continent republic kingdom territory")
# Prepositions whose object, where it is a place, is dropped together with them: "in Los Angeles".
LOCATIVE = _words("in at from near to outside")
UNITS = _words(
    """mm cm m km metre metres meter meters kilometre kilometres kilometer kilometers centimetre centimetres centimeter
    centimeters millimetre millimeter inch inches foot feet ft yard yards mile miles kg kilogram kilograms g gram
    grams kilo kilos lb lbs pound pounds ton tons tonne tonnes ounce ounces oz litre litres liter liters ml gallon
    gallons acre acres hectare hectares degree degrees percent % mph kph kmh knots volt volts watt watts hp gb mb
    megapixel megapixels storey story storeys stories dollar dollars euro euros"""
)
TIMES = _words("year years month months week weeks day days hour hours minute minutes century")
APPROXIMATE = _words("about around approximately nearly almost over some exactly")
MEASURED = _words("high tall long wide deep thick away old apart above below per square cubic")
NUMBER_WORDS = _words(
    """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million
    millions dozen dozens"""
)
CONNECTORS = frozenset(
    {"&", "of", "the", "de", "la", "le", "van", "von", "der", "den", "di", "du", "del", "da", "bin", "al"}
)
# First words of places' names.
PLACE_MARKS = _words(
    "bay camp cape castle fort hotel isle lake loch los las mount mt mt. palazzo port river san santa villa"
)
# Last words of names of companies and teams that are no nouns.
ORGANIZATION_MARKS = _words("united fc sc cf afc inc inc. ltd ltd. llc corp corp. co. plc gmbh ag")
# What stands before "of" and a place: "the streets of Paris".
OF_PLACES = PLACES | _words(
    """aerial alley alleys banks beaches bridges capital churches coastline country district heart hills map mountains
    neighborhood neighbourhood north south east west outskirts panorama photo picture province region rooftops roofs
    seaside shore shores skyline state streets suburb suburbs towns view views village villages waters centre"""
)
