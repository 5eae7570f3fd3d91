"""The basics in Spanish, French, German, Portuguese, Italian, Dutch and Russian.

Yesterday, last week, three days ago, last Saturday, last summer, in March, since 2019.
"""

import re
from collections.abc import Mapping
from datetime import date, timedelta

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import Rule, TimeContext, pattern, triggers
from mnemo.temporal.periods import Period
from mnemo.temporal.rules.counts import bounded
from mnemo.temporal.rules.dates import FOREIGN_MONTH, month_number
from mnemo.temporal.rules.units import season_beside
from mnemo.temporal.rules.weekdays import near_weekday
from mnemo.temporal.rules.years import pick_year
from mnemo.temporal.vocabulary import (
    FOREIGN_MONTHS,
    FOREIGN_NUMBERS,
    FOREIGN_SEASONS,
    FOREIGN_WEEKDAYS,
    alternatives,
)

__all__ = ["RULES"]


def _split(words: str) -> list[str]:
    return words.split()


_DAYS: Mapping[str, int] = {
    **dict.fromkeys(("anteayer", "antes de ayer", "antier", "avant-hier", "vorgestern", "anteontem"), -2),
    **dict.fromkeys(("antes de ontem", "l'altro ieri", "l’altro ieri", "avantieri", "eergisteren", "позавчера"), -2),
    **dict.fromkeys(("ayer", "gestern", "ontem", "ieri", "gisteren", "вчера"), -1),
    **dict.fromkeys(("hoy", "aujourd'hui", "aujourd’hui", "heute", "hoje", "oggi", "vandaag", "сегодня"), 0),
    **dict.fromkeys(("demain", "amanhã", "domani", "завтра"), 1),
    **dict.fromkeys(("pasado mañana", "après-demain", "übermorgen", "depois de amanhã", "dopodomani"), 2),
    **dict.fromkeys(("overmorgen", "послезавтра"), 2),
}
_HOURS: Mapping[str, tuple[int, int, int]] = {
    **dict.fromkeys(
        ("anoche", "hier soir", "gestern abend", "ontem à noite", "ieri sera", "gisteravond"), (-1, 18, 30)
    ),
    **dict.fromkeys(("esta mañana", "ce matin", "heute morgen", "heute früh", "esta manhã", "stamattina"), (0, 5, 12)),
    **dict.fromkeys(("hoje de manhã", "questa mattina", "vanmorgen", "сегодня утром"), (0, 5, 12)),
    **dict.fromkeys(("esta noche", "ce soir", "heute abend", "hoje à noite", "stasera", "vanavond"), (0, 18, 24)),
}
_UNITS: Mapping[str, str] = {
    **dict.fromkeys(_split("día días dia dias jour jours tag tage tagen giorno giorni dag dagen день дня дней"), "day"),
    **dict.fromkeys(_split("semana semanas semaine semaines woche wochen settimana settimane"), "week"),
    **dict.fromkeys(_split("week weken неделю недели недель неделе"), "week"),
    **dict.fromkeys(_split("mes meses mois monat monate monaten mês mese mesi maand maanden"), "month"),
    **dict.fromkeys(_split("месяц месяца месяцев месяце"), "month"),
    **dict.fromkeys(_split("año años an ans année années jahr jahre jahren ano anos anno anni jaar"), "year"),
    **dict.fromkeys(_split("год года лет году"), "year"),
    **dict.fromkeys(("fin de semana", "week-end", "wochenende", "fim de semana", "fine settimana"), "weekend"),
}
_LAST = (
    "letzte[nrs]?|vorige[nrs]?|vergangene[nrs]?|derni(?:er|ère)|passée?|pasad[oa]|últim[oa]|passad[oa]|scors[oa]|ultim[oa]|"
    "vorige?|afgelopen|прошлой|прошлом|прошлую|прошлый"
)
_THIS = "diese[nrs]?|cet|cette|este|esta|neste|nesta|questo|questa|quest['’]|deze|dit|этой|этом|эту|этот"
_NEXT = (
    "nächste[nrs]?|prochaine?|próxim[oa]|que viene|que vem|prossim[oa]|volgende?|следующей|следующем|следующую|"
    "следующий"
)
_COMING = "kommende[nrs]?|komende?|entrante"
_SIDE = (
    rf"(?:(?P<last>{_LAST})|(?P<this>{_THIS})|(?P<next>{_NEXT})|(?P<coming>{_COMING})|"
    r"(?P<before_last>vorletzte[nrs]?|voorvorige)|(?P<after_next>übernächste[nrs]?))"
)
_ARTICLE = r"(?:(?:am|im|in der|el|la|lo|il|le|l['’]|o|a|no|na|nello?|nella|en el|en la|в|на) ?)?"
_PARTS: Mapping[str, int] = {
    **dict.fromkeys(("anfang", "début", "principios de", "início de", "inizio"), 0),
    **dict.fromkeys(("mitte", "mi-", "mediados de", "meados de", "metà"), 1),
    **dict.fromkeys(("ende", "fin", "finales de", "fim de", "final de", "fine di"), 2),
}
_GERMAN = re.compile(r"\b(?:ich|und|ist|der|das|wir|nicht|bin|war|sind|ein)\b", re.IGNORECASE)


