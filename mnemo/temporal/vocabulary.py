"""Names of months, weekdays, seasons, ordinals and numbers: the one table of each, and patterns made of them.

Every mapping goes from the word in small letters to its number. English names come with their abbreviations and the
typing errors that are one slip away (`wendesday`, `febuary`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping

__all__ = [
    "ABBREVIATION_POINT",
    "ENGLISH_MONTHS",
    "FOREIGN_MONTHS",
    "FOREIGN_NUMBERS",
    "FOREIGN_SEASONS",
    "FOREIGN_WEEKDAYS",
    "MONTHS",
    "NUMBERS",
    "ORDINALS",
    "SEASONS",
    "SHORT_MONTHS",
    "SHORT_WEEKDAYS",
    "TENS",
    "WEEKDAYS",
    "alternatives",
    "misspellings",
]

_MONTH_NAMES = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_WEEKDAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_TYPABLE_LETTERS = 6
"""Shorter names have no misspellings here: one slip makes other words of them (`match`, `jury`)."""


def misspellings(name: str) -> Iterator[str]:
    """Yield a name with one inner letter dropped, doubled or swapped with the next; its first and last stay."""
    for place in range(1, len(name) - 1):
        yield name[:place] + name[place + 1 :]
        yield name[:place] + name[place] + name[place:]
        if place < len(name) - 2:  # the last letter stays
            yield name[:place] + name[place + 1] + name[place] + name[place + 2 :]


def _with_misspellings(names: Iterable[str], first: int) -> dict[str, int]:
    numbered = dict(zip(names, range(first, first + 12), strict=False))
    long = {name: number for name, number in numbered.items() if len(name) >= _TYPABLE_LETTERS}
    return {slip: number for name, number in long.items() for slip in misspellings(name)} | numbered


def _numbered(lines: Iterable[str], first: int) -> dict[str, int]:
    return {word: number for line in lines for number, word in enumerate(line.split(), first)}


SHORT_MONTHS: Mapping[str, int] = {name[:3]: number for number, name in enumerate(_MONTH_NAMES, 1) if name != "may"} | {
    "sept": 9
}
"""Abbreviations of English months, without a period; 1 is January."""
ENGLISH_MONTHS: Mapping[str, int] = {
    **_with_misspellings(_MONTH_NAMES, 1),
    **dict.fromkeys(("febuary", "feburary", "febrary"), 2),
    "ocotber": 10,
}
"""English names of months; 1 is January."""
FOREIGN_MONTHS: Mapping[str, int] = {
    **_numbered(
        (
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
            "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
            "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
            "januar februar märz april mai juni juli august september oktober november dezember",
            "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
            "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
            "januari februari maart april mei juni juli augustus september oktober november december",
            "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
            "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
        ),
        1,
    ),
    "augusti": 8,
}
"""Names of months in Spanish, French, German, Portuguese, Italian, Dutch and Russian; 1 is January."""
MONTHS: Mapping[str, int] = {**SHORT_MONTHS, **FOREIGN_MONTHS, **ENGLISH_MONTHS}
"""Every name of a month; 1 is January."""

SHORT_WEEKDAYS: Mapping[str, int] = {
    **_numbered(("mon tue wed thu fri sat sun", "mon tues weds thur fri sat sun"), 0),
    "thurs": 3,
}
"""Abbreviations of English weekdays; 0 is Monday."""
WEEKDAYS: Mapping[str, int] = {
    **_with_misspellings(_WEEKDAY_NAMES, 0),
    **dict.fromkeys(("wensday", "wenesday", "wednsday", "wendsday"), 2),
    **dict.fromkeys(("thirsday", "thersday"), 3),
    "saterday": 5,
}
"""English names of weekdays; 0 is Monday."""
FOREIGN_WEEKDAYS: Mapping[str, int] = _numbered(
    (
        "lunes martes miércoles jueves viernes sábado domingo",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        "segunda terça quarta quinta sexta sábado domingo",
        "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
        "lunedì martedì mercoledì giovedì venerdì sabato domenica",
        "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    ),
    0,
)
"""Names of weekdays in Spanish, French, German, Portuguese, Italian and Dutch; 0 is Monday."""

SEASONS: Mapping[str, int] = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""First month of each season of the north."""
FOREIGN_SEASONS: Mapping[str, int] = {
    **dict.fromkeys(("primavera", "printemps", "frühling", "frühjahr", "lente"), 3),
    **dict.fromkeys(("verano", "été", "sommer", "verão", "estate", "zomer"), 6),
    **dict.fromkeys(("otoño", "automne", "herbst", "outono", "autunno", "herfst"), 9),
    **dict.fromkeys(("invierno", "hiver", "winter", "inverno"), 12),
}
"""First month of each season of the north, in Spanish, French, German, Portuguese, Italian and Dutch."""

TENS: Mapping[str, int] = {
    word: 10 * number
    for number, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
"""English tens from twenty."""
ABBREVIATION_POINT = r"(?:\.(?=\s?[-–\d,]|\s(?-i:[a-z])))?"
"""The point of an abbreviation, as a pattern: where the sentence goes on after it."""
_ONES = "one two three four five six seven eight nine"
NUMBERS: Mapping[str, int] = _numbered(
    (f"{_ONES} ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",), 1
)
"""English numbers from one to twenty."""
_NTHS = "first second third fourth fifth sixth seventh eighth ninth"
_TEENS = "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
ORDINALS: Mapping[str, int] = _numbered(
    (f"{_NTHS} {_TEENS} twentieth {' '.join(f'twenty-{nth}' for nth in _NTHS.split())} thirtieth thirty-first",),
    1,
)
"""English ordinals from first to thirty-first."""
FOREIGN_NUMBERS: Mapping[str, int] = {
    **_numbered(
        (
            "un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince",
            "une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze",
            "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn",
            "um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze",
            "uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici",
            "een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien",
            "один два три четыре пять шесть семь восемь девять десять",
            "uma duas",
            "una две",
            "einem",
            "einer",
            "eine",
        ),
        1,
    ),
    **dict.fromkeys(("veinte", "vingt", "zwanzig", "vinte", "venti", "twintig"), 20),
}
"""Numbers to twenty in Spanish, French, German, Portuguese, Italian, Dutch and Russian."""


def alternatives(words: Iterable[str]) -> str:
    """Return a regular expression without groups that matches exactly these words.

    Words that begin alike share a branch, so that a long table costs no more than a short one. Blanks stay blanks.
    """
    heads: dict[str, list[str]] = {}
    whole = False
    for word in words:
        whole = whole or not word
        if word:
            heads.setdefault(word[0], []).append(word[1:])
    if not heads:
        return ""
    parts = [(head if head == " " else re.escape(head)) + alternatives(tails) for head, tails in heads.items()]
    if len(parts) == 1 and not whole:
        return parts[0]
    return f"(?:{'|'.join(parts)}){'?' if whole else ''}"
