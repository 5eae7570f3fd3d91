"""Extraction without an LLM: spaCy's small English model and rules, in a worker thread.

Entities are the speakers, named entities, noun phrases of two words or more, and what facts are
about. Facts are clauses that state something, retold in the third person with their date.
"""

from __future__ import annotations  # spaCy is imported by who parses: it takes a second

import asyncio
import re
import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mnemo.ingestion.extraction import Extraction, Fact, Mention, Window, said_at
from mnemo.ingestion.fact_times import in_brackets, timing_of, whens
from mnemo.ingestion.local.clauses import Clause, clauses
from mnemo.ingestion.local.entities import Named, entity_of, kin_of, named_entities, topics
from mnemo.ingestion.local.lexicon import ADDRESSED, FEMALE, KIN, MALE
from mnemo.ingestion.local.non_english import is_english, names_in, statements
from mnemo.ingestion.local.normalize import Plain, nicknames, plain
from mnemo.ingestion.local.parser_fixes import mend, quoted, sayer
from mnemo.ingestion.local.predicates import Link, plain_link, used_to
from mnemo.ingestion.local.relations import link_of
from mnemo.ingestion.local.rendering import Cast, render
from mnemo.ingestion.local.transitions import also
from mnemo.ingestion.resolution.names import name_key, tidy_tags
from mnemo.ingestion.resolution.relations import CANONICAL, is_lasting, snake
from mnemo.ingestion.speakers import addressee_of, readable, speaker_of, speakers_of
from mnemo.providers import spacy_model

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from spacy.tokens import Doc, Token

    from mnemo.ingestion.extraction import Kind
    from mnemo.models.graph import Episode
    from mnemo.temporal.resolve import When

__all__ = ["LocalExtractor"]

_BATCH = 32
_THIRD = frozenset(
    ["he", "she", "they", "it", "this", "that", "these", "those", "there", "who", "which", "what", "one"]
)
_KIND_OF: dict[str, Kind] = {
    "lives_in": "place",
    "works_at": "organisation",
    **dict.fromkeys(("married_to", "engaged_to", "dating", "divorced_from"), "person"),
}
"""What one lives in is a place, whatever the parser guessed."""
_HELD = {"works_at": "works at", "lives_in": "lives in"}
"""How a state is told that is known by its end alone."""
_DANGLING = re.compile(r" (?:from|starting|beginning|as of|starting from|beginning in|starting in)$")
"""What led to a date that is told beside a sentence."""
_LOCK = threading.Lock()


class LocalExtractor:
    """Extracts by rules; loads the parser at the first window, once a process."""

    def __init__(self, *, extract_system: bool = False) -> None:
        """Say whether system messages are extracted from."""
        self._extract_system = extract_system

    async def extract(self, window: Window) -> Extraction:
        """Return what the window's episodes say; the event loop stays free meanwhile."""
        return await asyncio.to_thread(self.read, window)

    def read(self, window: Window) -> Extraction:
        """Return what the window's episodes say; one thread at a time parses."""
        chosen = {episode.uuid for episode in readable(window, extract_system=self._extract_system)}
        places = [place for place, episode in enumerate(window.episodes) if episode.uuid in chosen]
        english = [place for place in places if is_english(window.episodes[place].content)]
        names = nicknames(speakers_of(window), (episode.content for episode in window.episodes))
        called = {*speakers_of(window), *names}
        plains = {place: plain(window.episodes[place].content, called) for place in english}
        with _LOCK:
            parsed = spacy_model.load().pipe((plains[place].text for place in english), batch_size=_BATCH)
            docs = dict(zip(english, map(mend, parsed), strict=True))
        gathered = _Gathered(speakers_of(window), names)
        for place in places:
            scene = _Scene(window.episodes[place], _addressee(window, place, names), gathered)
            if place in docs:
                scene.read_english(docs[place], plains[place])
            else:
                scene.read_foreign()
        return gathered.extraction()


