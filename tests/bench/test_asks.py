from collections import Counter
from pathlib import Path

import pytest

from mnemo import samples
from mnemo.bench.asks import AskOutcome, AskQuestion, AskRates, meets, outcome, parse, rates
from mnemo.errors import ArgumentError
from mnemo.ingestion.readers import read

CASES = Path(__file__).parents[1] / "cases" / "asks"
QUESTIONS = parse((CASES / "questions.txt").read_text(encoding="utf-8"))
FILES = {name: CASES / f"{name}.jsonl" for name in ("supper", "cousins")} | {"sample": samples.conversation()}

TOWN = AskQuestion(
    conversation="c", part="dev", text="Where does Ana live?", right=(("Ghent", "Gent"),), wrong=("Leeds",)
)
PETS = AskQuestion(conversation="c", part="kept", text="Which pets?", right=(("Momo",), ("Biscuit",)))
CAPITAL = AskQuestion(conversation="c", part="dev", text="What is the capital of France?")


def test_questions_are_read_with_their_answers() -> None:
    text = (
        "# a comment\n\n== c dev\n? Where does Ana live?\n= Ghent / Gent\n! Leeds\n"
        "? What is the capital of France?\n-\n== c kept\n? Which pets?\n= Momo\n= Biscuit\n"
    )
    assert parse(text) == (TOWN, CAPITAL, PETS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("? Where?\n= Ghent", "q:1: the file must begin with == NAME dev and a question"),
        ("== c\n? Where?\n= Ghent", "q:1: a section must be a name and dev or kept, got 'c'"),
        ("== c dev\n? Where?\n? Who?\n= Ana", "q:2: a question needs a line with = or -"),
        ("== c dev\n? Where?\n! Leeds", "q:2: a question needs a line with = or -"),
        ("== c dev\n? Where?\n== c kept", "q:2: a question needs a line with = or -"),
        ("== c dev\n= Ghent", "q:2: the file must begin with == NAME dev and a question"),
        ("== c dev\n? Where?\n= Ghent\n-", "q:4: a line must be ==, ?, =, ! or - with its text, got '-'"),
        ("== c dev\n? Where?\n=", "q:3: a line must be ==, ?, =, ! or - with its text, got '='"),
        ("== c dev\n? Where?\n* Ghent", "q:3: a line must be ==, ?, =, ! or - with its text, got '*'"),
    ],
)
def test_misplaced_line_is_an_error_that_names_it(text: str, message: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        parse(text, "q")
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("text", "alternative"),
    [
        ("Ana lives in GHENT.", "Ghent"),
        ("for £1,150 a month", "1,150"),
        ("Mrs\nCastellano", "mrs castellano"),
        ("until 2025-08-16", "2025-08-16"),
        ("on the 16th of August", "2025-08-16"),
        ("since 16 aug", "2025-08-16"),
        ("August 3rd, at noon", "2025-08-03"),
        ("the 11th of May", "2024-05-11"),
        ("on Aug 22nd", "2024-08-22"),
        ("1st July", "2024-07-01"),
    ],
)
def test_answer_is_met_by_whole_words_and_written_dates(text: str, alternative: str) -> None:
    assert meets(text, ["nowhere", alternative])


@pytest.mark.parametrize(
    ("text", "alternative"),
    [
        ("Susanna", "Ana"),
        ("a bear", "Bea"),
        ("2,351 metres", "351 m"),
        ("the 26th of August", "2025-08-06"),
        ("16 August", "2025-08-17"),
        ("a.b", "a-b"),
    ],
)
def test_answer_is_not_met_by_a_part_of_a_word_or_another_date(text: str, alternative: str) -> None:
    assert not meets(text, [alternative])


@pytest.mark.parametrize(
    ("answer", "context", "found"),
    [
        ("- Ana lives in Ghent [1]", "", (True, True)),
        ("\n- Ana lives in Gent [1]\n- Ana likes Leeds", "", (True, True)),
        ("- Ana moved from Leeds to Ghent", "", (False, True)),
        ("- Ana likes tea\n- Ana lives in Ghent", "", (False, True)),
        ("- Ana likes tea", "Messages:\n[1] I live in Ghent", (False, True)),
        ("- Ana lives in Leeds", "- Ben lives in York", (False, False)),
        ("", "", (False, False)),
    ],
)
def test_answer_counts_in_the_first_line_and_in_what_is_shown(
    answer: str, context: str, found: tuple[bool, bool]
) -> None:
    judged = outcome(TOWN, answer, by="extract", context=context)
    assert (judged.in_first_line, judged.shown) == found
    assert (judged.refused, judged.failed) == (False, not found[0])