def _text(match: re.Match[str]) -> str:
    return " ".join(match[0].lower().split())


def _step(match: re.Match[str]) -> int:
    """How many units away a word for last, this or next is."""
    sides = {"last": -1, "this": 0, "next": 1, "coming": 1, "before_last": -2, "after_next": 2}
    return next(step for side, step in sides.items() if match[side])


def _hours(match: re.Match[str], scene: TimeContext) -> Period:
    offset, first, after = _HOURS[_text(match)]
    return cal.hours(cal.day(scene.today, offset).date, first, after)


def _number(text: str) -> int:
    return int(text) if text.isdigit() else FOREIGN_NUMBERS[text.lower()]


def _ago(match: re.Match[str], scene: TimeContext) -> Period | None:
    return _away(match, scene, -1)


def _ahead(match: re.Match[str], scene: TimeContext) -> Period | None:
    return _away(match, scene, 1)


def _away(match: re.Match[str], scene: TimeContext, sign: int) -> Period | None:
    number, name = _number(match["count"]), _UNITS[match["unit"].lower()]
    return cal.unit(scene.now, name, sign * number) if bounded(name, number) else None


def _sided(match: re.Match[str], scene: TimeContext) -> Period:
    return cal.unit(scene.now, _UNITS[match["unit"].lower()], _step(match))


def _weekday(match: re.Match[str], scene: TimeContext) -> Period:
    number, step = FOREIGN_WEEKDAYS[match["day"].lower()], _step(match)
    if match["coming"]:
        return near_weekday(scene.today + timedelta(days=1), number, 0)
    return near_weekday(scene.today, number, step)


def _season(match: re.Match[str], scene: TimeContext) -> Period | None:
    return season_beside(scene, FOREIGN_SEASONS[match["season"].lower()], _step(match))


def _month(match: re.Match[str], scene: TimeContext) -> Period:
    number = month_number(match["month"])
    return pick_year(lambda year: cal.month(date(year, number, 1)), scene, match.span())


def _part_of_month(match: re.Match[str], scene: TimeContext) -> Period | None:
    base = (
        cal.month(date(int(match["year"]), month_number(match["month"]), 1)) if match["year"] else _month(match, scene)
    )
    return cal.third(base, _PARTS[" ".join(match["part"].lower().split())])


def _hier(_: re.Match[str], scene: TimeContext) -> Period | None:
    """French for yesterday, but German for here."""
    return None if _GERMAN.search(scene.text) else cal.day(scene.today, -1)