@dataclass(slots=True)
class _Gathered:
    """Mentions and facts of a window so far."""

    speakers: tuple[str, ...]
    nicknames: Mapping[str, str]
    """Shorter forms by which speakers are called, to their names."""
    named: dict[str, Named] = field(default_factory=dict)
    episodes: dict[str, dict[str, None]] = field(default_factory=dict)
    writers: set[str] = field(default_factory=set)
    facts: list[Fact] = field(default_factory=list)

    def mention(self, named: Named, episode: Episode) -> str:
        """Note an entity; return the name under which it is kept."""
        key = name_key(named.name)
        kept = self.named.setdefault(key, named)
        if kept.kind == "topic" and named.kind != "topic":
            self.named[key] = Named(kept.name, named.kind, named.tags)
        self.episodes.setdefault(key, {})[episode.uuid] = None
        return kept.name

    def settle(self, named: Named) -> None:
        """Let a kind that a relation shows win over one that the parser guessed; who speaks stays a person."""
        key = name_key(named.name)
        if key not in {name_key(speaker) for speaker in self.speakers}:
            self.named[key] = Named(self.named[key].name, named.kind, named.tags)

    def extraction(self) -> Extraction:
        """Return it all."""
        return Extraction(
            mentions=tuple(
                Mention(
                    name=named.name,
                    kind=named.kind,
                    tags=tidy_tags(named.tags),
                    speaker=key in self.writers,
                    aliases=tuple(n for n, s in self.nicknames.items() if s == named.name),
                    episodes=tuple(self.episodes[key]),
                )
                for key, named in self.named.items()
            ),
            facts=tuple(self.facts),
        )


