import json
import threading
from pathlib import Path

import pytest

from mnemo.bench.qa.data import NOT_KNOWN, QaQuestion, of_locomo, of_longmemeval
from mnemo.bench.qa.report import Prices, overlap, qa_rows, qa_usage
from mnemo.bench.qa.runner import QaLine, Recorder, Run, run
from mnemo.errors import ArgumentError, ReaderError, StoreUnavailableError
from mnemo.models.results import Context, SearchResult, Usage
from mnemo.providers.factory import build_llm
from support.llm_server import LlmServer, Reply, Request

SETTINGS = Run(data="d.json", route="system1", budget=400, k=10, model="m", judge="m")
QUESTIONS = [
    QaQuestion(id=f"c/q{place}", conversation="c", category=category, text=f"Question {place}?", gold="Rome")
    for place, category in enumerate(["single-hop", "temporal", "single-hop"])
]


async def find(question: QaQuestion) -> SearchResult:
    context = Context(text=f"Facts:\n- for {question.id}", tokens=7, budget=400, sources=(), truncated=False)
    return SearchResult(
        question=question.text,
        group=question.conversation,
        route="system1",
        episodes=(),
        entities=(),
        edges=(),
        context=context,
        usage=Usage(calls=1, input_tokens=100, output_tokens=1),
    )


def replying(request: Request) -> Reply:
    if request.schema_name == "QaReply":
        said = "Paris" if "Question 1?" in request.user else "Rome"
        return Reply.json({"reasoning": "r", "answer": said})
    return Reply.json({"reason": "r", "correct": "Answer to judge: Rome" in request.user})


async def ran(server: LlmServer, folder: Path, questions: list[QaQuestion], at_once: int = 2) -> tuple[QaLine, ...]:
    llm = build_llm(server.settings(llm={"max_retries": 0}))
    assert llm is not None
    try:
        recorder = Recorder(folder, "run", SETTINGS)
        return await run(questions, find, llm=llm, judge=llm, recorder=recorder, at_once=at_once)
    finally:
        await llm.close()


async def test_each_question_is_answered_and_judged_and_its_raw_output_kept(llm: LlmServer, tmp_path: Path) -> None:
    llm.handle(replying)
    lines = await ran(llm, tmp_path, QUESTIONS)
    assert [(line.id, line.answer, line.correct) for line in lines] == [
        ("c/q0", "Rome", True),
        ("c/q1", "Paris", False),
        ("c/q2", "Rome", True),
    ]
    assert llm.chats == 6
    raw = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {line["id"] for line in raw} == {"c/q0", "c/q1", "c/q2"}
    assert all(line["context"] == f"Facts:\n- for {line['id']}" and line["gold"] == "Rome" for line in raw)


async def test_the_prompt_has_question_context_and_nothing_of_the_right_answer(llm: LlmServer, tmp_path: Path) -> None:
    llm.handle(replying)
    await ran(llm, tmp_path, QUESTIONS[:1])
    asked, judged = llm.requests
    assert asked.user == "Question: Question 0?\n\nMemory:\nFacts:\n- for c/q0"
    assert judged.user == "Question: Question 0?\nRight answer: Rome\nAnswer to judge: Rome"
    assert asked.strict
    assert judged.strict


async def test_a_second_run_asks_nothing_that_has_a_verdict(llm: LlmServer, tmp_path: Path) -> None:
    llm.handle(replying)
    await ran(llm, tmp_path, QUESTIONS[:2])
    llm.requests.clear()
    lines = await ran(llm, tmp_path, QUESTIONS)
    assert llm.chats == 2
    assert [line.correct for line in lines] == [True, False, True]


async def test_a_failed_question_is_a_line_and_is_asked_again(llm: LlmServer, tmp_path: Path) -> None:
    llm.handle(lambda request: Reply.error(500) if "Question 1?" in request.user else replying(request))
    lines = await ran(llm, tmp_path, QUESTIONS)
    assert [(line.correct, line.error) for line in lines] == [
        (True, ""),
        (None, "ProviderUnavailableError"),
        (True, ""),
    ]
    llm.handle(replying)
    llm.requests.clear()
    assert [line.correct for line in await ran(llm, tmp_path, QUESTIONS)] == [True, False, True]
    assert llm.chats == 2


async def test_a_line_cut_by_a_crash_is_dropped_and_its_question_asked_again(llm: LlmServer, tmp_path: Path) -> None:
    llm.handle(replying)
    await ran(llm, tmp_path, QUESTIONS, at_once=1)
    path = tmp_path / "run.jsonl"
    path.write_text(path.read_text(encoding="utf-8")[:-40], encoding="utf-8")
    llm.requests.clear()
    assert [line.correct for line in await ran(llm, tmp_path, QUESTIONS)] == [True, False, True]
    assert llm.chats == 2
    assert len(path.read_text(encoding="utf-8").splitlines()) == 3


