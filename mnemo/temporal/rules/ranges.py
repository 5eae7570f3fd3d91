"""Ranges with both ends: June 3-9, from the 3rd to the 9th of June, March to June 2018, Mon-Fri, 2015 to 2018.

Ends that share a month or year are read by rules. Two complete dates (from 28 December to 3 January) are found alone
and joined here.
"""

import re
from datetime import date, datetime, timedelta

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import DIGIT, Rule, TimeContext, TimeMatch, pattern, triggers
from mnemo.temporal.periods import Period
from mnemo.temporal.rules.dates import DAY, MONTH, NTH, day_number, is_verb_may, month_number
from mnemo.temporal.rules.weekdays import ANY_WEEKDAY, WEEKDAY_WORDS, near_weekday, weekday_number
from mnemo.temporal.rules.years import ANY_YEAR, pick_year, written_year
from mnemo.temporal.tense import Direction
from mnemo.temporal.vocabulary import ENGLISH_MONTHS, ORDINALS, SHORT_MONTHS

__all__ = ["RULES", "joined_range"]

_OPEN = r"(?:(?P<open>from|between|in|on|during) )?(?:the )?"
_TO = r" ?(?P<to>-|–|—|(?<=\s)(?:to|and|until|till|til|through|thru|up to)(?=\s)) ?(?:the )?"
_PART = r"(?:(?P<part>early|mid|late)(?: |-))?"
_SEPARATOR = re.compile(r"\s{0,2}(?P<to>-|–|—|\b(?:to|and|until|till|til|through|thru|up to)\b)\s{1,2}|\s?[-–—]\s?")
_OPENED = re.compile(r"\b(?P<open>from|since|between)\s{1,3}(?:the\s{1,3})?$", re.IGNORECASE)
_MOVED = re.compile(
    r"\b(?:mov|reschedul|chang|postpon|push|shift|switch|bump|brought|bring|delay)\w*\b[^.!?;]{0,40}$", re.IGNORECASE
)
"""Before `from Monday to Tuesday` it is no range, but an old date and a new one."""
_LOOKBACK_CHARS = 60
_MAX_DAYS = 366 * 120


def joined_range(left: TimeMatch, right: TimeMatch, scene: TimeContext) -> TimeMatch | None:
    """Return two dates with `to`, a dash or `and` between them as one range; None if they are none.

    Args:
        left: A date.
        right: The next one in the text.
        scene: The text and its moment.
    """
    if left.period is None or right.period is None or left.clock or "during" in {left.sense, right.sense}:
        return None
    separator = _SEPARATOR.fullmatch(scene.text, left.end, right.start)
    opened = _OPENED.search(scene.text, max(0, left.start - _LOOKBACK_CHARS), left.start)
    word = (opened["open"] if opened else "").lower()
    if separator is None or ((separator["to"] or "") == "and") != (word == "between") or _is_move(scene, left.start):
        return None
    open_year = left.cycle is not None or right.cycle is not None
    ends = _aligned(left, right, scene.now if open_year else left.period.start)
    if ends is None:
        return None
    start = opened.start() if opened else left.start
    return TimeMatch(start, right.end, period=ends, sense="during")


def _is_move(scene: TimeContext, start: int) -> bool:
    return _MOVED.search(scene.text, max(0, start - _LOOKBACK_CHARS), start) is not None


def _aligned(left: TimeMatch, right: TimeMatch, now: datetime) -> Period | None:
    """Return the range of two dates; a year or week that one leaves open is the other's."""
    first, last = left.period, right.period
    if first is None or last is None:
        return None
    if left.cycle == "weekly" and last.precision == "day":
        return _between(cal.day(last.date, -((last.date - first.date).days % 7)), last)
    if left.cycle == "yearly" and right.cycle == "yearly":
        ranges = (_between(_year_before(first, last), last), _between(first, _year_after(first, last)))
        possible = [period for period in ranges if period]
        return min(possible, key=lambda period: _distance(period, now), default=None)
    if left.cycle == "yearly":
        return _between(_year_before(first, last), last)
    return _between(first, _year_after(first, last) if right.cycle == "yearly" else last)


def _year_before(first: Period, last: Period) -> Period:
    """Return the first period in the latest year in which it does not start after the last one."""
    same = cal.shift_years(first, last.date.year - first.date.year)
    return same if same.start <= last.start else cal.shift_years(same, -1)


def _year_after(first: Period, last: Period) -> Period:
    """Return the last period in the earliest year in which it does not start before the first one."""
    same = cal.shift_years(last, first.date.year - last.date.year)
    return same if same.start >= first.start else cal.shift_years(same, 1)


def _distance(period: Period, now: datetime) -> timedelta:
    return max(period.start - now, now - period.end, timedelta())


def _between(first: Period, last: Period) -> Period | None:
    in_order = first.start < last.start and (last.end - first.start).days <= _MAX_DAYS
    order = ("minute", "day", "week", "month", "season", "year")
    precision = max(first.precision, last.precision, key=order.index)
    return Period(first.start, last.end, precision) if in_order else None


def _range(
    match: re.Match[str],
    scene: TimeContext,
    period: Period | None,
    *,
    next_days: bool = False,
) -> TimeMatch | None:
    """Return the match of a range; None after `move from`, or for `and` without `between`."""
    between = (match["open"] or "").lower() == "between"
    if (
        period is None
        or ((match["to"].lower() == "and") != between and not next_days)
        or _is_move(scene, match.start())
    ):
        return None
    return TimeMatch(*match.span(), period=period, sense="during")