class _Scene:
    """One episode, who speaks in it, and what was said so far."""

    def __init__(self, episode: Episode, addressee: str | None, gathered: _Gathered) -> None:
        self._episode = episode
        self._gathered = gathered
        self._speaker = speaker_of(episode)
        self._cast = Cast(self._speaker or "", addressee)
        self._persons: list[Named] = []
        self._quotes: list[tuple[int, int]] = []
        if self._speaker is not None:
            gathered.mention(Named(self._speaker, "person", ("person",)), episode)
            gathered.writers.add(name_key(self._speaker))

    def read_english(self, doc: Doc, made: Plain) -> None:
        """Note the entities and facts of a message, parsed from its plain form."""
        dates = whens(self._episode.content, self._episode)
        self._quotes = quoted(doc)
        for named in (*named_entities(doc, self._gathered.speakers), *topics(doc, self._cast)):
            self._gathered.mention(named, self._episode)
        for sentence in doc.sents:
            for clause in clauses(sentence):
                self._state(clause, dates, made)
            self._persons += self._people(list(sentence))
        for token in doc:
            self._relate(token, made)

    def read_foreign(self) -> None:
        """Note names by their shape, and the first statements as they stand."""
        content = self._episode.content
        for name in names_in(content):
            self._gathered.mention(Named(name, "thing"), self._episode)
        if self._speaker is None:
            return
        for start, end in statements(content):
            sentence = content[start:end]
            dates = whens(sentence, self._episode)
            self._keep(Link("says", None), self._speaker, None, f"{self._speaker}: {sentence}", (start, end), dates[:1])

    def _people(self, sentence: Sequence[Token]) -> list[Named]:
        """Persons named in a sentence, but for those who talk: whom a later he or she may mean."""
        found = []
        for token in sentence:
            if token.lower_ in KIN or token.ent_type_ == "PERSON":
                named = entity_of(token, self._cast, self._gathered.speakers)
                if named is not None and named.kind == "person" and named.name not in self._gathered.speakers:
                    found.append(named)
        return list(dict.fromkeys(found))

    def _state(self, clause: Clause, dates: Sequence[When], made: Plain) -> None:
        cast = self._cast_for(clause)
        link = link_of(clause)
        if cast is None or link is None or _acts_on_itself(clause):
            return
        span = made.span(clause.tokens[0].idx, clause.tokens[-1].idx + len(clause.tokens[-1]))
        inside = [when for when in dates if span[0] <= when.span[0] and when.span[1] <= span[1]][:1]
        told = inside
        if _is_beside(link, inside, said_at(self._episode)):
            inside = []  # when it is so, not since when
            told = [] if link.relation.endswith("_is") else told  # the date is the value
        subject = self._subject(link.subject or clause.subject, cast)
        if subject is None or (self._about_addressee(clause) and link.relation not in CANONICAL and not inside):
            return
        drop = {t.i for t in clause.tokens for when in told if when.span[0] <= made.places[t.idx] < when.span[1]}
        sentence = render(clause, cast, drop)
        sentence = _DANGLING.sub("", sentence) if sentence is not None and drop else sentence
        if sentence is not None and sentence.split()[-1] in {"is", "was", "are", "were"}:
            sentence = render(clause, cast, ())  # the date is all that it says
        if (
            sentence is None
            or not (inside or _worth(sentence, subject))
            or _unanchored(clause, link, dated=bool(inside))
        ):
            return
        named, link = self._named(link, clause, cast, subject)
        target = self._target(named, link) if named is not None else None
        if target is not None and link.state == "ends" and link.relation in _HELD and _is_left(clause):
            self._keep_held(Link(link.relation, link.object, "holds"), subject, target, span, inside)
        self._keep(link, subject, target, sentence, span, inside)
        instead = also(clause) if link.relation in {"switched_from", "works_at"} else None
        other = entity_of(instead.object, cast, self._gathered.speakers) if instead and instead.object else None
        if instead is not None and other is not None:
            self._keep(instead, subject, self._target(other, instead), sentence, span, inside)

    def _named(self, link: Link, clause: Clause, cast: Cast, subject: str) -> tuple[Named | None, Link]:
        """Return what a fact bears on, and its link: a plain one where a relation of the table lacks its object."""
        if link.object is None:
            return None, link
        named = entity_of(link.object, cast, self._gathered.speakers)
        if named is None and link.subject is not None:
            named = Named(link.object.lower_, "topic", ("topic",))
        if named is not None and name_key(named.name) == name_key(subject):
            named = None
        if named is None and link.relation in CANONICAL:
            return None, plain_link(clause) or Link(snake(clause.verb.lemma_), None)
        if named is not None and link.relation in {"owns", "gave_up"}:
            named = replace(named, name=named.name.removeprefix(f"{subject}'s "))  # her dog is a dog that she has
        return named, link

    def _target(self, named: Named, link: Link) -> str:
        """Note what a fact bears on, with the kind that its relation gives it; return its name."""
        kind = _KIND_OF.get(link.relation)
        if kind is None:
            return self._gathered.mention(named, self._episode)
        shown = Named(named.name, kind, (kind,))
        name = self._gathered.mention(shown, self._episode)
        self._gathered.settle(shown)
        return name

    def _keep_held(self, link: Link, subject: str, target: str, span: tuple[int, int], dates: Sequence[When]) -> None:
        """Keep that someone had what is over now: who left Acme worked there until then."""
        known = len(self._gathered.facts)
        self._keep(link, subject, target, f"{subject} {_HELD[link.relation]} {target}", span, ())
        end = dates[0].start if dates else said_at(self._episode)
        self._gathered.facts[known] = replace(self._gathered.facts[known], valid_to=end)

    def _relate(self, token: Token, made: Plain) -> None:
        """Keep what a named one is to a speaker: `my dog Rex`, `my friend Tom`."""
        kin = kin_of(token, self._cast)
        if kin is None:
            return
        named = entity_of(token, self._cast, self._gathered.speakers)
        if named is None or named.name in self._gathered.speakers:
            return
        owner = self._gathered.mention(Named(kin.owner, "person", ("person",)), self._episode)
        target = self._gathered.mention(named, self._episode)
        span = made.span(kin.first.idx, token.idx + len(token))
        sentence = f"{target} is {owner}'s {kin.noun}"
        self._keep(Link(f"has_{snake(kin.noun)}", token), owner, target, sentence, span, ())

    def _cast_for(self, clause: Clause) -> Cast | None:
        """Who is meant by the clause's pronouns; None when its subject cannot be known."""
        own = self._own_cast(clause)
        if own is None or (not own.speaker and _says_i(clause)):
            return None
        word = clause.subject.lower_
        if word not in _THIRD:
            return own
        if word not in {"he", "she", "they"}:
            return None
        fitting = self._persons + self._people(list(clause.verb.sent[: clause.verb.i - clause.verb.sent.start]))
        plural = [
            n
            for n in dict.fromkeys(fitting)
            if (n.tags[-1:] and n.name.endswith(("s", "children", "family"))) == (word == "they")
            and not _other_gender(n.name, word)
        ]
        return Cast(own.speaker, own.addressee, plural[0].name) if len(plural) == 1 else None

    def _own_cast(self, clause: Clause) -> Cast | None:
        """Who is I and you in a clause: within quotes, whoever is said to have said them; None when nobody is."""
        quote = next((q for q in self._quotes if q[0] < clause.verb.idx < q[1]), None)
        if quote is None:
            return self._cast
        who = sayer(clause.verb.doc, quote)
        if who is None:
            return None
        named = entity_of(who, self._cast, self._gathered.speakers)
        return Cast(named.name) if named is not None and named.kind == "person" else None

    def _subject(self, subject: Token, cast: Cast) -> str | None:
        named = entity_of(subject, cast, self._gathered.speakers)
        if named is None or not named.name:
            return None
        return self._gathered.mention(named, self._episode)

    def _about_addressee(self, clause: Clause) -> bool:
        return clause.subject.lower_ in ADDRESSED

    def _keep(
        self, link: Link, subject: str, target: str | None, sentence: str, span: tuple[int, int], dates: Sequence[When]
    ) -> None:  # all that a fact is made of
        when = dates[0] if dates else None
        timing = timing_of(when)
        text = f"{sentence} ({in_brackets(when, self._episode)})" if when is not None else sentence
        self._gathered.facts.append(
            Fact(
                subject=subject,
                relation=link.relation,
                object=target,
                fact=text,
                episode=self._episode.uuid,
                quote=self._episode.content[slice(*span)],
                start=span[0],
                end=span[1],
                said_at=said_at(self._episode),
                state=link.state,
                valid_from=None if link.state == "ends" else timing.start,
                valid_to=timing.start if link.state == "ends" else timing.end,
                when=when.phrase if when is not None else None,
                precision=when.precision if when is not None else "unknown",
            ),
        )


