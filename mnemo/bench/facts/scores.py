"""How the facts of a conversation did: counts by measure, and each failure with what was expected: pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mnemo.bench.facts.cases import CaseMessage, CaseScene, FactLine
from mnemo.bench.facts.held import HeldEntity, HeldFact
from mnemo.bench.facts.matching import (
    closed_within,
    ended_by,
    expected,
    is_dated_event,
    is_named,
    kind_of,
    matches,
    tells_the_end,
    time_is_right,
    vocabulary,
)

__all__ = ["KINDS", "MEASURES", "Count", "Failure", "FailureKind", "SceneScore", "score_scene", "totals"]

FailureKind: TypeAlias = Literal["missed", "false", "ends", "times", "entities"]
KINDS: tuple[FailureKind, ...] = ("missed", "false", "ends", "times", "entities")
MEASURES = (
    "fact precision",
    "fact recall",
    "held facts that are true",
    "end recall",
    "end recall of facts held",
    "end precision",
    "times right",
    "entity precision",
    "entity recall",
    "entity kinds right",
)
"""Each is right / all, best at 1."""


@dataclass(slots=True)
class Count:
    """How many of how many."""

    right: int = 0
    all: int = 0

    @property
    def share(self) -> float:
        """Return right / all; 1 where there is none."""
        return self.right / self.all if self.all else 1.0

    def add(self, *, right: bool) -> None:
        """Count one more."""
        self.right += right
        self.all += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One thing that is wrong, for whoever mends it."""

    kind: FailureKind
    scene: str
    message: CaseMessage | None
    """None for an entity, which belongs to no single message."""
    expected: str
    """Empty where nothing was expected."""
    got: tuple[str, ...] = ()


@dataclass(slots=True)
class SceneScore:
    """Counts and failures of one conversation."""

    file: str
    counts: dict[str, Count] = field(default_factory=lambda: {measure: Count() for measure in MEASURES})
    failures: list[Failure] = field(default_factory=list)


def score_scene(scene: CaseScene, facts: Sequence[HeldFact], entities: Sequence[HeldEntity]) -> SceneScore:
    """Compare what a memory holds of one conversation with its lines.

    Args:
        scene: The conversation.
        facts: All facts, ended ones too; each with at least one source.
        entities: All entities.
    """
    scorer = _Scorer(scene, facts)
    scorer.recall()
    scorer.precision()
    scorer.endings()
    scorer.closings()
    scorer.entities(entities)
    return scorer.score


def totals(scores: Iterable[SceneScore]) -> dict[str, dict[str, Count]]:
    """Return the counts by file group, which is a file's name up to the first `_`, and of `all`."""
    groups: dict[str, dict[str, Count]] = {}
    for score in scores:
        for group in (score.file.partition("_")[0], "all"):
            counts = groups.setdefault(group, {measure: Count() for measure in MEASURES})
            for measure, count in score.counts.items():
                counts[measure].right += count.right
                counts[measure].all += count.all
    return {name: groups[name] for name in sorted(groups, key=lambda name: (name == "all", name))}


