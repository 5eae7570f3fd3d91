"""The direction in time of a date in a sentence; the date is in brackets."""

import pytest

from mnemo.temporal.tense import Direction, SentenceTenses


@pytest.mark.parametrize(
    ("marked", "direction"),
    [
        ("The exam is [on 24 December].", Direction.PRESENT),
        ("The shop closed [on 24 December].", Direction.PAST),
        ("The shop is closed [on 24 December].", Direction.PRESENT),
        ("I will move to Ghent on the last day of [July].", Direction.FUTURE),
        ("We're moving to Recife [in October], Mateus got a post there.", Direction.FUTURE),
        ("He's moved to Rome [in May].", Direction.PAST),
        ("I have moved to Rome [in May].", Direction.PAST),
        ("I have to move [in May].", Direction.FUTURE),
        ("I have an exam [on 5 May].", Direction.PRESENT),
        ("The Met Office warned us [in May].", Direction.PAST),
        ("My birthday is [on 4 May].", Direction.PRESENT),
        ("moving to oslo [in june]", Direction.FUTURE),
        ("moved to oslo [in june]", Direction.PAST),
        ("we quit [in june]", Direction.PAST),
        ("I want to quit [in june]", Direction.FUTURE),
        ("The shop we opened [in June] is closing.", Direction.PAST),
        ("The shop we opened is closing [in June].", Direction.FUTURE),
        ("I worked there until [March].", Direction.PAST),
        ("The museum is shut until [June].", Direction.FUTURE),
        ("I need it by [Friday].", Direction.FUTURE),
        ("we were going to move [in June]", Direction.PAST),
        ("I'd like to go [in May]", Direction.FUTURE),
        ("You should come [in May].", Direction.FUTURE),
        ("You should have come [in May].", Direction.PAST),
        ("Doors open [on 5 June].", Direction.PRESENT),
        ("The lease ends [on the last day of July].", Direction.PRESENT),
        ("Call me [on 5 June].", Direction.FUTURE),
        ("Deadline: [5 June].", Direction.FUTURE),
        ("On [5 June] the boiler broke and now it is cold.", Direction.PAST),
        ("We were in Crete from [28 December] to 3 January.", Direction.PAST),
        ("Rent due [on the 1st]", Direction.FUTURE),
        ("i put it there [in may]", Direction.PAST),
        ("She was supposed to come [in May].", Direction.PAST),
        ("She's supposed to come [in May].", Direction.FUTURE),
        ("Our flight is booked for [5 June].", Direction.FUTURE),
        ("I booked our flight [on 5 June].", Direction.PAST),
        ("[In May] we went to Rome.", Direction.PAST),
        ("[In May] we're going to Rome.", Direction.FUTURE),
        ("The course starts [in June].", Direction.PRESENT),
        ("She's been ill [since June]", Direction.PAST),
        ("This photo is from [5 May].", Direction.PAST),
        ("I graduated and moved to Rome with Ana [in May].", Direction.PAST),
        ("I graduated but I'm moving to Rome with Ana [in May].", Direction.FUTURE),
        ("Our anniversary is [on 12 June] and we celebrated early.", Direction.PRESENT),
        ("I won't be here [in June]", Direction.FUTURE),
        ("they close [on 24 December]", Direction.PRESENT),
        ("never went back [in June]", Direction.PAST),
        ("They pushed the exam to [3 June].", Direction.FUTURE),
        ("ill be away [in june]", Direction.FUTURE),
        ("The flat is free from [1 November].", Direction.PRESENT),
        ("Green tea [in June].", Direction.NONE),
        ("[12月]にケーキを食べた。", Direction.PAST),
        ("[12月]に引っ越す予定です。", Direction.FUTURE),
    ],
)
def test_direction_follows_the_verb(marked: str, direction: Direction) -> None:
    start, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    assert SentenceTenses(text).direction(start, end) is direction


def test_verbs_of_other_sentences_do_not_count() -> None:
    text = "We moved here. Green tea in June. I will stay."
    assert SentenceTenses(text).direction(text.index("in June"), text.index(". I")) is Direction.NONE