def _is_beside(link: Link, dates: Sequence[When], now: datetime) -> bool:
    """Whether a date in a statement of what holds tells when it is so, not since when; one to come is its start."""
    at = bool(dates) and dates[0].sense == "at" and dates[0].start <= now
    return at and is_lasting(link.relation) and link.state == "holds"


def _is_left(clause: Clause) -> bool:
    """Whether it is told of the end itself (quit, resigned), not that it was so once, nor of a town (left Rome)."""
    return not clause.negated and used_to(clause) is None and clause.verb.lemma_ != "leave"


def _addressee(window: Window, place: int, names: Mapping[str, str]) -> str | None:
    """Return who is meant by you: among more than two, only one who is called by name."""
    if len(speakers_of(window)) <= 2:  # noqa: PLR2004  # a dialogue
        return addressee_of(window, place)
    episode = window.episodes[place]
    words = set(name_key(episode.content).split())
    others = [name for name in speakers_of(window) if name != speaker_of(episode)]
    called = [
        name for name in others if words & {name_key(name), *(name_key(n) for n, s in names.items() if s == name)}
    ]
    return called[0] if len(called) == 1 else None


def _acts_on_itself(clause: Clause) -> bool:
    """Whether a clause that has its subject from an earlier one has it as object too: a command (put me …)."""
    return clause.inherited and any(t.dep_ == "dobj" and t.lower_ in {"me", "us"} for t in clause.verb.children)


def _other_gender(name: str, pronoun: str) -> bool:
    """Whether a relative's word (Ada's sister) does not go with he or she."""
    noun = name.rsplit(" ", 1)[-1].lower()
    return (pronoun == "he" and noun in FEMALE) or (pronoun == "she" and noun in MALE)


def _says_i(clause: Clause) -> bool:
    return any(token.lower_ in {"i", "me", "my", "we", "us", "our"} for token in clause.tokens)


def _unanchored(clause: Clause, link: Link, *, dated: bool) -> bool:
    """Whether it hangs on something said before (I gave it away), or only cheers (we can make it)."""
    subject = clause.subject
    owner = next((t.lower_ for t in subject.children if t.dep_ == "poss"), "")
    if owner in {"his", "her", "their", "its"} or (owner == "your" and link.relation not in CANONICAL and not dated):
        return True
    word = subject.lower_
    if clause.modal == "can" and (word == "we" or clause.verb.lemma_ == "be"):
        return True
    if dated or word not in {"i", "we"} or (link.object is not None and link.object.pos_ in {"NOUN", "PROPN"}):
        return False
    return any(t.dep_ == "dobj" and t.lower_ in {"it", "that", "this", "them"} for t in clause.tokens)


def _worth(sentence: str, subject: str) -> bool:
    """Whether a sentence says something beside its subject."""
    return len(sentence.split()) > len(subject.split()) + 1 and any(c.isalpha() for c in sentence)