def _days_of_month(match: re.Match[str], scene: TimeContext) -> TimeMatch | None:
    """The 3rd to the 9th of June, June 3-9."""
    month = month_number(match["month"])
    first, last = day_number(match["first"]), day_number(match["last"])
    if is_verb_may(match):
        return None

    def make(year: int) -> Period:
        period = _between(cal.day(date(year, month, first)), cal.day(date(year, month, last)))
        if period is None:
            raise LookupError
        return period

    period = make(written_year(match["year"])) if match["year"] else pick_year(make, scene, match.span())
    return _range(match, scene, period, next_days=last == first + 1)


def _part(month: Period, name: str | None) -> Period:
    """Return the early, middle or late part of a month; all of it without a name."""
    which = {"early": 0, "mid": 1, "late": 2}.get((name or "").lower())
    return month if which is None else cal.third(month, which) or month


def _months(match: re.Match[str], scene: TimeContext) -> TimeMatch | None:
    """March to June 2018, Nov 2019 to Feb 2020."""
    if "may" in {match["first"], match["last"]} and match["open"] is None:
        return None
    first, last = month_number(match["first"]), month_number(match["last"])

    def make(year: int) -> Period:
        """Return the range that ends in a year."""
        start = written_year(match["from_year"]) if match["from_year"] else year - (first > last)
        period = _between(
            _part(cal.month(date(start, first, 1)), match["first_part"]),
            _part(cal.month(date(year, last, 1)), match["last_part"]),
        )
        if period is None:
            raise LookupError
        return period

    if match["year"]:
        return _range(match, scene, make(written_year(match["year"])))
    if match["from_year"]:
        return _range(match, scene, make(written_year(match["from_year"]) + (first > last)))
    return _range(match, scene, pick_year(make, scene, match.span()))


def _days(match: re.Match[str], scene: TimeContext) -> TimeMatch | None:
    """From the 3rd to the 9th: of the last month with both in a past sentence, else of the next."""
    first, last = day_number(match["first"]), day_number(match["last"])
    ranges: list[Period] = []
    for offset in (-2, -1, 0, 1, 2):
        month = cal.month(scene.today, offset).date
        end = month if last > first else cal.add_months(month, 1)
        try:
            period = _between(cal.day(month.replace(day=first)), cal.day(end.replace(day=last)))
        except ValueError:
            continue
        ranges.extend([period] if period else [])
    if scene.direction(match.span()) == Direction.PAST:
        return _range(match, scene, [period for period in ranges if period.start <= scene.now][-1])
    return _range(match, scene, next(period for period in ranges if period.end > scene.now))


def _weekdays(match: re.Match[str], scene: TimeContext) -> TimeMatch | None:
    """Mon-Fri: the last one begun in a past sentence, else the first that is not over."""
    first, last = weekday_number(match["first"]), weekday_number(match["last"])
    direction = scene.direction(match.span())
    length = timedelta(days=(last - first) % 7)
    if direction == Direction.PAST:
        start = near_weekday(scene.today + timedelta(days=1), first, -1).date
    else:
        start = near_weekday(scene.today, last, 0).date - length
        if direction == Direction.FUTURE and start < scene.today:
            start += timedelta(days=7)
    return _range(match, scene, _between(cal.day(start), cal.day(start + length)))


def _years(match: re.Match[str], scene: TimeContext) -> TimeMatch | None:
    first, last = int(match["first"]), int(match["last"])
    if len(match["last"]) == 2:  # noqa: PLR2004  # two digits
        last += first // 100 * 100
    period = _between(cal.year(first), cal.year(last))
    return _range(match, scene, period) or TimeMatch(*match.span())


_MONTHS = triggers(ENGLISH_MONTHS, SHORT_MONTHS)
_DIGITS = frozenset((DIGIT,))

RULES: tuple[Rule, ...] = (
    Rule(
        pattern(
            rf"{_OPEN}(?P<first>{NTH}|{DAY}){_TO}(?P<last>{NTH}|{DAY})(?: of)? (?P<month>{MONTH})"
            rf"(?:,? (?P<year>{ANY_YEAR}))?"
        ),
        _days_of_month,
        _MONTHS,
    ),
    Rule(
        pattern(
            rf"{_OPEN}(?P<month>{MONTH}) (?:the )?(?P<first>{NTH}|{DAY}){_TO}(?P<last>{NTH}|{DAY})"
            rf"(?:,? (?P<year>{ANY_YEAR}))?(?!:\d| ?[ap]\.?m| (?:of )?{MONTH})"
        ),
        _days_of_month,
        _MONTHS,
    ),
    Rule(
        pattern(
            rf"{_OPEN}{_PART.replace('part', 'first_part')}(?P<first>{MONTH})(?: (?P<from_year>{ANY_YEAR}))?{_TO}"
            rf"{_PART.replace('part', 'last_part')}(?P<last>{MONTH})"
            rf"(?:,?(?: of)? (?P<year>{ANY_YEAR}))?(?! \d)"
        ),
        _months,
        _MONTHS,
    ),
    Rule(
        pattern(rf"(?P<open>from|between) the (?P<first>{NTH}){_TO}(?P<last>{NTH})"),
        _days,
        triggers((DIGIT,), ORDINALS),
    ),
    Rule(pattern(rf"{_OPEN}(?P<first>{ANY_WEEKDAY}){_TO}(?P<last>{ANY_WEEKDAY})"), _weekdays, WEEKDAY_WORDS),
    Rule(
        pattern(
            r"(?<![-/])(?:(?P<open>from|between|in) )?(?P<first>(?:19|20)\d\d)"
            r" ?(?P<to>-|–|—|to|and|until|till|til|through|thru) ?"
            r"(?P<last>(?:19|20)\d\d|(?<=[-–—])(?:1[3-9]|[2-9]\d))(?![-/])"
        ),
        _years,
        _DIGITS,
    ),
)
"""Rules of this kind. Of overlapping matches, the first and longest counts."""