async def test_questions_run_side_by_side_within_the_bound(llm: LlmServer, tmp_path: Path) -> None:
    lock, inside, most = threading.Lock(), 0, 0

    async def counting(question: QaQuestion) -> SearchResult:
        nonlocal inside, most
        with lock:
            inside, most = inside + 1, max(most, inside + 1)
        return await find(question)

    def handle(request: Request) -> Reply:
        nonlocal inside
        if request.schema_name == "VerdictReply":
            with lock:
                inside -= 1
        return replying(request)

    llm.handle(handle)
    client = build_llm(llm.settings())
    assert client is not None
    many = [QaQuestion(id=str(n), conversation="c", category="x", text="q", gold="Rome") for n in range(9)]
    recorder = Recorder(tmp_path, "run", SETTINGS)
    lines = await run(many, counting, llm=client, judge=client, recorder=recorder, at_once=3)
    await client.close()
    assert (len(lines), most) == (9, 3)


async def test_an_error_of_the_search_ends_the_run_and_keeps_what_was_done(llm: LlmServer, tmp_path: Path) -> None:
    async def failing(question: QaQuestion) -> SearchResult:
        if question.id == "c/q2":
            message = "gone"
            raise StoreUnavailableError(message)
        return await find(question)

    llm.handle(replying)
    client = build_llm(llm.settings())
    assert client is not None
    with pytest.raises(StoreUnavailableError):
        await run(QUESTIONS, failing, llm=client, judge=client, recorder=Recorder(tmp_path, "run", SETTINGS), at_once=1)
    await client.close()
    assert set(Recorder(tmp_path, "run", SETTINGS).lines) == {"c/q0", "c/q1"}


def test_output_of_other_settings_is_not_mixed(tmp_path: Path) -> None:
    Recorder(tmp_path, "run", SETTINGS)
    other = Run(data="d.json", route="both", budget=400, k=10, model="m", judge="m")
    with pytest.raises(ArgumentError, match="another route"):
        Recorder(tmp_path, "run", other)


def line(category: str, *, correct: bool | None, answer: str = "Rome") -> QaLine:
    return QaLine(
        id="x",
        category=category,
        question="q",
        gold="the Rome",
        context="",
        context_tokens=10,
        search_s=0.0,
        seconds=0.0,
        answer=answer,
        correct=correct,
        answering=Usage(calls=1, input_tokens=1_000, output_tokens=100),
        judging=Usage(calls=1, input_tokens=500, output_tokens=50),
    )


def test_rows_count_by_category_and_leave_failures_out_of_the_score() -> None:
    lines = [line("a", correct=True), line("a", correct=False, answer="x"), line("b", correct=None)]
    rows = {row.category: row for row in qa_rows(lines, Prices(input=2.0, output=10.0))}
    assert list(rows) == ["a", "b", "all"]
    assert (rows["a"].correct, rows["a"].f1, rows["a"].failed) == (50.0, 50.0, 0)
    assert (rows["b"].correct, rows["b"].failed, rows["all"].questions) == (0.0, 1, 3)
    assert rows["all"].correct == 50.0
    assert rows["a"].cost == pytest.approx(2 * (1_500 * 2 + 150 * 10) / 1_000_000)
    assert qa_usage(lines).calls == 6


def test_no_lines_are_no_rows() -> None:
    assert qa_rows([]) == ()


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [("7 May 2023", "on 7 May 2023", 6 / 7), ("The Rome!", "rome", 1.0), ("Paris", "Rome", 0.0), ("", "", 0.0)],
)
def test_overlap_is_the_f1_of_words(answer: str, gold: str, expected: float) -> None:
    assert overlap(answer, gold) == pytest.approx(expected)


def test_locomo_questions_carry_category_and_answer_and_adversarial_ones_have_none(tmp_path: Path) -> None:
    qa = [
        {"question": "When?", "answer": 2022, "evidence": [], "category": 2},
        {"question": "What?", "adversarial_answer": "x", "evidence": [], "category": 5},
    ]
    path = tmp_path / "l.json"
    path.write_text(json.dumps([{"sample_id": "conv-1", "qa": qa}]), encoding="utf-8")
    first, second = of_locomo(path, [2, 5])
    assert (first.id, first.conversation, first.category, first.gold) == ("conv-1/q0", "conv-1", "temporal", "2022")
    assert (second.category, second.gold) == ("adversarial", NOT_KNOWN)
    assert [each.id for each in of_locomo(path, [5])] == ["conv-1/q1"]


def test_longmemeval_questions_carry_their_date_and_abstentions_have_no_answer(tmp_path: Path) -> None:
    item = {"question_id": "a1", "question_type": "multi-session", "question": "How many?", "answer": 3}
    items = [{**item, "question_date": "2023/05/30 (Tue) 23:40"}, {**item, "question_id": "a2_abs"}]
    path = tmp_path / "m.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    first, second = of_longmemeval(path)
    assert (first.conversation, first.category, first.gold, first.asked) == (
        "a1",
        "multi-session",
        "3",
        "2023/05/30 (Tue) 23:40",
    )
    assert (second.category, second.gold, second.asked) == ("abstention", NOT_KNOWN, "")


@pytest.mark.parametrize("text", ["{", "[1]", '[{"qa": [{}]}]', '{"a": 1}'])
def test_another_file_is_a_clear_error(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReaderError, match="wanted a LoCoMo file"):
        of_locomo(path, [1])
    with pytest.raises(ReaderError, match="wanted a LongMemEval file"):
        of_longmemeval(path)
