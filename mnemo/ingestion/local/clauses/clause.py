"""Splits a parsed English sentence into asserted clauses with subject, verb and modality."""

from __future__ import annotations  # importing spaCy takes a second

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemo.ingestion.local.lexicon import (
    CONVERSATIONAL_VERBS,
    DISLIKE_VERBS,
    FACTUAL_CONJUNCTIONS,
    FILLERS,
    HYPOTHETICAL_MODALS,
    LIKE_VERBS,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Span, Token

__all__ = ["Clause", "clauses"]

_SUBJECTS = frozenset(["nsubj", "nsubjpass", "expl", "csubj"])
_DETACHED_DEPENDENCIES = frozenset(["ccomp", "dep", "conj", "parataxis", "appos", "advcl"])
"""Dependencies of a clause on a root that is not a verb: Thanks for the tip, I bought it."""
_CONVERSATIONAL_STATES = frozenset(
    [
        "glad",
        "sorry",
        "sure",
        "happy",
        "excited",
        "welcome",
        "right",
        "off",
        "here",
        "stoked",
        "proud",
        "grateful",
        "thankful",
        "blessed",
        "honored",
        "up",
        "pumped",
        "thrilled",
        "back",
        "there",
        "ready",
    ],
)
_STATIVE_VERBS = LIKE_VERBS | DISLIKE_VERBS | {"be", "live", "work", "know", "own", "have", "want"}
_PERCEPTION_VERBS = frozenset(["hear", "know", "see"])
_CONVERSATIONAL_OBJECTS = frozenset(["best", "luck", "thanks", "shot", "look", "kudos"])
MAX_TOKENS = 40


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement of a sentence."""

    verb: Token
    """Head of the clause: a verb or a form of be."""
    subject: Token
    tokens: tuple[Token, ...]
    """Its words in order, without other clauses, fillers, vocatives and final punctuation."""
    negated: bool
    modal: str
    """`will`, `can`, `want` (would love to), or empty."""
    auxiliaries: tuple[Token, ...] = ()
    """Auxiliaries shared with an earlier clause: `have been looking and (have been) saving`."""

    @property
    def past(self) -> bool:
        """Whether the clause is past: past tense, or the perfect of a verb that is not stative (has moved)."""
        if self.modal:
            return False
        if self.verb.lower_ == "got" and any(
            t.lower_ in {"have", "has", "'ve", "'s", "’ve"} for t in self.verb.children if t.dep_ == "aux"
        ):
            return False
        aux = [t for t in (*self.auxiliaries, *self.verb.children) if t.dep_ in {"aux", "auxpass"} and t.tag_ != "TO"]
        finite = aux[0] if aux else self.verb
        lasting = self.verb.tag_ == "VBG" or self.verb.lemma_ in _STATIVE_VERBS
        return finite.tag_ == "VBD" or (self.verb.tag_ == "VBN" and not lasting)

    @property
    def inherits_subject(self) -> bool:
        """Whether the subject comes from an earlier clause."""
        return self.subject not in self.tokens


def clauses(sentence: Span) -> Iterator[Clause]:
    """Yield the asserted clauses of a sentence, in order.

    Leaves out questions, commands, wishes, conditions, hedges (I think …) and small talk (I agree).
    """
    if sentence.text.rstrip("\"'”)").endswith("?"):
        return
    heads = [token for token in sentence if _is_head(token)]
    for head in heads:
        subject = _subject(head)
        if subject is None or _is_question(head, subject):
            continue
        auxiliaries = _shared_auxiliaries(head)
        modal = _modal(head, auxiliaries)
        if (
            modal is None
            or (modal == "can" and _conjunction(head) == "so")
            or _is_conversational(head)
            or _is_conditional(head)
        ):
            continue
        tokens = _own_tokens(head, heads)
        if 1 < len(tokens) <= MAX_TOKENS:
            yield Clause(head, subject, tokens, _negated(head), modal, auxiliaries)


def _is_question(head: Token, subject: Token) -> bool:
    """Return whether a clause without a question mark is a question: what are you doing, doing what."""
    inverted = any(t.dep_ in {"aux", "auxpass"} and t.i < subject.i for t in head.children) and subject in head.children
    asked = any(
        t.tag_ in {"WP", "WDT", "WRB", "WP$"} and t.dep_ != "mark"
        for t in head.children
        if t.i < subject.i or t.i > head.i
    )
    opens = head.dep_ == "ROOT" and asked and not any(t.dep_ == "relcl" for t in (head,))
    return inverted or opens


def _negated(head: Token) -> bool:
    """Return whether the clause is negated: not, never, no longer."""
    longer = (t for t in head.children if t.lower_ == "longer")
    return any(t.dep_ == "neg" for t in head.children) or any(
        t.lower_ == "no" for word in longer for t in word.children
    )


def _is_head(token: Token) -> bool:
    if token.pos_ not in {"VERB", "AUX"} or token.dep_ in {"aux", "auxpass"} or _is_name(token):
        return False
    if token.dep_ == "ROOT":
        return True
    if token.dep_ == "conj":
        return token.head.pos_ in {"VERB", "AUX"} and _is_head(token.head)
    if token.head.dep_ == "ROOT" and token.head.pos_ not in {"VERB", "AUX"}:
        return token.dep_ in _DETACHED_DEPENDENCIES and _own_subject(token) is not None and _conjunction(token) == ""
    if token.dep_ == "ccomp":
        return (
            (token.i < token.head.i or _is_quoted(token))
            and _own_subject(token) is not None
            and _conjunction(token) == ""
        )
    return token.dep_ == "advcl" and _own_subject(token) is not None and _conjunction(token) in FACTUAL_CONJUNCTIONS


def _is_name(token: Token) -> bool:
    """Return whether a token tagged as a verb is a name, judging by a capital inside the sentence."""
    return token.text.istitle() and not token.is_sent_start and token.i > 0 and token.nbor(-1).text not in "\"“'(-:"


def _conjunction(token: Token) -> str:
    return next(
        (
            t.lower_
            for t in token.children
            if t.dep_ in {"mark", "advmod"} and t.i < token.i and t.tag_ in {"IN", "WRB"}
        ),
        "",
    )


def _own_subject(verb: Token) -> Token | None:
    own = (token for token in verb.children if token.dep_ in _SUBJECTS and token.i < verb.i)
    of_auxiliary = (
        t for aux in verb.children if aux.dep_ in {"aux", "auxpass"} for t in aux.children if t.dep_ in _SUBJECTS
    )
    return next(iter([*own, *of_auxiliary]), None)


def _subject(verb: Token) -> Token | None:
    """Return the verb's subject, or that of the verb it is coordinated with."""
    while True:
        subject = _own_subject(verb)
        if subject is not None or verb.dep_ != "conj":
            return subject
        verb = verb.head


def _shared_auxiliaries(verb: Token) -> tuple[Token, ...]:
    """Return the auxiliaries that a bare verb shares with the verb it is coordinated with."""
    bare = verb.tag_ in {"VB", "VBG", "VBN"} and not any(t.dep_ in {"aux", "auxpass"} for t in verb.children)
    if verb.dep_ != "conj" or not bare or _own_subject(verb) is not None:
        return ()
    own = tuple(t for t in verb.head.children if t.dep_ in {"aux", "auxpass"} and t.i < verb.head.i)
    return own or _shared_auxiliaries(verb.head)


def _modal(head: Token, auxiliaries: tuple[Token, ...]) -> str | None:
    """Return the modality; None if the clause is hypothetical."""
    words = [token.lower_ for token in (*auxiliaries, *head.children) if token.dep_ in {"aux", "auxpass"}]
    if any(word in HYPOTHETICAL_MODALS for word in words) and not ("'d" in words and head.tag_ == "VBN"):
        wish = head.lemma_ in LIKE_VERBS and any(t.dep_ == "xcomp" for t in head.children)
        return "want" if wish and not {"could", "might", "should"} & set(words) else None
    if {"will", "'ll", "wo"} & set(words) or _going_to(head):
        return "will"
    return "can" if {"can", "ca"} & set(words) else ""


def _going_to(head: Token) -> bool:
    return head.lower_ == "going" and any(t.dep_ == "xcomp" and t.pos_ == "VERB" for t in head.children)


def _is_conversational(head: Token) -> bool:
    """Return whether the clause only keeps the conversation going."""
    lemma = head.lemma_.lower()
    if lemma in CONVERSATIONAL_VERBS:
        return not _has_content(head, lemma)
    objects = {t.lower_ for t in head.children if t.dep_ == "dobj"}
    states = {t.lower_ for t in head.children if t.dep_ in {"acomp", "advmod", "prt", "prep"}}
    completed = any(t.dep_ in {"acomp", "prt"} for t in head.children)
    return (
        lemma == "keep"
        or bool(objects & _CONVERSATIONAL_OBJECTS)
        or (lemma == "stay" and completed)
        or (lemma == "look" and (completed or "forward" in states))
        or (
            lemma == "be"
            and bool(states & _CONVERSATIONAL_STATES)
            and not _is_off_to(head)
            and not _has_noun_subject(head, states)
        )
    )


def _has_content(head: Token, lemma: str) -> bool:
    """Return whether a conversational verb states a fact: heard a story, thinking about camping, hope to go."""
    if lemma in _PERCEPTION_VERBS and any(t.dep_ == "dobj" and t.pos_ in {"NOUN", "PROPN"} for t in head.children):
        return True
    if lemma == "think":
        return head.tag_ == "VBG" and any(t.dep_ == "prep" for t in head.children)
    return lemma not in {"wait", "let"} and any(t.dep_ == "xcomp" for t in head.children)


def _has_noun_subject(head: Token, states: set[str]) -> bool:
    """Return whether a noun is back, off or over: Momo is back, the trip is off."""
    subject = _own_subject(head)
    return (
        subject is not None
        and subject.pos_ in {"NOUN", "PROPN"}
        and bool(states & {"back", "here", "home", "off", "over", "up"})
    )


def _is_off_to(head: Token) -> bool:
    """Return whether someone is leaving to do something."""
    words = {t.lower_ for t in head.children}
    return "off" in words and any(t.dep_ in {"xcomp", "advcl"} for t in head.children)


def _is_conditional(head: Token) -> bool:
    """Return whether the clause depends on a condition."""
    marks = {"if", "unless", "whether"}
    inside = [
        t
        for t in head.children
        if t.dep_ == "advcl" and any(m.lower_ in marks for m in t.children) and not _is_aside(t)
    ]
    chain = [head, *head.ancestors]
    return bool(inside) or any(m.lower_ in marks for verb in chain for m in verb.children if m.dep_ == "mark")


def _is_aside(condition: Token) -> bool:
    """Return whether an `if` is about the conversation: if anyone asks, in case you need it."""
    if not any(m.lower_ == "if" for m in condition.children):
        return False
    subject = _own_subject(condition)
    return subject is not None and subject.lower_ in {"you", "anyone", "anybody", "someone", "somebody", "people"}


def _own_tokens(head: Token, heads: list[Token]) -> tuple[Token, ...]:
    left_out: set[int] = set()
    for token in head.subtree:
        if token is not head and token != head and _is_excluded(token, head, heads):
            left_out.update(t.i for t in token.subtree)
    tokens = [token for token in head.subtree if token.i not in left_out]
    return _trim(tokens)


def _is_excluded(token: Token, head: Token, heads: list[Token]) -> bool:
    """Return whether a token and its subtree are not part of the head's statement."""
    if token.head == head and token.dep_ == "advcl" and _is_aside(token):
        return True
    if token in heads or token.dep_ in {"intj", "parataxis", "meta"} or token.pos_ in {"INTJ", "SPACE"}:
        return True
    if token.head == head and token.dep_ in {"cc", "mark", "preconj"}:
        return True
    if token.dep_ == "ccomp" and token.i < head.i:
        return True
    return _is_vocative(token)


def _is_vocative(token: Token) -> bool:
    """Return whether it is a vocative: a name between commas that is not an argument of the verb."""
    if token.pos_ != "PROPN" or token.dep_ not in {"npadvmod", "dep", "appos", "dobj", "attr", "conj", "nsubj", "ROOT"}:
        return False
    doc, first = token.doc, token.i
    before = doc[first - 1].text if first else ","
    after = doc[first + 1].text if first + 1 < len(doc) else "."
    return before in {",", "!", "."} and after in {",", "!", ".", "-", "—"} and token.dep_ not in {"conj", "appos"}


def _is_quoted(verb: Token) -> bool:
    """Return whether a quotation starts with the clause: Kei said, "I love camping"."""
    first = verb.left_edge
    marks = (first.text, first.nbor(-1).text if first.i else "")
    return bool({'"', "“"} & set(marks))


def _is_unpaired_quote(tokens: list[Token]) -> bool:
    """Return whether the last token closes a quotation that opened before the clause."""
    last = tokens[-1].text
    return (last == '"' and sum(t.text == '"' for t in tokens) % 2 == 1) or (
        last == "”" and all(t.text != "“" for t in tokens)
    )


def _trim(tokens: list[Token]) -> tuple[Token, ...]:
    while tokens and (tokens[0].is_punct or tokens[0].lower_ in FILLERS or tokens[0].is_space):
        tokens = tokens[1:]
    while tokens and (
        (tokens[-1].is_punct and (tokens[-1].text not in "\"')”’" or _is_unpaired_quote(tokens)))
        or tokens[-1].is_space
        or tokens[-1].lower_ in {"and", "but", "so", "too", "tho", "though"}
    ):
        tokens = tokens[:-1]
    return tuple(tokens)