_COUNT = rf"\d{{1,4}}|{alternatives(FOREIGN_NUMBERS)}"
_UNIT = rf"(?P<unit>{alternatives(_UNITS)})"
_NOT_ENGLISH = rf"(?!week\b){_UNIT}"
"""A unit that no English sentence has: over two week is none."""

_UNIT_WORDS = triggers(_UNITS)
_WEEKDAY_WORDS = triggers(FOREIGN_WEEKDAYS)
_SEASON_WORDS = triggers(FOREIGN_SEASONS)
_MONTH_WORDS = triggers(FOREIGN_MONTHS)

RULES: tuple[Rule, ...] = (
    Rule(
        pattern(f"(?:{alternatives(_DAYS)})"),
        lambda match, scene: cal.day(scene.today, _DAYS[_text(match)]),
        triggers(_DAYS),
    ),
    Rule(pattern(f"(?:{alternatives(_HOURS)})"), _hours, triggers(_HOURS)),
    Rule(pattern("hier"), _hier, triggers("hier")),
    Rule(
        re.compile(r"(?<!guten )(?<!am )(?<!\w)morgen(?!\w)", re.IGNORECASE),
        lambda _, scene: cal.day(scene.today, 1),
        triggers("morgen"),
    ),
    Rule(
        re.compile(r"(?<!la )(?<!esta )(?<!\w)mañana(?!\w)", re.IGNORECASE),
        lambda _, scene: cal.day(scene.today, 1),
        triggers("mañana"),
    ),
    Rule(pattern(rf"(?:hace|il y a|vor|há) (?P<count>{_COUNT}) {_UNIT}"), _ago, triggers("hace il vor há")),
    Rule(pattern(rf"(?P<count>{_COUNT}) {_UNIT} (?:fa|atrás|geleden|назад)"), _ago, triggers("fa atrás geleden назад")),
    Rule(
        pattern(rf"(?:dentro de|dans|in|daqui a|tra|fra|over|через) (?P<count>{_COUNT}) {_NOT_ENGLISH}"),
        _ahead,
        _UNIT_WORDS,
    ),
    Rule(pattern(rf"{_ARTICLE}{_SIDE} {_UNIT}"), _sided, _UNIT_WORDS),
    Rule(pattern(rf"{_ARTICLE}{_UNIT} {_SIDE}"), _sided, _UNIT_WORDS),
    Rule(
        pattern(rf"quest['’]{_UNIT}"),
        lambda match, scene: cal.unit(scene.now, _UNITS[match["unit"].lower()], 0),
        triggers("quest"),
    ),
    Rule(pattern(rf"{_ARTICLE}{_SIDE} (?P<day>{alternatives(FOREIGN_WEEKDAYS)})"), _weekday, _WEEKDAY_WORDS),
    Rule(pattern(rf"{_ARTICLE}(?P<day>{alternatives(FOREIGN_WEEKDAYS)}) {_SIDE}"), _weekday, _WEEKDAY_WORDS),
    Rule(pattern(rf"{_ARTICLE}{_SIDE} (?P<season>{alternatives(FOREIGN_SEASONS)})"), _season, _SEASON_WORDS),
    Rule(pattern(rf"{_ARTICLE}(?P<season>{alternatives(FOREIGN_SEASONS)}) {_SIDE}"), _season, _SEASON_WORDS),
    Rule(pattern(rf"(?:im|en|em|nel|in) (?P<month>{FOREIGN_MONTH})"), _month, _MONTH_WORDS),
    Rule(
        pattern(
            rf"(?P<part>{alternatives(_PARTS)})(?:(?<=-)| )(?P<month>{FOREIGN_MONTH})"
            r"(?: (?:de |del )?(?P<year>(?:19|20)\d\d))?"
        ),
        _part_of_month,
        _MONTH_WORDS,
    ),
)
"""Rules of this kind. Of overlapping matches, the first and longest counts."""
