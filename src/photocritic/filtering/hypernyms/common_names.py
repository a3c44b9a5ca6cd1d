"""The bundled knowledge base: names that captions often have, by their hypernyms.

A name that is a common word as well, or names two kinds of things (Georgia, Victoria), is left out, and so is one whose
last word says what it is: "Eiffel Tower" becomes "tower" without it.
"""

COMMON_NAMES = {
    "continent": """Africa, Antarctica, Asia, Europe, North America, South America""",
    "country": """Afghanistan, Albania, Algeria, Andorra, Angola, Argentina, Armenia, Australia, Austria, Azerbaijan,
        Bahamas, Bahrain, Bangladesh, Barbados, Belarus, Belgium, Belize, Benin, Bhutan, Bolivia, Bosnia, Bosnia and
        Herzegovina, Botswana, Brazil, Britain, Brunei, Bulgaria, Burkina Faso, Burma, Burundi, Cambodia, Cameroon,
        Canada, Cape Verde, Central African Republic, China, Colombia, Comoros, Congo, Costa Rica, Croatia, Cuba,
        Cyprus, Czech Republic, Czechia, Denmark, Djibouti, Dominica, Dominican Republic, East Timor, Ecuador, Egypt, El
        Salvador, England, Equatorial Guinea, Eritrea, Estonia, Eswatini, Ethiopia, Fiji, Finland, France, Gabon,
        Gambia, Germany, Ghana, Great Britain, Greece, Grenada, Guatemala, Guinea, Guyana, Haiti, Holland, Honduras,
        Hungary, Iceland, India, Indonesia, Iran, Iraq, Ireland, Israel, Italy, Ivory Coast, Jamaica, Japan, Kazakhstan,
        Kenya, Kiribati, Kosovo, Kuwait, Kyrgyzstan, Laos, Latvia, Lebanon, Lesotho, Liberia, Libya, Liechtenstein,
        Lithuania, Luxembourg, Madagascar, Malawi, Malaysia, Maldives, Mali, Malta, Mauritania, Mauritius, Mexico,
        Micronesia, Moldova, Monaco, Mongolia, Montenegro, Morocco, Mozambique, Myanmar, Namibia, Nauru, Nepal,
        Netherlands, New Zealand, Nicaragua, Niger, Nigeria, North Korea, North Macedonia, Northern Ireland, Norway,
        Oman, Pakistan, Palau, Palestine, Panama, Papua New Guinea, Paraguay, Peru, Philippines, Poland, Portugal,
        Qatar, Romania, Russia, Rwanda, Saint Lucia, Samoa, San Marino, Saudi Arabia, Scotland, Senegal, Serbia,
        Seychelles, Sierra Leone, Singapore, Slovakia, Slovenia, Solomon Islands, Somalia, South Africa, South Korea,
        South Sudan, Spain, Sri Lanka, Sudan, Suriname, Sweden, Switzerland, Syria, Taiwan, Tajikistan, Tanzania,
        Thailand, Togo, Tonga, Trinidad and Tobago, Tunisia, Turkmenistan, Tuvalu, U.K., U.S., U.S.A., Uganda, UK,
        Ukraine, United Arab Emirates, United Kingdom, United States, United States of America, Uruguay, US, USA,
        Uzbekistan, Vanuatu, Vatican City, Venezuela, Vietnam, Wales, Yemen, Zambia, Zimbabwe""",
    "us state": """Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Delaware, Florida, Hawaii,
        Idaho, Illinois, Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan,
        Minnesota, Mississippi, Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey, New Mexico, North
        Carolina, North Dakota, Ohio, Oklahoma, Oregon, Pennsylvania, Rhode Island, South Carolina, South Dakota,
        Tennessee, Texas, Utah, Vermont, West Virginia, Wisconsin, Wyoming""",
    "province": """Alberta, British Columbia, Manitoba, New Brunswick, Newfoundland, Nova Scotia, Ontario, Prince Edward
        Island, Quebec, Saskatchewan, Sichuan, Yunnan""",
    "region": """Andalusia, Bavaria, Catalonia, Cornwall, Crimea, Kashmir, Lapland, New South Wales, Normandy,
        Patagonia, Provence, Queensland, Scandinavia, Siberia, Tasmania, Tibet, Transylvania, Tuscany, Tyrol,
        Yorkshire""",
    "city": """Aberdeen, Abu Dhabi, Accra, Addis Ababa, Adelaide, Agra, Ahmedabad, Albuquerque, Aleppo, Algiers, Almaty,
        Amalfi, Amman, Amsterdam, Anchorage, Ankara, Antwerp, Athens, Atlanta, Auckland, Baghdad, Baku, Baltimore,
        Bangalore, Bangkok, Barcelona, Basel, Beijing, Beirut, Belfast, Belgrade, Berlin, Bilbao, Birmingham, Bogota,
        Bologna, Bordeaux, Boston, Brasilia, Bratislava, Brighton, Brisbane, Bristol, Bruges, Brussels, Bucharest,
        Budapest, Buenos Aires, Cadiz, Cairo, Calcutta, Cambridge, Canberra, Cannes, Cape Town, Caracas, Carcassonne,
        Cardiff, Cartagena, Casablanca, Chengdu, Chennai, Chiang Mai, Chicago, Christchurch, Cincinnati, Cologne,
        Copenhagen, Cordoba, Cusco, Dakar, Dallas, Damascus, Delhi, Denver, Detroit, Dhaka, Doha, Dresden, Dubai,
        Dublin, Dubrovnik, Dundee, Durban, Dusseldorf, Edinburgh, Edmonton, Eindhoven, Frankfurt, Galway, Gdansk,
        Geneva, Genoa, Ghent, Glasgow, Gothenburg, Granada, Grenoble, Guangzhou, Hamburg, Hanoi, Havana, Heidelberg,
        Helsinki, Hiroshima, Ho Chi Minh City, Hong Kong, Honolulu, Houston, Hyderabad, Indianapolis, Innsbruck,
        Interlaken, Istanbul, Jaipur, Jakarta, Jerusalem, Johannesburg, Kabul, Kansas City, Karachi, Kathmandu, Kiev,
        Kolkata, Krakow, Kuala Lumpur, Kyiv, Kyoto, Lagos, Lahore, Las Vegas, Lausanne, Leeds, Leicester, Leipzig,
        Lille, Lima, Lisbon, Liverpool, Ljubljana, London, Los Angeles, Lucerne, Lviv, Lyon, Madrid, Malaga, Managua,
        Manchester, Manila, Marrakech, Marrakesh, Marseille, Mecca, Medellin, Melbourne, Memphis, Mexico City, Miami,
        Milan, Milwaukee, Minneapolis, Minsk, Montevideo, Montreal, Moscow, Mumbai, Munich, Nagasaki, Nairobi, Nanjing,
        Naples, Nashville, New Delhi, New Orleans, New York, New York City, Newcastle, Norwich, Nottingham, Nuremberg,
        NYC, Oakland, Omaha, Osaka, Oslo, Ottawa, Oxford, Palermo, Paris, Perth, Philadelphia, Phnom Penh, Pisa,
        Pittsburgh, Plymouth, Porto, Portsmouth, Positano, Prague, Pretoria, Pune, Pyongyang, Quito, Ravenna, Reykjavik,
        Riga, Rio, Rio de Janeiro, Riyadh, Rome, Rotterdam, Sacramento, Saigon, Salt Lake City, Salzburg, Samarkand, San
        Antonio, San Diego, San Francisco, San Jose, Santa Fe, Santa Monica, Santiago, Sao Paulo, Sapporo, Sarajevo,
        Seattle, Seoul, Seville, Shanghai, Sheffield, Shenzhen, Siena, Sorrento, Southampton, St Louis, St Petersburg,
        Stockholm, Strasbourg, Stuttgart, Sydney, Taipei, Tallinn, Tampa, Tangier, Tbilisi, Tehran, Tel Aviv, Tirana,
        Tokyo, Toledo, Toronto, Toulouse, Trieste, Tripoli, Tucson, Turin, Ulaanbaatar, Vancouver, Varanasi, Venice,
        Vienna, Vilnius, Warsaw, Washington D.C., Washington DC, Wellington, Winnipeg, Wuhan, Yangon, Yerevan, Yokohama,
        Zagreb, Zaragoza, Zermatt, Zurich""",
    "neighborhood": """Bronx, Brooklyn, Camden Town, Chinatown, Covent Garden, Harlem, Hollywood, Manhattan, Montmartre,
        Notting Hill, Shibuya, Shinjuku, Soho""",
    "island": """Alcatraz, Bali, Barbuda, Bermuda, Bora Bora, Borneo, Capri, Corfu, Corsica, Crete, Easter Island,
        Greenland, Guam, Ibiza, Lanzarote, Majorca, Mallorca, Maui, Menorca, Mykonos, Oahu, Okinawa, Phuket, Puerto
        Rico, Santorini, Sardinia, Sicily, Sumatra, Tahiti, Tenerife, Zanzibar""",
    "river": """Danube, Euphrates, Ganges, Mekong, Mississippi River, Nile, Rhine, River Thames, Seine, Thames, Tiber,
        Tigris, Vltava, Volga, Yangtze, Zambezi""",
    "lake": """Lake Como, Lake Garda, Lake Tahoe, Loch Ness, Windermere""",
    "mountain": """Ben Nevis, Denali, El Capitan, Everest, Half Dome, Kilimanjaro, Matterhorn, Mont Blanc, Mount
        Everest, Mount Fuji, Mount Rainier, Mt Fuji, Mt Rainier, Snowdon, Uluru, Vesuvius""",
    "mountain range": """Alps, Andes, Appalachians, Carpathians, Dolomites, Himalaya, Himalayas, Pyrenees, Rockies,
        Rocky Mountains, Sierra Nevada, Swiss Alps, Urals""",
    "desert": """Atacama, Gobi, Kalahari, Mojave, Sahara""",
    "landmark": """Acropolis, Alhambra, Angkor Wat, Arc de Triomphe, Big Ben, Borobudur, Burj Khalifa, Chichen Itza,
        Colosseum, Forbidden City, Great Wall, Great Wall of China, Hagia Sophia, Kremlin, Louvre, Machu Picchu, Mount
        Rushmore, Neuschwanstein, Notre Dame, Parthenon, Sagrada Familia, Sphinx, Statue of Liberty, Stonehenge, Taj
        Mahal""",
    "national park": """Grand Canyon, Serengeti, Yellowstone, Yosemite""",
    "deity": """Buddha, Ganesh, Ganesha, Jesus, Jesus Christ, Krishna, Shiva, Virgin Mary, Vishnu, Zeus""",
    "fictional character": """Batman, Cinderella, Darth Vader, Donald Duck, Elmo, Godzilla, Harry Potter, Hello Kitty,
        Iron Man, Kermit, King Kong, Mickey Mouse, Minnie Mouse, Peter Pan, Pikachu, Pinocchio, Robin Hood, Santa, Santa
        Claus, Sherlock Holmes, Snoopy, Snow White, Spider-Man, Spiderman, SpongeBob, Super Mario, Superman, Winnie the
        Pooh, Wonder Woman, Yoda""",
    "video game console": """Nintendo Switch, Nintendo Wii, PlayStation, Wii, Xbox""",
    "company": """Adidas, Coca-Cola, Disney, Dunkin Donuts, Facebook, FedEx, Google, IBM, Ikea, Intel, McDonalds,
        Microsoft, Nike, Nintendo, Nokia, Pepsi, Samsung, Sony, Starbucks, Wal-Mart, Walmart""",
    "automobile make": """Aston Martin, Audi, Bentley, BMW, Bugatti, Chevrolet, Citroen, Ferrari, Fiat, Honda, Hyundai,
        Lamborghini, Land Rover, Lexus, Maserati, Mazda, McLaren, Mercedes, Mercedes-Benz, Mitsubishi, Nissan, Opel,
        Peugeot, Porsche, Renault, Rolls-Royce, Skoda, Subaru, Suzuki, Tesla, Toyota, Volkswagen, Volvo""",
    "motorcycle make": """Ducati, Harley-Davidson, Kawasaki, Yamaha""",
    "airline": """Aer Lingus, Air France, Alitalia, American Airlines, British Airways, Delta Airlines, Easyjet,
        Emirates, Iberia, JetBlue, KLM, Lufthansa, Qantas, Ryanair, Southwest Airlines, United Airlines""",
    "baseball team": """Arizona Diamondbacks, Astros, Atlanta Braves, Boston Red Sox, Chicago Cubs, Dodgers, Mets, New
        York Mets, New York Yankees, Orioles, Phillies, Red Sox, White Sox, Yankees""",
    "basketball team": """Boston Celtics, Celtics, Chicago Bulls, Golden State Warriors, Knicks, Lakers, Los Angeles
        Lakers, Miami Heat, San Antonio Spurs""",
    "american football team": """Dallas Cowboys, Denver Broncos, Green Bay Packers, New England Patriots, New York
        Giants, Pittsburgh Steelers, San Francisco 49ers, Seattle Seahawks""",
    "football team": """Ajax, Arsenal, Atletico Madrid, Bayern Munich, Borussia Dortmund, FC Barcelona, Inter Milan,
        Juventus, Leicester City, Liverpool FC, Manchester City, Manchester United, Real Madrid, Tottenham Hotspur""",
    "football player": """Cristiano Ronaldo, David Beckham, Diego Maradona, Eden Hazard, Harry Kane, Lionel Messi,
        Messi, Neymar, Pele, Robert Lewandowski, Wayne Rooney, Zinedine Zidane, Zlatan Ibrahimovic""",
    "basketball player": """Kevin Durant, Kobe Bryant, LeBron James, Magic Johnson, Michael Jordan, Shaquille O'Neal,
        Stephen Curry""",
    "american football player": """Peyton Manning, Tom Brady""",
    "baseball player": """Babe Ruth, Derek Jeter""",
    "tennis player": """Andre Agassi, Andy Murray, Maria Sharapova, Novak Djokovic, Rafael Nadal, Roger Federer, Serena
        Williams, Venus Williams""",
    "golfer": """Rory McIlroy, Tiger Woods""",
    "sprinter": """Usain Bolt""",
    "swimmer": """Michael Phelps""",
    "boxer": """Floyd Mayweather, Mike Tyson, Muhammad Ali""",
    "racing driver": """Ayrton Senna, Fernando Alonso, Lewis Hamilton, Michael Schumacher, Sebastian Vettel""",
    "skateboarder": """Tony Hawk""",
    "actor": """Al Pacino, Angelina Jolie, Anne Hathaway, Arnold Schwarzenegger, Audrey Hepburn, Ben Affleck, Benedict
        Cumberbatch, Brad Pitt, Bradley Cooper, Bruce Lee, Bruce Willis, Calista Flockhart, Cate Blanchett, Charlie
        Chaplin, Clint Eastwood, Daniel Craig, Daniel Radcliffe, Denzel Washington, Emma Stone, Emma Watson, George
        Clooney, Harrison Ford, Hugh Grant, Hugh Jackman, Jack Nicholson, James Dean, Jennifer Aniston, Jennifer
        Lawrence, Jodie Foster, Johnny Depp, Julia Roberts, Kate Winslet, Keanu Reeves, Keira Knightley, Leonardo
        DiCaprio, Marilyn Monroe, Matt Damon, Meryl Streep, Morgan Freeman, Natalie Portman, Nicole Kidman, Penelope
        Cruz, Reese Witherspoon, Robert De Niro, Robert Downey Jr, Robin Williams, Ryan Gosling, Sandra Bullock,
        Scarlett Johansson, Sean Connery, Sylvester Stallone, Tom Cruise, Tom Hanks, Will Smith""",
    "filmmaker": """Alfred Hitchcock, Martin Scorsese, Quentin Tarantino, Stanley Kubrick, Steven Spielberg, Woody
        Allen""",
    "pop artist": """Adele, Ariana Grande, Beyonce, Billie Eilish, Britney Spears, Bruno Mars, Cher, Christina Aguilera,
        David Bowie, Ed Sheeran, Elton John, Elvis, Elvis Presley, Jennifer Lopez, Justin Bieber, Justin Timberlake,
        Katy Perry, Kylie Minogue, Lady Gaga, Mariah Carey, Michael Jackson, Miley Cyrus, Rihanna, Sam Smith, Selena
        Gomez, Shakira, Taylor Swift, Whitney Houston""",
    "rock artist": """Bob Dylan, Bruce Springsteen, Eric Clapton, Freddie Mercury, Iggy Pop, Jimi Hendrix, John Lennon,
        Kurt Cobain, Mick Jagger, Paul McCartney""",
    "hip hop artist": """Eminem, Jay-Z, Kanye West, Kendrick Lamar, Nicki Minaj, Snoop Dogg""",
    "rock band": """Beatles, Coldplay, Foo Fighters, Led Zeppelin, Metallica, Pink Floyd, Radiohead, Rolling
        Stones, U2""",
    "composer": """Bach, Beethoven, Chopin, Johann Sebastian Bach, Ludwig van Beethoven, Mozart, Tchaikovsky, Vivaldi,
        Wolfgang Amadeus Mozart""",
    "painter": """Andy Warhol, Caravaggio, Claude Monet, Frida Kahlo, Gustav Klimt, Leonardo da Vinci, Michelangelo,
        Monet, Pablo Picasso, Picasso, Rembrandt, Salvador Dali, Van Gogh, Vermeer, Vincent van Gogh""",
    "author": """Agatha Christie, Charles Dickens, Ernest Hemingway, J.K. Rowling, Jane Austen, Mark Twain, Oscar Wilde,
        Shakespeare, Stephen King, William Shakespeare""",
    "scientist": """Albert Einstein, Charles Darwin, Einstein, Galileo, Isaac Newton, Marie Curie, Nikola Tesla, Stephen
        Hawking""",
    "politician": """Abraham Lincoln, Angela Merkel, Barack Hussein Obama, Barack Obama, Barrack Obama, Benjamin
        Franklin, Bernie Sanders, Bill Clinton, Boris Johnson, David Cameron, Donald Trump, Emmanuel Macron, Fidel
        Castro, Franklin Roosevelt, Gandhi, George W. Bush, George Washington, Gordon Brown, Hillary Clinton, Jeremy
        Corbyn, Joe Biden, John F. Kennedy, Justin Trudeau, Kamala Harris, Lenin, Mahatma Gandhi, Margaret Thatcher,
        Mikhail Gorbachev, Narendra Modi, Nelson Mandela, Obama, Richard Nixon, Ronald Reagan, Theresa May, Thomas
        Jefferson, Tony Blair, Vladimir Putin, Winston Churchill, Xi Jinping""",
    "monarch": """Cleopatra, King Charles, Napoleon, Queen Elizabeth, Queen Elizabeth II, Queen Victoria""",
    "noble person": """Kate Middleton, Meghan Markle, Prince Charles, Prince Harry, Prince Philip, Prince William,
        Princess Diana""",
    "religious leader": """Dalai Lama, Desmond Tutu, Mother Teresa, Pope Francis, Pope John Paul II""",
}