def test_list_needs_one_item_in_the_first_line_and_all_shown() -> None:
    found = [outcome(PETS, text, by="extract", context="") for text in ("Momo\nBiscuit", "Momo", "pets\nMomo\nBiscuit")]
    assert [(each.in_first_line, each.shown) for each in found] == [(True, True), (True, False), (False, True)]


@pytest.mark.parametrize(
    ("by", "answer"), [("none", "I do not know."), ("extract", "Nothing in memory answers this.\nNearest: Ghent")]
)
def test_refusal_shows_no_answer(by: str, answer: str) -> None:
    refused = [outcome(question, answer, by=by, context="Ghent") for question in (TOWN, CAPITAL)]
    assert [(each.refused, each.in_first_line, each.shown, each.failed) for each in refused] == [
        (True, False, False, True),
        (True, False, False, False),
    ]


def test_question_without_answer_fails_unless_refused() -> None:
    assert outcome(CAPITAL, "- Ana lives in Paris", by="extract", context="").failed


def test_rates_are_percent_of_each_part_and_of_all() -> None:
    right, wrong, refusal = "- Ana lives in Ghent", "- Ana likes tea", "Nothing in memory answers this."
    answers = [(TOWN, right), (TOWN, wrong), (TOWN, refusal), (TOWN, right), (CAPITAL, refusal), (CAPITAL, wrong)]
    outcomes: list[AskOutcome] = [outcome(each, text, by="extract", context="") for each, text in answers]
    dev = AskRates(
        part="dev",
        answerable=4,
        in_first_line=50.0,
        shown=50.0,
        refused_wrongly=25.0,
        unanswerable=2,
        refused_rightly=50.0,
    )
    kept = AskRates(
        part="kept",
        answerable=1,
        in_first_line=0.0,
        shown=100.0,
        refused_wrongly=0.0,
        unanswerable=0,
        refused_rightly=0.0,
    )
    both = AskRates(
        part="all",
        answerable=5,
        in_first_line=40.0,
        shown=60.0,
        refused_wrongly=20.0,
        unanswerable=2,
        refused_rightly=50.0,
    )
    outcomes.append(outcome(PETS, "pets", by="extract", context="Momo, Biscuit"))
    assert rates(outcomes) == (dev, kept, both)
    assert rates(outcomes[:-1])[:1] == (dev,)
    assert rates([]) == ()


def test_questions_of_each_conversation_are_halved_between_dev_and_kept() -> None:
    counts = Counter((each.conversation, each.part, each.answerable) for each in QUESTIONS)
    assert counts == {
        (name, part, answerable): 13 if answerable else 4
        for name in FILES
        for part in ("dev", "kept")
        for answerable in (True, False)
    }


@pytest.mark.parametrize("name", ["supper", "cousins"])
def test_conversation_has_three_speakers_and_runs_forward_over_months(name: str) -> None:
    (conversation,) = read(FILES[name])
    messages = list(conversation.messages)
    times = [each.occurred_at for each in messages if each.occurred_at is not None]
    assert len({each.speaker for each in messages}) == 3
    assert len(times) == len(messages) >= 90
    assert times == sorted(times)
    assert (times[-1] - times[0]).days > 240


def test_right_and_wrong_answers_stand_in_their_conversation() -> None:
    """All but the dates that have to be worked out from phrases such as `yesterday` or `the 8th`."""
    worked_out = {
        "When did Theo move to Sheffield?",
        "When did Theo hurt his knee?",
        "When is Theo's birthday?",
        "When did Maeve start at Harbourside Physio?",
        "When was Opal born?",
        "When does Grandma Pearl turn 95?",
        "When did Button die?",
    }
    said = {
        name: "\n".join(message.content for part in read(path) for message in part.messages)
        for name, path in FILES.items()
    }
    missing = {
        question.text
        for question in QUESTIONS
        for alternatives in (*question.right, question.wrong)
        if alternatives and not meets(said[question.conversation], alternatives)
    }
    assert missing == worked_out