class _Scorer:
    """One comparison."""

    def __init__(self, scene: CaseScene, facts: Sequence[HeldFact]) -> None:
        self._scene = scene
        self._facts = facts
        self._ends = [(place, end) for place, said in enumerate(scene.messages) for end in said.ends]
        self._true = {place: self._lines_of(held) for place, held in enumerate(facts)}
        self.score = SceneScore(scene.file)

    def recall(self) -> None:
        """Count the required facts that are held, and the times of those that are."""
        for place, said in enumerate(self._scene.messages):
            for line in said.facts:
                found = [held for held in self._facts if place in held.sources and matches(held, line)]
                found = found or [held for at, held in enumerate(self._facts) if self._repeats(at, held, line, place)]
                if line.required:
                    self._count("fact recall", right=bool(found))
                    if not found:
                        self._fail("missed", said, line.text, self._stated(place))
                if found and line.timed:
                    self._time(said, line, found)

    def precision(self) -> None:
        """Count the facts that are true, and of those that hold at the end, the true ones."""
        end = max((said.at for said in self._scene.messages), default=None)
        for place, held in enumerate(self._facts):
            right = self._is_true(place)
            self._count("fact precision", right=right)
            if end is not None and (held.valid_to is None or held.valid_to > end):
                self._count("held facts that are true", right=right)
            if not right:
                said = self._scene.messages[held.sources[0]]
                expects = "no fact" if said.nothing else "only: " + "; ".join(line.text for line in said.facts)
                self._fail("false", said, expects, (_shown(held),))

    def endings(self) -> None:
        """Count the facts that a message ends and that are closed on the right days."""
        for place, end in self._ends:
            said = self._scene.messages[place]
            found = [held for held in self._facts if ended_by(held, end, place)]
            closed = [held for held in found if closed_within(held, end.days, said.zone)]
            open_ = {held.relation for held in found if held.valid_to is None}
            right = any(held.relation not in open_ for held in closed)
            self._count("end recall", right=right)
            if found:
                self._count("end recall of facts held", right=right)
            if not right:
                got = tuple(_shown(held) for held in found) or ("never held",)
                self._fail("ends", said, f"ended {end.text}", got)

    def closings(self) -> None:
        """Count the closed facts that a message ends; one that nothing ends is a memory lost."""
        for place, held in enumerate(self._facts):
            if held.valid_to is None or not self._is_true(place) or self._ends_itself(place, held):
                continue
            right = any(ended_by(held, end, at) for at, end in self._ends)
            self._count("end precision", right=right)
            if not right:
                said = self._scene.messages[held.sources[0]]
                self._fail("ends", said, "no end: nothing in the conversation ends it", (_shown(held),))

    def entities(self, entities: Sequence[HeldEntity]) -> None:
        """Count the entities that the lines name, and the expected ones that are held, once each."""
        named = vocabulary(self._scene)
        for entity in entities:
            right = is_named(entity, named, self._scene.speakers)
            self._count("entity precision", right=right)
            if not right:
                self._fail("entities", None, "no such entity", (entity.name,))
        for said in self._scene.messages:
            for line in said.entities:
                found = expected(line, entities)
                shown = tuple(f"{each.name} ({', '.join((*each.aliases, *each.tags))})" for each in found)
                if not line.required:
                    continue
                self._count("entity recall", right=len(found) == 1)
                if len(found) != 1:
                    self._fail("entities", said, f"one entity {' / '.join(line.names)}", shown or ("none",))
                elif line.kind is not None:
                    right = kind_of(found[0]) in {line.kind, None}
                    self._count("entity kinds right", right=right)
                    if not right:
                        self._fail("entities", said, f"{line.names[0]} is a {line.kind}", shown)

    def _lines_of(self, held: HeldFact) -> list[FactLine]:
        """Return the lines that a held fact matches in the messages that state it."""
        return [
            line
            for place in held.sources
            for line in self._scene.messages[place].facts
            if not self._scene.messages[place].nothing and matches(held, line)
        ]

    def _is_true(self, place: int) -> bool:
        """Whether a fact is stated by one of its messages, ends something there, or repeats what was stated before."""
        if self._true[place]:
            return True
        held = self._facts[place]
        sources = [at for at in held.sources if not self._scene.messages[at].nothing]
        if any(tells_the_end(held, end) for at in sources for end in self._scene.messages[at].ends):
            return True
        return any(self._known_before(held, at) for at in sources)

    def _known_before(self, held: HeldFact, place: int) -> bool:
        """Whether an earlier message states it and none up to this one ends it."""
        if any(at <= place and matches(held, end.fact) for at, end in self._ends):
            return False
        return any(matches(held, line) for said in self._scene.messages[:place] for line in said.facts)

    def _repeats(self, at: int, held: HeldFact, line: FactLine, place: int) -> bool:
        """Whether a true fact stated before says what a line says again, at the same time."""
        said = self._scene.messages[place]
        again = held.sources[0] < place and matches(held, line) and self._is_true(at)
        return again and time_is_right(held, line, said, ends_later=True)

    def _ends_itself(self, place: int, held: HeldFact) -> bool:
        """Whether a closed fact is a dated event, was over when it was said, or says that something ended."""
        lines = self._true[place]
        if is_dated_event(held) or any(line.on is not None or line.until is not None for line in lines):
            return not any(ended_by(held, end, at) for at, end in self._ends) and not self._is_cut_off(held, lines)
        return not lines and any(
            tells_the_end(held, end) and not matches(held, end.fact)
            for at in held.sources
            for end in self._scene.messages[at].ends
        )

    def _is_cut_off(self, held: HeldFact, lines: Sequence[FactLine]) -> bool:
        """Whether an event to come ended before its day."""
        said = self._scene.messages[held.sources[0]]
        past = held.valid_to is not None and held.valid_from is not None and held.valid_to <= held.valid_from
        return past and all(line.on is not None and time_is_right(held, line, said) for line in lines if line.timed)

    def _time(self, said: CaseMessage, line: FactLine, found: Sequence[HeldFact]) -> None:
        """Count the time of a line as right where a fact has it, or that of another line that it fits there."""
        right = any(
            time_is_right(held, other, said, ends_later=self._ends_later(held))
            for held in found
            for other in said.facts
            if other is line or (other.timed and matches(held, other))
        )
        self._count("times right", right=right)
        if not right:
            self._fail("times", said, line.text, tuple(_shown(held) for held in found))

    def _ends_later(self, held: HeldFact) -> bool:
        return any(ended_by(held, end, at) for at, end in self._ends)

    def _stated(self, place: int) -> tuple[str, ...]:
        return tuple(_shown(held) for held in self._facts if place in held.sources) or ("nothing",)

    def _count(self, measure: str, *, right: bool) -> None:
        self.score.counts[measure].add(right=right)

    def _fail(self, kind: FailureKind, said: CaseMessage | None, expects: str, got: tuple[str, ...]) -> None:
        self.score.failures.append(Failure(kind=kind, scene=self._scene.name, message=said, expected=expects, got=got))


def _shown(held: HeldFact) -> str:
    """Show a fact on one line: who, relation, object, sentence and times in UTC."""
    start = f"{held.valid_from:%Y-%m-%d %H:%M}" if held.valid_from else "?"
    end = f"{held.valid_to:%Y-%m-%d %H:%M}" if held.valid_to else "open"
    target = held.object[0] if held.object else "-"
    return f"{held.subject[0]} | {held.relation} | {target} | {held.fact} | {start} .. {end} ({held.precision})"
